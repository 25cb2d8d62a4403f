//! `cargo xtask check`: all that has to hold before a change is merged, the cheap first.

use crate::cargo::{self, Tally};
use crate::gdscript;
use crate::paths;
use crate::system;
use crate::tests;
use anyhow::{Context, Result, bail};
use std::fs;

/// The largest file that belongs into the repository.
const LARGEST_FILE: u64 = 1_000_000;

/// Runs all checks, and the tests last.
pub fn run() -> Result<Tally> {
    small_files()?;
    cargo::run("Checking the format of Rust", &["fmt", "--all", "--check"], "Run `cargo fmt`")?;
    gdscript::check()?;
    cargo::run(
        "Linting Rust",
        &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        "Mend what is named above",
    )?;
    cargo::run(
        "Linting the core without threads",
        &["clippy", "--package", "supple-sim", "--no-default-features", "--", "-D", "warnings"],
        "Mend what is named above",
    )?;
    tests::run(None, false)
}

/// No file that git holds, or would hold, is large.
fn small_files() -> Result<()> {
    let root = paths::root();
    let folder = root.to_string_lossy();
    let arguments = ["-C", &folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = system::run_text("git", &arguments).context("git cannot list the files")?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        // A deleted file may still be listed.
        let Ok(data) = fs::symlink_metadata(root.join(name)) else {
            continue;
        };
        if data.len() > LARGEST_FILE {
            bail!("{name} is larger than 1 MB: make it smaller, or leave it out of the repository");
        }
    }
    Ok(())
}
