//! Debian packages without installing them: apt with private state folders.
//!
//! apt is pointed at folders of our own, at a one-line sources list for one suite, and at an empty status file, so that
//! it resolves the whole set of dependencies. Nothing of the machine's own package state is read or changed, and no
//! rights are needed.

use crate::system;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The archive keys that the package `debian-archive-keyring` installs, by the names of its older and newer versions.
const KEYRINGS: [&str; 2] =
    ["/usr/share/keyrings/debian-archive-keyring.gpg", "/usr/share/keyrings/debian-archive-keyring.pgp"];

/// A view of one Debian suite.
pub struct Suite {
    folder: PathBuf,
}

impl Suite {
    /// Prepares the folders and reads the suite's package lists.
    pub fn open(folder: &Path, suite: &str) -> Result<Self> {
        for needed in ["state/lists/partial", "cache/archives/partial", "none"] {
            fs::create_dir_all(folder.join(needed))?;
        }
        fs::write(folder.join("status"), "")?;
        let source = format!("deb [target=Packages signed-by={}] {} {suite} main\n", keyring()?, mirror()?);
        fs::write(folder.join("sources.list"), source)?;
        let opened = Self { folder: folder.to_path_buf() };
        opened.apt("apt-get", &["update"]).with_context(|| format!("The package lists of {suite} cannot be read"))?;
        Ok(opened)
    }

    /// The version that would be installed of a package.
    pub fn version(&self, package: &str) -> Result<String> {
        let shown = self.apt("apt-cache", &["show", "--no-all-versions", package])?;
        shown
            .lines()
            .find_map(|line| line.strip_prefix("Version: "))
            .map(str::to_owned)
            .with_context(|| format!("{package} has no version"))
    }

    /// Downloads packages with all they depend on; the files.
    pub fn download(&self, packages: &[&str]) -> Result<Vec<PathBuf>> {
        let mut arguments = vec!["install", "-y", "--download-only"];
        arguments.extend(packages);
        self.apt("apt-get", &arguments).context("The packages do not resolve or cannot be downloaded")?;
        let mut files = Vec::new();
        for entry in fs::read_dir(self.folder.join("cache/archives"))? {
            let file = entry?.path();
            if file.extension().is_some_and(|extension| extension == "deb") {
                files.push(file);
            }
        }
        files.sort();
        if files.is_empty() {
            bail!("apt downloaded nothing");
        }
        Ok(files)
    }

    fn apt(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let inside = |path: &str| self.folder.join(path).display().to_string();
        let settings = [
            format!("Dir::State={}", inside("state")),
            format!("Dir::State::status={}", inside("status")),
            format!("Dir::Cache={}", inside("cache")),
            format!("Dir::Etc::sourcelist={}", inside("sources.list")),
            format!("Dir::Etc::sourceparts={}", inside("none")),
            format!("Dir::Etc::preferences={}", inside("none/preferences")),
            format!("Dir::Etc::preferencesparts={}", inside("none")),
            "Acquire::Languages=none".to_owned(),
            "Acquire::Retries=3".to_owned(),
            "APT::Install-Recommends=false".to_owned(),
            // As root, apt would otherwise download as a user who cannot write to a private folder.
            "APT::Sandbox::User=root".to_owned(),
        ];
        let mut command = Command::new(program);
        for setting in settings {
            command.arg("-o").arg(setting);
        }
        let output = command
            .args(arguments)
            .stdin(Stdio::null())
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("LC_ALL", "C")
            .output()
            .with_context(|| format!("{program} does not start"))?;
        if !output.status.success() {
            bail!("{program} {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Unpacks a package file below a folder.
pub fn unpack(package: &Path, into: &Path) -> Result<()> {
    let status = Command::new("dpkg").arg("-x").args([package, into]).status().context("dpkg does not start")?;
    if !status.success() {
        bail!("{} cannot be unpacked: is the disk full?", package.display());
    }
    Ok(())
}

/// The mirror that the machine itself is set up with; the security archive does not hold the testing suite.
fn mirror() -> Result<String> {
    let listed =
        system::run_text("apt-get", &["indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"])
            .context("apt's own sources cannot be read")?;
    // The origin is known only after an `apt-get update`: prefer Debian's, else take what does not look like security.
    let mirrors =
        || listed.lines().filter_map(|line| line.split_once(' ')).filter(|(_, mirror)| !mirror.contains("-security"));
    mirrors()
        .find(|(origin, _)| *origin == "Debian")
        .or_else(|| mirrors().next())
        .map(|(_, mirror)| mirror.to_owned())
        .context("apt knows no Debian mirror: install Godot 4.4 or newer and set GODOT to its path")
}

fn keyring() -> Result<&'static str> {
    let there = || KEYRINGS.into_iter().find(|file| Path::new(file).is_file());
    if let Some(file) = there() {
        return Ok(file);
    }
    system::install("debian-archive-keyring")?;
    there().context("debian-archive-keyring is installed, and its keys are not where they should be")
}
