//! The folders that the commands work in.

use anyhow::{Context, Result};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The repository's root.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// The demo project, which also holds the in-engine tests.
pub fn project() -> PathBuf {
    root().join("godot_project")
}

/// The addon as users install it.
pub fn addon() -> PathBuf {
    root().join("addons").join("supple")
}

/// Where cargo builds, and where pictures and logs go.
pub fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// A folder below `target`, made when it is not there.
pub fn target_folder(name: &str) -> Result<PathBuf> {
    made(target().join(name))
}

/// What should outlive a clone: the fetched engine and the Python tools. Below `$XDG_CACHE_HOME` or `~/.cache`.
pub fn cache() -> Result<PathBuf> {
    let base = match env::var_os("XDG_CACHE_HOME").filter(|folder| Path::new(folder).is_absolute()) {
        Some(folder) => PathBuf::from(folder),
        None => env::home_dir()
            .context("No home folder is known: set XDG_CACHE_HOME to a folder to keep the engine in")?
            .join(".cache"),
    };
    made(base.join("supple"))
}

fn made(folder: PathBuf) -> Result<PathBuf> {
    fs::create_dir_all(&folder).with_context(|| format!("Cannot make {}", folder.display()))?;
    Ok(folder)
}
