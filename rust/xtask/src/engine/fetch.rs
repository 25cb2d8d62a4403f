//! Fetching Debian's Godot into a private prefix.
//!
//! The set is unpacked in a staging folder that gets its final name only when the engine in it has run, so an
//! interrupted fetch leaves nothing that looks like an engine. A lock lets a second process wait for the first.

use super::debian::{Suite, unpack};
use super::launcher;
use crate::say::{during, say};
use crate::system;
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Testing, and unstable for days on which testing is between two versions of a library.
const SUITES: [&str; 2] = ["forky", "sid"];

/// The engine, and what it needs to draw without a graphics card.
const ENGINE: [&str; 6] = ["godot", "libgl1", "libegl1", "libgl1-mesa-dri", "libglx-mesa0", "fontconfig"];

const TEMPLATES: [&str; 2] = ["godot-template-debug", "godot-template-release"];

/// The list of package files that a prefix was made from.
const MANIFEST: &str = "packages.txt";

/// Export templates and the scripts that start them.
pub struct Templates {
    /// The template with debug checks.
    pub debug: PathBuf,
    /// The template that games ship with.
    pub release: PathBuf,
}

/// Fetches the engine; its launcher.
pub fn engine(cache: &Path) -> Result<PathBuf> {
    let _lock = lock(cache)?;
    // Another process may have fetched it while this one waited.
    if let Some(engine) = super::newest(cache)? {
        return Ok(engine);
    }
    let prefix = from_any_suite(cache, "godot", |suite, staging| {
        let files = download(suite, &ENGINE)?;
        unpack_all(&files, &[], staging)?;
        let engine = launcher::write(staging, launcher::NAME, "usr/bin/godot", ".")?;
        if super::version_of(&engine).is_none() {
            bail!("The unpacked engine does not run");
        }
        suite.version("godot")
    })?;
    Ok(prefix.join(launcher::NAME))
}

/// Fetches the export templates that belong to the engine in `engine_prefix`.
pub fn templates(cache: &Path, engine_prefix: &Path) -> Result<Templates> {
    let engine_name = engine_prefix.file_name().context("The engine is in no folder")?.to_string_lossy().into_owned();
    let prefix = cache.join(engine_name.replacen("godot-", "templates-", 1));
    if !prefix.is_dir() {
        let _lock = lock(cache)?;
        if !prefix.is_dir() {
            let known = fs::read_to_string(engine_prefix.join(MANIFEST))?;
            let known: Vec<&str> = known.lines().collect();
            from_any_suite(cache, "templates", |suite, staging| {
                let files = download(suite, &TEMPLATES)?;
                unpack_all(&files, &known, staging)?;
                for name in TEMPLATES {
                    let program = format!("usr/bin/{name}");
                    launcher::write(staging, name, &program, &format!("../{engine_name}"))?;
                }
                let version = suite.version(TEMPLATES[0])?;
                if engine_name != format!("godot-{version}") {
                    bail!(
                        "The templates are {version}, and the engine is {engine_name}: delete the cache folder {} and fetch both anew",
                        cache.display()
                    );
                }
                Ok(version)
            })?;
        }
    }
    Ok(Templates { debug: prefix.join(TEMPLATES[0]), release: prefix.join(TEMPLATES[1]) })
}

/// Tries the suites in turn. `make` fills the staging folder and tells the version, which becomes part of the name.
fn from_any_suite(cache: &Path, name: &str, make: impl Fn(&Suite, &Path) -> Result<String>) -> Result<PathBuf> {
    for program in ["apt-get", "dpkg"] {
        if system::find(program).is_none() {
            bail!(
                "No Godot 4.4 or newer was found, and only a Debian system can fetch one: \
                 install it and set GODOT to its path"
            );
        }
    }
    let work = cache.join(".fetch");
    let mut failures = Vec::new();
    for suite in SUITES {
        // The lock is held: whatever lies here is left from an interrupted fetch.
        if work.exists() {
            fs::remove_dir_all(&work)?;
        }
        let staging = work.join("prefix");
        fs::create_dir_all(&staging)?;
        let title = format!("Reading the package lists of Debian's {suite}");
        let made = during(&title, || Suite::open(&work.join("apt"), suite)).and_then(|opened| make(&opened, &staging));
        match made {
            Ok(version) => {
                let prefix = cache.join(format!("{name}-{version}"));
                if prefix.exists() {
                    fs::remove_dir_all(&prefix)?;
                }
                fs::rename(&staging, &prefix).with_context(|| format!("Cannot make {}", prefix.display()))?;
                fs::remove_dir_all(&work)?;
                return Ok(prefix);
            }
            Err(error) => {
                say(&format!("Not from {suite}: {error:#}"));
                failures.push(format!("{suite}: {error:#}"));
            }
        }
    }
    bail!(
        "Godot could not be fetched. Check the network and `apt-get update`, or install Godot 4.4 or newer and set \
         GODOT to its path.\n{}",
        failures.join("\n")
    )
}

fn download(suite: &Suite, packages: &[&str]) -> Result<Vec<PathBuf>> {
    let title = format!("Downloading {} {} and what it needs (about 160 MB)", packages[0], suite.version(packages[0])?);
    during(&title, || suite.download(packages))
}

fn unpack_all(files: &[PathBuf], known: &[&str], staging: &Path) -> Result<()> {
    during(&format!("Unpacking {} packages", files.len()), || {
        let mut manifest = String::new();
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            manifest.push_str(&name);
            manifest.push('\n');
            if !known.contains(&name.as_ref()) {
                unpack(file, staging)?;
            }
        }
        fs::write(staging.join(MANIFEST), manifest)?;
        Ok(())
    })
}

/// One fetch at a time; the lock ends with the returned file.
fn lock(cache: &Path) -> Result<File> {
    let file = File::create(cache.join("fetch.lock"))?;
    if file.try_lock().is_err() {
        say("Another process is fetching: waiting for it");
        file.lock()?;
    }
    Ok(file)
}
