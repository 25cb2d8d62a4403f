//! Building the library and putting it where the engine looks for it.
//!
//! The editor binary, which also runs projects from the command line, always loads the entry of `supple.gdextension`
//! with `debug` in its name, whichever way the library was optimised; export templates load the one of their own kind.
//! So the debug name holds the library for development, with in-editor help, and the release name the one that games
//! ship with.

use crate::cargo;
use crate::paths;
use anyhow::{Context, Result};
use std::env::consts::{ARCH, DLL_PREFIX, DLL_SUFFIX, OS};
use std::fs;
use std::path::{Path, PathBuf};

/// How the library is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Quick to build, with debug checks.
    Dev,
    /// Optimised, with in-editor help.
    Release,
    /// Optimised, for exported games.
    Template,
}

/// Builds the library and installs it into the addon folder.
pub fn build(kind: Kind) -> Result<()> {
    let export_folder = paths::target().join("export");
    let export_text = export_folder.to_string_lossy();
    let mut arguments = vec!["build", "--package", "supple-addon", "--lib"];
    let (title, built) = match kind {
        Kind::Dev => ("Building the addon (dev)", paths::target().join("debug")),
        Kind::Release => {
            arguments.push("--release");
            ("Building the addon (release)", paths::target().join("release"))
        }
        Kind::Template => {
            // A folder of its own: other features would otherwise rebuild everything each time.
            arguments.extend(["--release", "--no-default-features", "--features", "parallel,threads"]);
            arguments.extend(["--target-dir", &export_text]);
            ("Building the addon (for export templates)", export_folder.join("release"))
        }
    };
    cargo::run(title, &arguments, "Mend what the compiler names above")?;
    let library = built.join(format!("{DLL_PREFIX}supple{DLL_SUFFIX}"));
    install(&library, &installed_name(kind)?)
}

/// The file that `supple.gdextension` names for this machine and kind of build.
fn installed_name(kind: Kind) -> Result<PathBuf> {
    let file = paths::addon().join("supple.gdextension");
    let text = fs::read_to_string(&file).with_context(|| format!("Cannot read {}", file.display()))?;
    let build = match kind {
        Kind::Dev | Kind::Release => "debug",
        Kind::Template => "release",
    };
    let relative = library_entry(&text, build).with_context(|| {
        format!("supple.gdextension has no {OS}.{build} library for {ARCH}: add one under [libraries]")
    })?;
    Ok(paths::addon().join(relative))
}

/// The path of this machine's library in a `.gdextension` file.
fn library_entry<'a>(text: &'a str, build: &str) -> Option<&'a str> {
    let arch = match ARCH {
        "aarch64" => "arm64",
        other => other,
    };
    let keys = [format!("{OS}.{build}.{arch}"), format!("{OS}.{build}")];
    keys.iter().find_map(|key| {
        text.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            let value = value.trim().trim_matches('"');
            (name.trim() == key).then(|| value.trim_start_matches("./"))
        })
    })
}

/// Puts the library in place at once: an engine may have the old one mapped, and must not see a half-written one.
fn install(library: &Path, installed: &Path) -> Result<()> {
    let built = fs::metadata(library).with_context(|| format!("{} is missing after the build", library.display()))?;
    if let Ok(there) = fs::metadata(installed)
        && there.len() == built.len()
        && there.modified()? == built.modified()?
    {
        return Ok(());
    }
    let folder = installed.parent().context("The library belongs in no folder")?;
    fs::create_dir_all(folder)?;
    let half = folder.join(format!(".supple-{}", std::process::id()));
    fs::copy(library, &half).with_context(|| format!("Cannot write {}", half.display()))?;
    fs::File::options().write(true).open(&half)?.set_modified(built.modified()?)?;
    fs::rename(&half, installed)
        .with_context(|| format!("Cannot replace {}: close the editors that have it open", installed.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addon_names_a_library_for_this_machine() -> Result<()> {
        let debug = installed_name(Kind::Dev)?;
        let template = installed_name(Kind::Template)?;
        assert_ne!(debug, template);
        assert_eq!(debug, installed_name(Kind::Release)?);
        assert_eq!(debug.parent(), Some(paths::addon().join("bin").as_path()));
        Ok(())
    }
}
