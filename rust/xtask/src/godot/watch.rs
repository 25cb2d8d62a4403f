//! Reading the engine's log.
//!
//! A script error, a failed assert or a leak need not change the engine's exit code, so the log decides. An error is a
//! header line with the lines below it: its message, its `at:` line, and a backtrace. Each belongs to the test that runs at that moment, and
//! fails it unless the test has announced it.

use super::markers::{Line, Marker, read};

/// Signs of trouble that carry no `ERROR:` header.
const SIGNS: [&str; 7] = [
    "ObjectDB instances leaked",
    "ObjectDB instances were leaked",
    "Resources still in use",
    "resources still in use",
    "panicked at",
    "[panic ",
    "Program crashed with signal",
];

/// An error without an `at:` line ends after so many lines at the latest.
const LONGEST_ERROR: usize = 40;

/// What was seen in the log of one run.
#[derive(Default)]
pub struct Watch {
    /// Tests that ended well, in the runner's eyes and in the log.
    pub passed: Vec<String>,
    /// Tests that did not.
    pub failed: Vec<String>,
    /// Trouble outside any test.
    pub problems: Vec<String>,
    /// Whether the closing line was seen.
    pub done: bool,
    /// How many tests the run announced.
    pub planned: Option<u32>,
    test: Option<Test>,
    error: Vec<String>,
    ended: u32,
}

/// The test that runs.
struct Test {
    name: String,
    problems: Vec<String>,
    expected: Vec<Expected>,
    /// The runner's own line about it, shown only when the log agrees.
    verdict: Option<String>,
}

struct Expected {
    text: String,
    count: u32,
    seen: u32,
}

impl Watch {
    /// Takes in the next line; the lines to show for it.
    pub fn line(&mut self, raw: &str) -> Vec<String> {
        let plain = without_colours(raw);
        match read(&plain) {
            Line::Text(text) => self.text(text),
            Line::Marker(marker) => {
                let mut show = self.close_error();
                show.extend(self.marker(marker));
                show
            }
            Line::Broken(line) => {
                let mut show = self.close_error();
                self.problem(format!("a damaged line of the runner: {line}"));
                show.push(line.to_owned());
                show
            }
        }
    }

    /// The run has ended: settles what was open. A test still running did not survive.
    pub fn finish(&mut self) -> Vec<String> {
        let mut show = self.close_error();
        if let Some(test) = self.test.take() {
            show.push(format!("FAILED {}: the run ended within it", test.name));
            show.extend(test.problems.iter().map(|problem| format!("    {problem}")));
            self.failed.push(test.name);
        }
        show
    }

    /// The test that runs now.
    pub fn running(&self) -> Option<&str> {
        self.test.as_ref().map(|test| test.name.as_str())
    }

    fn text(&mut self, text: &str) -> Vec<String> {
        if self.is_verdict(text) {
            let show = self.close_error();
            if let Some(test) = &mut self.test {
                test.verdict = Some(text.to_owned());
            }
            return show;
        }
        if is_header(text) {
            let show = self.close_error();
            self.error.push(text.to_owned());
            return show;
        }
        if self.continues(text) {
            self.error.push(text.to_owned());
            return Vec::new();
        }
        let mut show = self.close_error();
        show.push(text.to_owned());
        show
    }

    /// Whether it is the runner's line about a test that passed in its eyes.
    fn is_verdict(&self, text: &str) -> bool {
        let name = text.strip_prefix("ok ").and_then(|rest| rest.split(' ').next());
        name.is_some() && name == self.running()
    }

    /// Whether a line belongs to the error before it: all up to its `at:` line, then what is indented (a backtrace).
    fn continues(&self, text: &str) -> bool {
        let located = self.error.iter().any(|line| is_location(line));
        let open = !self.error.is_empty() && self.error.len() < LONGEST_ERROR;
        open && (text.starts_with(' ') || !located)
    }

    /// An error is complete: is it wanted?
    fn close_error(&mut self) -> Vec<String> {
        let error = std::mem::take(&mut self.error);
        let Some(header) = error.first() else {
            return Vec::new();
        };
        if let Some(test) = &mut self.test {
            // Not its place and backtrace: the names of files and functions there say nothing about it.
            let message = error.iter().take_while(|line| !is_location(line));
            let message = message.cloned().collect::<Vec<_>>().join("\n");
            let wanted = |expected: &&mut Expected| expected.seen < expected.count && message.contains(&expected.text);
            if let Some(expected) = test.expected.iter_mut().find(wanted) {
                expected.seen += 1;
                return Vec::new();
            }
        }
        self.problem(header.clone());
        error
    }

