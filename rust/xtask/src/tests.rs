//! `cargo xtask test`: the core's tests, the tool's own, and those inside the engine.
//!
//! In-engine tests share a process: one headless, one with a window. When a test kills or hangs its process, that test
//! has failed and a new process goes on after it.

use crate::addon::{self, Kind};
use crate::cargo::{self, Tally};
use crate::engine;
use crate::godot::display::Display;
use crate::godot::{Run, Show};
use crate::overriding::{OVERRIDE, Override};
use crate::paths;
use crate::project;
use crate::say::{during, say};
use anyhow::{Context, Result, anyhow, bail};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long the engine may take until its first test begins.
const START_LIMIT: Duration = Duration::from_secs(40);

/// The session whose tests must fail.
const PLANTED: &str = "planted";

/// The tests that have to hold just so when physics runs on a thread of its own.
const THREADED: &str = "test_collision_";

/// Runs all tests whose name contains the filter.
pub fn run(filter: Option<&str>, release: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    let filter = filter.unwrap_or("");
    Override::restore(&paths::project().join(OVERRIDE))?;
    for package in ["xtask", "supple-sim"] {
        let title = format!("Rust tests of {package}");
        let mut arguments = vec!["--package", package];
        arguments.extend((!filter.is_empty()).then_some(filter));
        tally.add(cargo::test(&title, &arguments)?);
    }

    let headless = scripts(false, filter)?;
    let windows = scripts(true, filter)?;
    if headless || windows || "planted".contains(filter) {
        let engine = engine::find()?;
        addon::build(if release { Kind::Release } else { Kind::Dev })?;
        project::prepare(&engine)?;
        if headless {
            say("In-engine tests, headless");
            tally.add(session(&engine, "tests", filter, None, release)?.tally());
            // Those of the filter, or of both.
            let both =
                if THREADED.contains(filter) { Some(THREADED) } else { filter.contains(THREADED).then_some(filter) };
            if let Some(filter) = both {
                say("In-engine tests, with physics on a thread of its own");
                let _settings =
                    Override::with(&paths::project().join(OVERRIDE), "[physics]\n\n2d/run_on_separate_thread=true\n")?;
                tally.add(session(&engine, "tests_threaded", filter, None, release)?.tally());
            }
        }
        if "planted".contains(filter) {
            tally.add(planted(&engine)?);
        }
        if windows {
            say("In-engine tests with a window");
            let display = Display::start()?;
            tally.add(session(&engine, "tests_window", filter, Some(&display), release)?.tally());
        }
    }
    if tally == Tally::default() {
        bail!("No test's name contains \"{filter}\". In-engine tests are called test_file.test_function");
    }
    Ok(tally)
}

/// Prints the closing line and turns failures into an exit code.
pub fn close(tally: Tally) -> ! {
    println!("{} passed, {} failed", tally.passed, tally.failed);
    let failed = tally.failed > 0 || tally.passed == 0;
    std::process::exit(i32::from(failed))
}

/// Whether any in-engine test of this kind fits the filter; saves starting the engine for nothing.
fn scripts(window: bool, filter: &str) -> Result<bool> {
    let folder = paths::project().join("tests");
    let entries = fs::read_dir(&folder).with_context(|| format!("Cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let Some(file) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let is_script = path.extension().is_some_and(|extension| extension == "gd");
        let of_this_kind = file.starts_with("test_window_") == window;
        if !is_script || !file.starts_with("test_") || !of_this_kind {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let fits = functions(&text).any(|function| format!("{file}.{function}").contains(filter));
        if fits {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What became of the in-engine tests of one kind.
#[derive(Default)]
struct Session {
    passed: Vec<String>,
    failed: Vec<String>,
}

impl Session {
    fn tally(&self) -> Tally {
        // More tests than 4 billion are out of sight.
        let count = |list: &[String]| u32::try_from(list.len()).unwrap_or(u32::MAX);
        Tally { passed: count(&self.passed), failed: count(&self.failed) }
    }

    fn fail(&mut self, what: String) {
        println!("FAILED {what}");
        self.failed.push(what);
    }
}

/// Runs the in-engine tests of one kind, in as many processes as it takes.
fn session(engine: &Path, name: &str, filter: &str, display: Option<&Display>, thorough: bool) -> Result<Session> {
    let mut session = Session::default();
    let mut after = String::new();
    loop {
        let run = Run {
            engine,
            name,
            arguments: arguments(name, filter, &after, display.is_some(), thorough)?,
            display,
            limit: START_LIMIT,
            show: if name == PLANTED { Show::Never } else { Show::Always },
        };
        let outcome = run.start()?;
        let watch = &outcome.watch;
        session.passed.extend(watch.passed.iter().cloned());
        session.failed.extend(watch.failed.iter().cloned());
        if watch.done {
            // Failed tests explain the exit code, but not what the log says outside of them.
            for problem in &watch.problems {
                session.fail(format!("{name}: in the log, outside any test: {problem}"));
            }
            if watch.failed.is_empty()
                && watch.problems.is_empty()
                && let Err(error) = outcome.demand("The run", true)
            {
                session.fail(format!("{name}: {error:#}"));
            }
            return Ok(session);
        }
        match watch.failed.last() {
            // The runner ended because a test ran into its time limit, or the test took the process along. What the log
            // says about the end of such a process is that test's doing.
            Some(test) if *test != after => {
                say(&format!("{test} ended the run: going on after it"));
                after.clone_from(test);
            }
            _ => {
                let why = outcome.demand("The run", true).err();
                session.fail(format!("{name}: {:#}", why.unwrap_or_else(|| anyhow!("the runner gave up"))));
                return Ok(session);
            }
        }
    }
}

/// Runs tests that must fail; each that is not caught is a failure.
fn planted(engine: &Path) -> Result<Tally> {
    let session = during("In-engine tests that must fail", || session(engine, PLANTED, "", None, false))?;
    let file = paths::project().join("tests/planted/test_planted.gd");
    let text = fs::read_to_string(&file)?;
    let mut tally = Tally::default();
    for function in functions(&text) {
        let name = format!("test_planted.{function}");
        if session.failed.contains(&name) && !session.passed.contains(&name) {
            println!("ok {name} was caught");
            tally.passed += 1;
        } else {
            println!("FAILED {name}: must fail, and was not caught");
            tally.failed += 1;
        }
    }
    Ok(tally)
}

/// The test functions in the text of a script.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.strip_prefix("func ")?.split('(').next())
        .filter(|function| function.starts_with("test_"))
}

fn arguments(name: &str, filter: &str, after: &str, window: bool, thorough: bool) -> Result<Vec<String>> {
    let pictures = paths::target_folder("pictures")?;
    // As fast as it can, and the same in every run.
    let mut arguments = vec!["--fixed-fps".to_owned(), "60".to_owned()];
    if !window {
        arguments.push("--disable-render-loop".to_owned());
    }
    arguments.extend([
        "res://tests/runner.tscn".to_owned(),
        "--".to_owned(),
        format!("--folder={}", if name == PLANTED { "res://tests/planted" } else { "res://tests" }),
        format!("--filter={filter}"),
        format!("--after={after}"),
        format!("--pictures={}", pictures.display()),
    ]);
    // Optimised, long watches take seconds.
    arguments.extend(thorough.then(|| "--thorough=yes".to_owned()));
    Ok(arguments)
}
