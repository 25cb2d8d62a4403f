//! The script that starts a program of an unpacked prefix.
//!
//! The engine's packages need a newer C library than the machine may have. Started through the prefix's own loader, with
//! the prefix's libraries, they run on any Linux; an extension that was built on the machine loads in them.

use anyhow::{Context, Result, bail};
use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the launcher of the engine itself.
pub const NAME: &str = "godot";

/// Writes `folder/name`, which starts `program` (a path below `folder`) with libraries below `folder` and, as a path
/// relative to it, `also`.
pub fn write(folder: &Path, name: &str, program: &str, also: &str) -> Result<PathBuf> {
    let (triple, loader) = match ARCH {
        "x86_64" => ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
        "aarch64" => ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
        other => bail!("No engine for {other} can be fetched: set GODOT to the path of one"),
    };
    // The paths are worked out at run time, so that the cache folder can be moved.
    let script = format!(
        r#"#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
base="$here/{also}"
lib="$base/usr/lib/{triple}"
export LIBGL_DRIVERS_PATH="$lib/dri"
export GBM_BACKENDS_PATH="$lib/gbm"
export __EGL_VENDOR_LIBRARY_DIRS="$base/usr/share/glvnd/egl_vendor.d"
export FONTCONFIG_PATH="$base/etc/fonts"
exec "$lib/{loader}" --library-path "$here/usr/lib/{triple}:$lib:$lib/pulseaudio" "$here/{program}" "$@"
"#
    );
    let file = folder.join(name);
    fs::write(&file, script).with_context(|| format!("Cannot write {}", file.display()))?;
    // Only Linux gets as far as here; the tool must compile elsewhere too.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755))?;
    }
    Ok(file)
}