    fn problem(&mut self, problem: String) {
        match &mut self.test {
            Some(test) => test.problems.push(problem),
            None => self.problems.push(problem),
        }
    }

    fn marker(&mut self, marker: Marker) -> Vec<String> {
        match marker {
            Marker::Plan(count) => self.planned = Some(count),
            Marker::Begin { name, .. } => {
                let show = self.finish();
                self.test = Some(Test { name, problems: Vec::new(), expected: Vec::new(), verdict: None });
                return show;
            }
            Marker::Expect { count, text } => match &mut self.test {
                Some(test) => test.expected.push(Expected { text, count, seen: 0 }),
                None => self.problem(format!("errors were announced outside any test: {text}")),
            },
            Marker::End { name, passed } => return self.end(&name, passed),
            Marker::Done { passed, failed } => {
                let show = self.finish();
                let counted = passed + failed;
                let planned = self.planned.unwrap_or(counted);
                if counted != self.ended || counted != planned {
                    self.problem(format!(
                        "{planned} tests were planned, {} ended, and the runner counted {counted}",
                        self.ended
                    ));
                }
                self.done = true;
                return show;
            }
        }
        Vec::new()
    }

    fn end(&mut self, name: &str, passed: bool) -> Vec<String> {
        self.ended += 1;
        let Some(mut test) = self.test.take().filter(|test| test.name == name) else {
            self.problem(format!("{name} ended without having begun"));
            self.failed.push(name.to_owned());
            return Vec::new();
        };
        for expected in &test.expected {
            if expected.seen < expected.count {
                test.problems.push(format!(
                    "expected {} error(s) with \"{}\" in the log, saw {}",
                    expected.count, expected.text, expected.seen
                ));
            }
        }
        if passed && test.problems.is_empty() {
            self.passed.push(test.name);
            return test.verdict.into_iter().collect();
        }
        self.failed.push(test.name);
        test.problems.iter().map(|problem| format!("FAILED {name}: in the log: {problem}")).collect()
    }
}

/// Whether a line opens an error: `ERROR:`, `SCRIPT ERROR:`, `USER SCRIPT ERROR:` …, or another sign of trouble.
fn is_header(line: &str) -> bool {
    let kind = line.split_once("ERROR:").map(|(kind, _)| kind);
    let headed = kind.is_some_and(|kind| kind.chars().all(|letter| letter.is_ascii_uppercase() || letter == ' '));
    headed || SIGNS.iter().any(|sign| line.contains(sign)) || (line.contains("RID") && line.contains("leaked"))
}

fn is_location(line: &str) -> bool {
    line.trim_start().starts_with("at: ")
}

