//! Which Godot the commands use.
//!
//! `$GODOT`, then `godot4` and `godot` on the PATH, and where none of them is 4.4 or newer, Debian's own build, fetched
//! once into the user's cache folder (see [`fetch`]).

mod debian;
mod fetch;
mod launcher;

use crate::paths;
use crate::say::say;
use crate::system;
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

pub use fetch::Templates;

/// The oldest engine that the addon supports: `compatibility_minimum` in `supple.gdextension`.
const OLDEST: Version = Version(4, 4);

/// An engine's major and minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Version(u32, u32);

/// The path of an executable that behaves like `godot`, fetched when there is none.
pub fn find() -> Result<PathBuf> {
    if let Some(named) = env::var_os("GODOT").filter(|name| !name.is_empty()) {
        let engine = PathBuf::from(named);
        return match version_of(&engine) {
            Some(version) if version >= OLDEST => Ok(engine),
            Some(version) => bail!(
                "$GODOT is {}.{}: Supple needs 4.4 or newer. Unset it, and a fitting engine is fetched",
                version.0,
                version.1
            ),
            None => bail!("$GODOT ({}) does not run as Godot. Unset it, and an engine is fetched", engine.display()),
        };
    }
    for name in ["godot4", "godot"] {
        let Some(engine) = system::find(name) else {
            continue;
        };
        match version_of(&engine) {
            Some(version) if version >= OLDEST => return Ok(engine),
            _ => say(&format!("{} is older than 4.4: passed over", engine.display())),
        }
    }
    match cached()? {
        Some(engine) => Ok(engine),
        None => fetch::engine(&paths::cache()?),
    }
}

/// The export templates of the fetched engine, for both kinds of build.
pub fn templates() -> Result<Templates> {
    let cache = paths::cache()?;
    let engine = match cached()? {
        Some(engine) => engine,
        None => fetch::engine(&cache)?,
    };
    let prefix = engine.parent().context("The engine is in no folder")?;
    fetch::templates(&cache, prefix)
}

/// The newest complete engine in the cache folder.
fn cached() -> Result<Option<PathBuf>> {
    newest(&paths::cache()?)
}

fn newest(cache: &Path) -> Result<Option<PathBuf>> {
    let mut best: Option<(Version, PathBuf)> = None;
    let entries = fs::read_dir(cache).with_context(|| format!("Cannot read {}", cache.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        // A folder gets this name only when it is complete.
        let Some(version) = name.to_string_lossy().strip_prefix("godot-").and_then(parse) else {
            continue;
        };
        let launcher = entry.path().join(launcher::NAME);
        let better = best.as_ref().is_none_or(|(known, _)| version > *known);
        if version >= OLDEST && better && launcher.is_file() {
            best = Some((version, launcher));
        }
    }
    Ok(best.map(|(_, launcher)| launcher))
}

fn version_of(engine: &Path) -> Option<Version> {
    // The engine may print warnings first; the version stands on the last line.
    let printed = system::run_text(engine, &["--version"])?;
    parse(printed.lines().last()?)
}

fn parse(text: &str) -> Option<Version> {
    let mut numbers = text.split(['.', '-', '+', '~']);
    let major = numbers.next()?.parse().ok()?;
    let minor = numbers.next()?.parse().ok()?;
    Some(Version(major, minor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_engines_and_packages_are_read() {
        assert_eq!(parse("4.6.3.stable.debian"), Some(Version(4, 6)));
        assert_eq!(parse("4.6.3+ds-2"), Some(Version(4, 6)));
        assert_eq!(parse("4.10-stable"), Some(Version(4, 10)));
        assert_eq!(parse("Godot"), None);
        assert!(Version(4, 10) > Version(4, 4));
    }

    #[test]
    fn an_interrupted_fetch_is_no_engine() -> Result<()> {
        let cache = paths::target_folder("xtask-tests/interrupted")?;
        fs::remove_dir_all(&cache)?;
        fs::create_dir_all(cache.join("godot-4.6.1"))?;
        fs::create_dir_all(cache.join(".fetch-1/godot-4.9"))?;
        assert_eq!(newest(&cache)?, None);
        fs::write(cache.join("godot-4.6.1").join(launcher::NAME), "")?;
        assert!(newest(&cache)?.is_some());
        Ok(())
    }
}
