//! `cargo xtask test`: the core's tests, the tool's own, and those inside the engine.
//!
//! In-engine tests share a process: one headless, one with a window. When a test kills or hangs its process, that test
//! has failed and a new process goes on after it.

use crate::addon::{self, Kind};
use crate::cargo::{self, Tally};
use crate::engine;
use crate::godot::Run;
use crate::godot::display::Display;
use crate::paths;
use crate::project;
use crate::say::say;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long the engine may take until its first test begins.
const START_LIMIT: Duration = Duration::from_secs(40);

/// Runs all tests whose name contains the filter.
pub fn run(filter: Option<&str>, release: bool) -> Result<Tally> {
    let mut tally = Tally::default();
    let filter = filter.unwrap_or("");
    for package in ["xtask", "supple-sim"] {
        let title = format!("Rust tests of {package}");
        let mut arguments = vec!["--package", package];
        arguments.extend((!filter.is_empty()).then_some(filter));
        tally.add(cargo::test(&title, &arguments)?);
    }

    let headless = scripts(false, filter)?;
    let windows = scripts(true, filter)?;
    if headless || windows {
        let engine = engine::find()?;
        addon::build(if release { Kind::Release } else { Kind::Dev })?;
        project::prepare(&engine)?;
        if headless {
            say("In-engine tests, headless");
            tally.add(session(&engine, "tests", filter, None)?);
        }
        if windows {
            say("In-engine tests with a window");
            let display = Display::start()?;
            tally.add(session(&engine, "tests_window", filter, Some(&display))?);
        }
    }
    if tally == Tally::default() {
        bail!(
            "No test's name contains \"{filter}\". In-engine tests are called test_file.test_function"
        );
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
    let entries =
        fs::read_dir(&folder).with_context(|| format!("Cannot read {}", folder.display()))?;
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
        let fits = text
            .lines()
            .filter_map(|line| line.strip_prefix("func ")?.split('(').next())
            .filter(|function| function.starts_with("test_"))
            .any(|function| format!("{file}.{function}").contains(filter));
        if fits {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs the in-engine tests of one kind, in as many processes as it takes.
fn session(engine: &Path, name: &str, filter: &str, display: Option<&Display>) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut after = String::new();
    loop {
        let run = Run {
            engine,
            name,
            arguments: arguments(filter, &after, display.is_some())?,
            display,
            limit: START_LIMIT,
            quiet: false,
        };
        let outcome = run.start()?;
        let watch = &outcome.watch;
        tally.add(Tally {
            passed: count(&watch.passed)?,
            failed: count(&watch.failed)?,
        });
        let last = watch.failed.last();
        match (watch.done, last) {
            // The runner ended because a test ran into its time limit, or the test took the process along.
            (false, Some(test)) if *test != after => {
                say(&format!("{test} ended the run: going on after it"));
                after.clone_from(test);
                // What the log says about the end of such a process is the test's doing.
                continue;
            }
            (true, _) if !watch.failed.is_empty() => {
                for problem in &watch.problems {
                    println!("FAILED {name}: in the log, outside any test: {problem}");
                }
                tally.failed += count(&watch.problems)?;
            }
            _ => {
                if let Err(error) = outcome.demand("The run", true) {
                    println!("FAILED {name}: {error:#}");
                    tally.failed += 1;
                }
            }
        }
        return Ok(tally);
    }
}

fn arguments(filter: &str, after: &str, window: bool) -> Result<Vec<String>> {
    let pictures = paths::target_folder("pictures")?;
    // As fast as it can, and the same in every run.
    let mut arguments = vec!["--fixed-fps".to_owned(), "60".to_owned()];
    if !window {
        arguments.push("--disable-render-loop".to_owned());
    }
    arguments.extend([
        "res://tests/runner.tscn".to_owned(),
        "--".to_owned(),
        format!("--filter={filter}"),
        format!("--after={after}"),
        format!("--pictures={}", pictures.display()),
    ]);
    Ok(arguments)
}

fn count(list: &[String]) -> Result<u32> {
    Ok(u32::try_from(list.len())?)
}
