//! Errors that name the node and the argument, one for each bad call or value.

use godot::classes::Node;
use godot::prelude::*;
use std::fmt::Display;
use std::ops::RangeInclusive;
use supple_sim::rope::FARTHEST;

/// Who is called, for the text of an error.
pub struct Callee {
    node: Gd<Node>,
    member: &'static str,
}

impl Callee {
    /// A method or a property of `node`.
    pub fn new(node: Gd<Node>, member: &'static str) -> Callee {
        Callee { node, member }
    }

    /// Prints that `problem` is why nothing, or something else, was done.
    pub fn complain(&self, problem: impl Display) {
        let class = self.node.get_class();
        let name = self.node.get_name();
        let place = if self.node.is_inside_tree() { format!(" ({})", self.node.get_path()) } else { String::new() };
        godot_error!("{class} \"{name}\"{place}: {}: {problem}", self.member);
    }

    /// `index` as the index of one of `count` things, or an error; `things` is what they are called.
    pub fn index(&self, argument: &str, index: i64, count: usize, things: &str) -> Option<usize> {
        let found = usize::try_from(index).ok().filter(|&index| index < count);
        if found.is_none() {
            let last = count.saturating_sub(1);
            self.complain(format_args!("{argument} {index} is out of range, there are the {things} 0 to {last}"));
        }
        found
    }

    /// `vector` if it is finite, or an error.
    pub fn finite(&self, argument: &str, vector: Vector2) -> Option<Vector2> {
        let finite = vector.is_finite();
        if !finite {
            self.complain(format_args!("{argument} {vector} is not finite"));
        }
        finite.then_some(vector)
    }

    /// `vector` if it is finite and its numbers are within 1e8, or an error.
    pub fn place(&self, argument: &str, vector: Vector2) -> Option<Vector2> {
        let vector = self.finite(argument, vector)?;
        if vector.x.abs().max(vector.y.abs()) > FARTHEST {
            self.complain(format_args!("{argument} {vector} is too large, the most is {FARTHEST}"));
            return None;
        }
        Some(vector)
    }

    /// `value` brought into `range`, with an error if it was not; None if it is not a number.
    pub fn number(&self, value: f64, range: RangeInclusive<f32>) -> Option<f32> {
        if value.is_nan() {
            self.complain("NaN is not a value, it stays as it was");
            return None;
        }
        let (least, most) = (*range.start(), *range.end());
        let clamped = (value as f32).clamp(least, most);
        if clamped != value as f32 {
            self.complain(format_args!("{value} is not in {least} to {most}, it becomes {clamped}"));
        }
        Some(clamped)
    }

    /// `value` if it is a number in `range`, or an error.
    pub fn sane(&self, argument: &str, value: f64, range: RangeInclusive<f32>) -> Option<f32> {
        let sane = value.is_finite() && range.contains(&(value as f32));
        if !sane {
            self.complain(format_args!("{argument} {value} is not a number that makes sense here"));
        }
        sane.then_some(value as f32)
    }

    /// `value` brought into `range`, with an error if it was not.
    pub fn count(&self, value: i64, range: RangeInclusive<u32>) -> u32 {
        let clamped = value.clamp(i64::from(*range.start()), i64::from(*range.end()));
        if clamped != value {
            self.complain(format_args!("{value} is not in {} to {}, it becomes {clamped}", range.start(), range.end()));
        }
        clamped as u32
    }
}
