//! Making the demo project ready to run: the addon in it, and its files imported.

use crate::godot::{Run, Show};
use crate::paths;
use crate::say::{during, say};
use anyhow::{Context, Result};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

/// An import that takes longer hangs.
const IMPORT_LIMIT: Duration = Duration::from_secs(180);

/// Links or copies the addon into the project, and imports it when something that an import depends on has changed.
pub fn prepare(engine: &Path) -> Result<()> {
    // One import at a time: two runs share the project's `.godot` folder.
    let lock = fs::File::create(paths::target_folder("logs")?.join("import.lock"))?;
    lock.lock()?;
    link()?;
    let state = paths::project().join(".godot");
    fs::create_dir_all(&state)?;
    // Without this list a first import ends with an abort: the engine finds the extension while it imports.
    fs::write(state.join("extension_list.cfg"), "res://addons/supple/supple.gdextension\n")?;
    let stamp = state.join("supple_imported");
    let now = fingerprint(engine)?;
    if fs::read_to_string(&stamp).is_ok_and(|known| known == now) {
        return Ok(());
    }
    during("Importing the project", || {
        let import = Run {
            engine,
            name: "import",
            arguments: vec!["--import".to_owned()],
            display: None,
            limit: IMPORT_LIMIT,
            show: Show::OnTrouble,
        };
        import.start()?.demand("The import", false)
    })?;
    // The import itself adds `.import` and `.uid` files.
    fs::write(&stamp, fingerprint(engine)?)?;
    Ok(())
}

/// `godot_project/addons` is a link to `addons`; where the checkout could not make one, a copy.
fn link() -> Result<()> {
    let inside = paths::project().join("addons");
    if inside.is_symlink() && inside.join("supple").is_dir() {
        return Ok(());
    }
    // A checkout without links leaves a small text file in its place.
    if inside.is_file() || (inside.is_symlink() && !inside.exists()) {
        fs::remove_file(&inside)?;
    }
    #[cfg(unix)]
    if !inside.exists() && std::os::unix::fs::symlink("../addons", &inside).is_ok() {
        return Ok(());
    }
    say("Copying the addon into the project, where links do not work");
    copy(&paths::root().join("addons"), &inside)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).with_context(|| format!("Cannot write {}", target.display()))?;
        }
    }
    Ok(())
}

/// What an import depends on: the engine, the assets, and which classes the scripts name.
fn fingerprint(engine: &Path) -> Result<String> {
    let mut files = files_below(&paths::project())?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    engine.hash(&mut hasher);
    for file in files {
        file.hash(&mut hasher);
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("gd") => {
                let text = fs::read_to_string(&file)?;
                text.lines()
                    .filter(|line| line.starts_with("class_name") || line.starts_with("extends"))
                    .for_each(|line| line.hash(&mut hasher));
            }
            // Scenes are not imported.
            Some("tscn" | "godot") => {}
            _ => {
                let data = fs::metadata(&file)?;
                data.len().hash(&mut hasher);
                let changed = data.modified()?.duration_since(UNIX_EPOCH)?;
                changed.hash(&mut hasher);
            }
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// All files of the project, but for the engine's own state and the built library.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("Cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if path.is_file() {
                files.push(path);
            } else if path.is_dir() && name != ".godot" && name != "bin" {
                folders.push(path);
            }
        }
    }
    Ok(files)
}
