//! Formatting and linting GDScript, with gdtoolkit in a private Python environment in the cache folder.

use crate::paths;
use crate::project;
use crate::say::{during, say};
use crate::system;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pinned: another version formats differently.
const VERSION: &str = "4.5.0";

/// Fails unless all scripts of the demo project are formatted and clean.
pub fn check() -> Result<()> {
    let scripts: Vec<PathBuf> = project::files_below(&paths::project())?
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "gd"))
        .collect();
    if scripts.is_empty() {
        return Ok(());
    }
    let tools = environment()?.join("bin");
    during("Checking the format of GDScript", || {
        let remedy = format!("Run {} on the files named above", tools.join("gdformat").display());
        run(&tools.join("gdformat"), &["--check"], &scripts, &remedy)
    })?;
    during("Linting GDScript", || run(&tools.join("gdlint"), &[], &scripts, "Mend what is named above"))
}

fn run(tool: &Path, arguments: &[&str], scripts: &[PathBuf], remedy: &str) -> Result<()> {
    let status = Command::new(tool)
        .args(arguments)
        .args(scripts)
        // The linter's settings lie there.
        .current_dir(paths::project())
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("{} does not start", tool.display()))?;
    if !status.success() {
        bail!("{} found faults. {remedy}", tool.display());
    }
    Ok(())
}

/// The Python environment, made when it is not there.
fn environment() -> Result<PathBuf> {
    let cache = paths::cache()?;
    let folder = cache.join(format!("gdtoolkit-{VERSION}"));
    let complete = folder.join("complete");
    let lock = File::create(cache.join("gdtoolkit.lock"))?;
    lock.lock()?;
    // The programs in it exist as long as the Python that made it does.
    if complete.is_file() && system::run_text(folder.join("bin/gdlint"), &["--version"]).is_some() {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    during(&format!("Installing gdtoolkit {VERSION}"), || {
        if !make("python3", &folder) {
            system::install("python3-venv")?;
            fs::remove_dir_all(&folder).ok();
            if !make("/usr/bin/python3", &folder) {
                bail!("No Python environment can be made: see `python3 -m venv`");
            }
        }
        let package = format!("gdtoolkit=={VERSION}");
        let installed = Command::new(folder.join("bin/python"))
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .arg(&package)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .context("pip does not start")?;
        if !installed.success() {
            bail!("`pip install {package}` failed: is PyPI reached from here?");
        }
        fs::write(&complete, "")?;
        Ok(())
    })?;
    Ok(folder)
}

fn make(python: &str, folder: &Path) -> bool {
    let output = Command::new(python).args(["-m", "venv"]).arg(folder).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            say(String::from_utf8_lossy(&output.stdout).trim());
            false
        }
        Err(_) => false,
    }
}
