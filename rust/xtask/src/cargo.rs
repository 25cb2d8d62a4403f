//! Running cargo.

use crate::paths;
use crate::say::Progress;
use anyhow::{Context, Result, bail};
use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Tests that ran, of any kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many passed.
    pub passed: u32,
    /// How many failed.
    pub failed: u32,
}

impl Tally {
    /// Adds another tally to this one.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Runs cargo; an error with `remedy` unless it succeeds.
pub fn run(title: &str, arguments: &[&str], remedy: &str) -> Result<()> {
    let _progress = Progress::start(title);
    let status = cargo(arguments).status().context("cargo does not start: is Rust installed?")?;
    if !status.success() {
        bail!("`cargo {}` failed. {remedy}", arguments.join(" "));
    }
    Ok(())
}

/// Runs `cargo test` and counts what its harnesses report. Failed tests are no error, a failed build is.
pub fn test(title: &str, arguments: &[&str]) -> Result<Tally> {
    let _progress = Progress::start(title);
    let mut child = cargo(&["test", "--no-fail-fast"])
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .context("cargo does not start: is Rust installed?")?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line?;
            println!("{line}");
            if let Some(counted) = read_result(&line) {
                tally.add(counted);
            }
        }
    }
    let status = child.wait()?;
    if !status.success() && tally.failed == 0 {
        bail!("`cargo test {}` failed before its tests ran", arguments.join(" "));
    }
    Ok(tally)
}

fn cargo(arguments: &[&str]) -> Command {
    // Cargo tells its path to what it runs.
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(paths::root()).stdin(Stdio::null());
    // Set by the cargo that runs this tool, for the tool's own package: not for what it builds.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// `test result: ok. 5 passed; 0 failed; …`
fn read_result(line: &str) -> Option<Tally> {
    let counts = line.strip_prefix("test result: ")?;
    let (_, counts) = counts.split_once(". ")?;
    let count = |word: &str| {
        counts.split("; ").find_map(|part| part.strip_suffix(word)).and_then(|number| number.trim().parse().ok())
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_the_harness_are_counted() {
        let line = "test result: FAILED. 5 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
        let counted = Tally { passed: 5, failed: 2 };
        assert_eq!(read_result(line), Some(counted));
        assert_eq!(read_result("test a ... ok"), None);
    }
}
