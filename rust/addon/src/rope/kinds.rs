//! The choices of a rope's properties.

use godot::prelude::*;
use supple_sim::rope;

/// A choice that the engine and the core both know.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident = $core:path { $($value:ident = $number:literal => $other:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
        #[godot(via = i64)]
        #[repr(i64)]
        pub enum $name {
            #[default]
            $($value = $number),+
        }

        impl From<$name> for $core {
            fn from(choice: $name) -> Self {
                match choice { $($name::$value => Self::$other),+ }
            }
        }

        impl From<$core> for $name {
            fn from(choice: $core) -> Self {
                match choice { $(<$core>::$other => Self::$value),+ }
            }
        }
    };
}

choice! {
    /// How a rope keeps its links at their lengths. Never renumber.
    Solver = rope::Solver { Direct = 0 => Direct, Relaxation = 1 => Relaxation }
}
choice! {
    /// Where a rope is wound. Never renumber.
    ReelEnd = rope::End { Start = 0 => Start, End = 1 => End }
}
choice! {
    /// The shape to which a rope bends back. Never renumber.
    BendRest = rope::BendRest { Straight = 0 => Straight, EditorPose = 1 => Laid }
}

/// Who leads where a rope is tied to a node. Never renumber.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum AttachMode {
    #[default]
    Auto = 0,
    NodeHoldsRope = 1,
    RopeCarriesNode = 2,
}
