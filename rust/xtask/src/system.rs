//! Programs of the machine that a command needs, and how to get them.

use crate::say::{during, say};
use anyhow::{Result, bail};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Finds a program on the PATH.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Makes sure that a program is there: installs Debian's `package` when this user may do so, and otherwise says how.
pub fn need(program: &str, package: &str) -> Result<()> {
    if find(program).is_some() {
        return Ok(());
    }
    install(package)?;
    if find(program).is_none() {
        bail!("`{program}` is still missing after installing `{package}`: install it by hand");
    }
    Ok(())
}

/// Installs one of Debian's packages.
pub fn install(package: &str) -> Result<()> {
    let by_hand = format!("apt-get update && apt-get install -y {package}");
    if find("apt-get").is_none() {
        bail!("`{package}` is needed and this is not a Debian system: install what your system calls it");
    }
    let Some(prefix) = rights() else {
        bail!("`{package}` is needed. Run as root:\n    {by_hand}");
    };
    let apt = |arguments: &[&str]| {
        let mut words = prefix.to_vec();
        words.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]);
        words.extend(arguments);
        quiet(&words)
    };
    during(&format!("Installing {package}"), || {
        let arguments = ["install", "-y", "--no-install-recommends", package];
        // The package lists may be missing or stale: refresh them only when needed.
        let done = apt(&arguments) || (apt(&["update"]) && apt(&arguments));
        if !done {
            bail!("Installing {package} failed. Try by hand as root:\n    {by_hand}");
        }
        Ok(())
    })
}

/// The words to put before a command to run it as root: none, `sudo -n`, or no way.
fn rights() -> Option<&'static [&'static str]> {
    if run_text("id", &["-u"]).as_deref() == Some("0") {
        return Some(&[]);
    }
    let sudo = find("sudo").is_some() && quiet(&["sudo", "-n", "true"]);
    sudo.then_some(&["sudo", "-n"])
}

/// Runs a command, shows what it printed only when it fails.
fn quiet(words: &[&str]) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => true,
        Ok(output) => {
            say(String::from_utf8_lossy(&output.stderr).trim());
            false
        }
        Err(error) => {
            say(&format!("{program}: {error}"));
            false
        }
    }
}

/// The trimmed output of a command that succeeds.
pub fn run_text(program: impl AsRef<Path>, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program.as_ref()).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
