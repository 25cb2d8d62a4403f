//! Settings of the project for a run of tests.

use crate::say::say;
use anyhow::{Context, Result};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Settings that the engine reads after those of the project. A developer may have some of their own.
pub const OVERRIDE: &str = "override.cfg";

/// The line between a developer's own settings and ours, in their file.
const MARK: &str = "\n; From here on written by `cargo xtask test`, which takes it away after the run.\n";

/// Settings of the project that hold as long as this lives: added to the file of the developer's own, if there is one.
pub struct Override(PathBuf);

impl Override {
    pub fn with(path: &Path, text: &str) -> Result<Override> {
        Override::restore(path)?;
        let own = read_if_there(path)?.unwrap_or_default();
        // Of two values of a key the engine takes the last.
        let both = [&own, MARK.as_bytes(), text.as_bytes()].concat();
        fs::write(path, both).with_context(|| format!("Cannot write {}", path.display()))?;
        Ok(Override(path.to_owned()))
    }

    /// Takes away what this or a killed run has added.
    pub fn restore(path: &Path) -> Result<()> {
        let Some(text) = read_if_there(path)? else { return Ok(()) };
        match text.windows(MARK.len()).position(|part| part == MARK.as_bytes()) {
            None => Ok(()),
            Some(0) => fs::remove_file(path).with_context(|| format!("Cannot remove {}", path.display())),
            Some(own) => fs::write(path, &text[..own]).with_context(|| format!("Cannot write {}", path.display())),
        }
    }
}

impl Drop for Override {
    fn drop(&mut self) {
        if let Err(error) = Override::restore(&self.0) {
            say(&format!("Take our settings out of {} by hand: {error:#}", self.0.display()));
        }
    }
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("Cannot read {}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_run_come_and_go_and_those_of_a_developer_stay() {
        let path = std::env::temp_dir().join(format!("supple_override_{}.cfg", std::process::id()));
        let _ = fs::remove_file(&path);
        drop(Override::with(&path, "[physics]\n").expect("written"));
        assert!(!path.exists());
        for own in ["[display]\n\nwindow/size/mode=3\n", "no line end"] {
            fs::write(&path, own).expect("written");
            let settings = Override::with(&path, "[physics]\n").expect("written");
            let both = fs::read_to_string(&path).expect("read");
            assert!(both.starts_with(own) && both.ends_with("[physics]\n"));
            // A killed run leaves it so.
            std::mem::forget(settings);
            drop(Override::with(&path, "[physics]\n").expect("written"));
            assert_eq!(fs::read_to_string(&path).expect("read"), own);
            Override::restore(&path).expect("nothing to do");
            assert_eq!(fs::read_to_string(&path).expect("read"), own);
        }
        fs::remove_file(&path).expect("removed");
        // Killed, and nothing of the developer's own.
        std::mem::forget(Override::with(&path, "[physics]\n").expect("written"));
        Override::restore(&path).expect("removed");
        assert!(!path.exists());
    }
}