/// The engine colours its errors even when nobody sees it.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        let end = after.find(|letter: char| letter.is_ascii_alphabetic());
        rest = end.map_or("", |end| &after[end + 1..]);
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watched(log: &str) -> (Watch, String) {
        let mut watch = Watch::default();
        let mut shown = Vec::new();
        for line in log.lines() {
            shown.extend(watch.line(line));
        }
        shown.extend(watch.finish());
        (watch, shown.join("\n"))
    }

    const BEGIN: &str = "@supple plan 1\n@supple begin 60 a.b\n";
    const END: &str = "\nok a.b (1 ms)\n@supple end ok a.b\n@supple done 1 0";

    fn within(log: &str) -> (Watch, String) {
        watched(&format!("{BEGIN}{log}{END}"))
    }

    #[test]
    fn a_clean_run_passes() {
        let (watch, shown) = within("a line");
        assert_eq!(watch.passed, ["a.b"]);
        assert!(watch.failed.is_empty() && watch.problems.is_empty() && watch.done);
        assert_eq!(shown, "a line\nok a.b (1 ms)");
    }

    #[test]
    fn a_planted_error_fails_the_test_it_falls_in() {
        for error in [
            "ERROR: Condition \"true\" is true.\n   at: f (core/x.cpp:1)",
            "\u{1b}[1;31mSCRIPT ERROR:\u{1b}[0;91m Invalid call.\u{1b}[0m\n          at: f (res://x.gd:3)",
            "USER SCRIPT ERROR: Assertion failed.",
            "thread 'main' panicked at src/lib.rs:1:1:",
        ] {
            let (watch, shown) = within(error);
            assert_eq!(watch.failed, ["a.b"], "{error}");
            assert!(watch.passed.is_empty() && shown.contains("FAILED a.b"), "{shown}");
            assert!(!shown.contains("ok a.b"), "{shown}");
        }
    }

    #[test]
    fn a_leak_at_the_end_is_a_problem_of_the_run() {
        for leak in [
            "WARNING: ObjectDB instances leaked at exit (run with --verbose for details).",
            "ERROR: 3 RID allocations of type 'P12GodotShape2D' were leaked at exit.",
            "WARNING: 1 RID of type \"CanvasItem\" was leaked.",
            "ERROR: 2 resources still in use at exit (run with --verbose for details).",
        ] {
            let (watch, _) = watched(&format!("{BEGIN}{END}\n{leak}"));
            assert_eq!(watch.passed, ["a.b"]);
            assert_eq!(watch.problems, [leak]);
        }
    }

    #[test]
    fn words_about_errors_are_no_errors() {
        let (watch, _) = within("the ERROR: of his ways\nno error: none");
        assert_eq!(watch.passed, ["a.b"]);
    }

    #[test]
    fn an_announced_error_is_wanted_and_not_shown() {
        let (watch, shown) = within("@supple expect 1 too big\nERROR: VerletRope2D: 7 is\ntoo big\n   at: f (x:1)");
        assert_eq!(watch.passed, ["a.b"]);
        assert_eq!(shown, "ok a.b (1 ms)");
    }

    #[test]
    fn a_backtrace_belongs_to_its_error_and_what_follows_does_not() {
        let (watch, shown) = within(
            "@supple expect 1 bad\nERROR: bad\n   at: f (x:1)\n   GDScript backtrace:\n       [0] f (x:1)\nnext",
        );
        assert_eq!(watch.passed, ["a.b"]);
        assert_eq!(shown, "next\nok a.b (1 ms)");
    }

    #[test]
    fn the_place_of_an_error_does_not_make_it_the_announced_one() {
        let (watch, _) = within("@supple expect 1 test\nERROR: bad\n   at: f (res://test.gd:1)\n       [0] test");
        assert_eq!(watch.failed, ["a.b"]);
    }

    #[test]
    fn an_announced_error_that_does_not_come_fails() {
        let (watch, shown) = within("@supple expect 2 too big\nERROR: too big\n   at: f (x:1)");
        assert_eq!(watch.failed, ["a.b"]);
        assert!(shown.contains("expected 2 error(s) with \"too big\" in the log, saw 1"));
    }

    #[test]
    fn an_error_more_than_announced_or_another_one_fails() {
        let one = "ERROR: too big\n   at: f (x:1)\n";
        for log in [format!("{one}{one}"), format!("{one}ERROR: too small")] {
            let (watch, _) = within(&format!("@supple expect 1 too big\n{log}"));
            assert_eq!(watch.failed, ["a.b"], "{log}");
        }
    }

    #[test]
    fn what_one_test_announced_does_not_help_the_next() {
        let (watch, _) = watched(
            "@supple begin 60 a.b\n@supple expect 1 late\n@supple end ok a.b\n\
             @supple begin 60 a.c\nERROR: late\n@supple end ok a.c\n@supple done 2 0",
        );
        assert_eq!(watch.failed, ["a.b", "a.c"]);
    }

    #[test]
    fn a_run_that_dies_has_failed_in_the_test_it_was_in() {
        let (watch, shown) = watched("@supple plan 2\n@supple begin 60 a.b\nok a.b (1 ms)");
        assert_eq!(watch.failed, ["a.b"]);
        assert!(!watch.done && shown.contains("the run ended within it"));
    }

    #[test]
    fn a_runner_that_counts_wrong_is_found_out() {
        let (watch, _) = watched("@supple begin 60 a.b\n@supple end ok a.b\n@supple done 2 0");
        assert_eq!(watch.problems.len(), 1);
    }

    #[test]
    fn what_the_runner_calls_failed_has_failed() {
        let (watch, shown) =
            watched("@supple begin 60 a.b\nFAILED a.b: 1 is not 2\n@supple end failed a.b\n@supple done 0 1");
        assert_eq!(watch.failed, ["a.b"]);
        assert_eq!(shown, "FAILED a.b: 1 is not 2");
    }
}
