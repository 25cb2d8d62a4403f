//! The lines by which scripts inside the engine talk to the tool.
//!
//! The in-engine runner prints them into the same stream as the engine's own messages, so their order tells which test
//! an engine error belongs to:
//!
//! ```text
//! @supple plan 12                        so many tests will run
//! @supple begin 60 test_rope.test_hangs  a test starts; it may take 60 s
//! @supple expect 2 is not a CanvasItem   the next 2 errors that contain this text, within this test, are wanted
//! @supple end ok test_rope.test_hangs    its tree is freed; or `end failed`
//! @supple done 11 1                      all ran: passed, failed
//! ```

use std::time::Duration;

const PREFIX: &str = "@supple ";

/// One such line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// So many tests will run.
    Plan(u32),
    /// A test starts.
    Begin {
        /// What it is called.
        name: String,
        /// How long the runner lets it run.
        limit: Duration,
    },
    /// Errors that the test wants to see.
    Expect {
        /// How many.
        count: u32,
        /// What each must contain.
        text: String,
    },
    /// A test ended, and what it made is freed.
    End {
        /// What it is called.
        name: String,
        /// What the runner thinks of it.
        passed: bool,
    },
    /// The whole run ended.
    Done {
        /// Tests that passed.
        passed: u32,
        /// Tests that failed.
        failed: u32,
    },
}

/// What a line of output is.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Something printed.
    Text(&'a str),
    /// A marker.
    Marker(Marker),
    /// It starts like a marker and is none.
    Broken(&'a str),
}

/// Reads a line.
pub fn read(line: &str) -> Line<'_> {
    match line.strip_prefix(PREFIX) {
        None => Line::Text(line),
        Some(rest) => marker(rest).map_or(Line::Broken(line), Line::Marker),
    }
}

fn marker(text: &str) -> Option<Marker> {
    let (word, rest) = text.split_once(' ')?;
    // Only `plan` has a single argument.
    let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
    let name = || (!second.is_empty()).then(|| second.to_owned());
    Some(match word {
        "plan" => Marker::Plan(first.parse().ok()?),
        "begin" => Marker::Begin { name: name()?, limit: Duration::try_from_secs_f64(first.parse().ok()?).ok()? },
        "expect" => Marker::Expect { count: first.parse().ok()?, text: name()? },
        "end" => Marker::End {
            name: name()?,
            passed: match first {
                "ok" => true,
                "failed" => false,
                _ => return None,
            },
        },
        "done" => Marker::Done { passed: first.parse().ok()?, failed: second.parse().ok()? },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_marker_is_read() {
        let marker = |line| match read(line) {
            Line::Marker(marker) => marker,
            other => panic!("{other:?}"),
        };
        assert_eq!(marker("@supple plan 12"), Marker::Plan(12));
        assert_eq!(
            marker("@supple begin 2.5 test_a.test_b"),
            Marker::Begin { name: "test_a.test_b".to_owned(), limit: Duration::from_millis(2500) }
        );
        assert_eq!(marker("@supple expect 2 two words"), Marker::Expect { count: 2, text: "two words".to_owned() });
        assert_eq!(marker("@supple done 3 1"), Marker::Done { passed: 3, failed: 1 });
    }

    #[test]
    fn a_damaged_marker_is_not_overlooked() {
        for line in ["@supple done 3", "@supple end maybe x", "@supple begin x y", "@supple hello 1 2"] {
            assert_eq!(read(line), Line::Broken(line));
        }
        assert_eq!(read("done 3 1"), Line::Text("done 3 1"));
    }
}
