//! `cargo xtask demo`: opens the demos in a window, or plays them off screen where there is none.

use crate::addon::{self, Kind};
use crate::engine;
use crate::godot::display::Display;
use crate::godot::{Run, Show};
use crate::paths;
use crate::project;
use crate::say::{during, say};
use anyhow::{Context, Result, bail};
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Drawing in software takes long; a scene that takes longer than this hangs.
const LIMIT_PER_DEMO: Duration = Duration::from_secs(180);

/// Opens the project, or the demo of this name.
pub fn run(name: Option<&str>) -> Result<()> {
    let demos = list()?;
    if let Some(name) = name.filter(|name| !demos.iter().any(|demo| demo == name)) {
        bail!("There is no demo {name}. There are: {}", demos.join(", "));
    }
    if demos.is_empty() {
        say("There are no demos yet: a demo is a scene godot_project/demos/NAME/NAME.tscn");
        return Ok(());
    }
    let engine = engine::find()?;
    addon::build(Kind::Release)?;
    project::prepare(&engine)?;
    let on_screen = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .into_iter()
            .any(|variable| env::var_os(variable).is_some_and(|value| !value.is_empty()));
    if on_screen {
        open(&engine, name)
    } else {
        let count = u32::try_from(name.map_or(demos.len(), |_| 1))?;
        tour(&engine, name, count)
    }
}

/// The demos, in order.
fn list() -> Result<Vec<String>> {
    let folder = paths::project().join("demos");
    let Ok(entries) = fs::read_dir(&folder) else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().join(format!("{name}.tscn")).is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn open(engine: &Path, name: Option<&str>) -> Result<()> {
    let mut command = Command::new(engine);
    command.arg("--path").arg(paths::project());
    match name {
        Some(name) => {
            command.arg(format!("res://demos/{name}/{name}.tscn"));
        }
        None if !has_main_scene()? => {
            // Without a scene to start with, the editor shows the project.
            command.arg("--editor");
        }
        None => {}
    }
    say("Opening a window: close it to come back");
    let status = command.status().with_context(|| format!("{} does not start", engine.display()))?;
    if !status.success() {
        bail!("The engine ended with {status}");
    }
    Ok(())
}

fn has_main_scene() -> Result<bool> {
    let settings = fs::read_to_string(paths::project().join("project.godot"))?;
    Ok(settings.lines().any(|line| line.starts_with("run/main_scene=")))
}

/// Plays the demos under Xvfb, with pictures.
fn tour(engine: &Path, name: Option<&str>, count: u32) -> Result<()> {
    say("There is no display: playing the demos off screen");
    let pictures = paths::target_folder("tour")?;
    let display = Display::start()?;
    let run = Run {
        engine,
        name: "tour",
        arguments: vec![
            "--fixed-fps".to_owned(),
            "60".to_owned(),
            "res://tour/tour.tscn".to_owned(),
            "--".to_owned(),
            format!("--only={}", name.unwrap_or("")),
            format!("--pictures={}", pictures.display()),
        ],
        display: Some(&display),
        limit: LIMIT_PER_DEMO * count,
        show: Show::Always,
    };
    during("Playing", || run.start())?.demand("The tour", true)?;
    say(&format!("Pictures are in {}", pictures.display()));
    Ok(())
}
