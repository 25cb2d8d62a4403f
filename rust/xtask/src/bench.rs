//! `cargo xtask bench`: measures whole scenes in the engine, and the core alone.
//!
//! A bench is a scene `godot_project/bench/NAME.tscn` that prints its report and quits. When the first line of
//! `NAME.gd` is `# godot: …`, the words after the colon are further arguments for the engine.

use crate::addon::{self, Kind};
use crate::cargo;
use crate::engine;
use crate::godot::{Run, Show};
use crate::paths;
use crate::project;
use crate::say::say;
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A bench that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(600);

/// What asks for engine arguments in the first line of a bench's script.
const ARGUMENTS: &str = "# godot:";

/// Runs the bench of this name, or all, and with `core` the core's own.
pub fn run(name: Option<&str>, core: bool) -> Result<()> {
    if core {
        let remedy = "Mend what is named above";
        cargo::run("Measuring the core", &["bench", "--package", "supple-sim"], remedy)?;
    }
    let benches = list()?;
    if let Some(name) = name.filter(|name| !benches.iter().any(|bench| bench == name)) {
        bail!("There is no bench {name}. There are: {}", benches.join(", "));
    }
    let chosen: Vec<&str> = match name {
        Some(name) => vec![name],
        None => benches.iter().map(String::as_str).collect(),
    };
    if chosen.is_empty() {
        say("There are no benches yet: a bench is a scene godot_project/bench/NAME.tscn");
        return Ok(());
    }
    let engine = engine::find()?;
    addon::build(Kind::Release)?;
    project::prepare(&engine)?;
    for bench in chosen {
        measure(&engine, bench)?;
    }
    Ok(())
}

fn list() -> Result<Vec<String>> {
    let mut names = Vec::new();
    if let Ok(entries) = fs::read_dir(paths::project().join("bench")) {
        for entry in entries {
            let path = entry?.path();
            let is_scene = path.extension().is_some_and(|extension| extension == "tscn");
            if let Some(name) = path.file_stem().filter(|_| is_scene) {
                names.push(name.to_string_lossy().into_owned());
            }
        }
    }
    names.sort();
    Ok(names)
}

fn measure(engine: &Path, name: &str) -> Result<()> {
    let script = paths::project().join("bench").join(format!("{name}.gd"));
    let text = fs::read_to_string(script).unwrap_or_default();
    let mut arguments = extra_arguments(&text);
    arguments.push(format!("res://bench/{name}.tscn"));
    say(&format!("Bench {name}"));
    let run =
        Run { engine, name: &format!("bench_{name}"), arguments, display: None, limit: LIMIT, show: Show::Always };
    run.start()?.demand(&format!("Bench {name}"), false)
}

fn extra_arguments(script: &str) -> Vec<String> {
    let first = script.lines().next().and_then(|line| line.strip_prefix(ARGUMENTS));
    first.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bench_asks_for_engine_arguments_in_its_first_line() {
        assert_eq!(extra_arguments("# godot: --fixed-fps 60\nextends Node"), ["--fixed-fps", "60"]);
        assert!(extra_arguments("extends Node\n# godot: --fixed-fps 60").is_empty());
    }
}
