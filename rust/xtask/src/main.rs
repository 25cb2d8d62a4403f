//! `cargo xtask`: one tool that fetches the engine, builds, plays, tests and measures Supple.

mod addon;
mod bench;
mod cargo;
mod check;
mod demo;
mod engine;
mod gdscript;
mod godot;
mod overriding;
mod paths;
mod project;
mod say;
mod system;
mod tests;

use addon::Kind;
use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Builds, plays, tests and measures Supple.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Prints the path of a Godot 4.4 or newer; fetches one when there is none.
    Godot {
        /// Fetch the export templates too.
        #[arg(long)]
        templates: bool,
    },
    /// Builds the addon for this machine and makes the demo project ready to open.
    Build {
        /// Optimised.
        #[arg(long)]
        release: bool,
        /// Also build the library that exported games load.
        #[arg(long, requires = "release")]
        templates: bool,
    },
    /// Opens the demos, or plays them off screen with pictures where there is no display.
    Demo {
        /// Only this one.
        name: Option<String>,
    },
    /// Runs the tests: Rust, in the engine, and in windows. Closes with `N passed, N failed`.
    Test {
        /// Only tests whose name contains this.
        filter: Option<String>,
        /// Test the optimised build of the addon inside the engine.
        #[arg(long)]
        release: bool,
    },
    /// Measures scenes in the engine, in the optimised build.
    Bench {
        /// Only this one.
        name: Option<String>,
        /// Measure the core too.
        #[arg(long)]
        core: bool,
    },
    /// All that has to hold before a change is merged: format, lints, file sizes, tests.
    Check,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Godot { templates } => {
            if templates {
                let templates = engine::templates()?;
                println!("{}", templates.debug.display());
                println!("{}", templates.release.display());
            }
            println!("{}", engine::find()?.display());
            Ok(())
        }
        Task::Build { release, templates } => {
            addon::build(if release { Kind::Release } else { Kind::Dev })?;
            if templates {
                addon::build(Kind::Template)?;
            }
            project::prepare(&engine::find()?)
        }
        Task::Demo { name } => demo::run(name.as_deref()),
        Task::Bench { name, core } => bench::run(name.as_deref(), core),
        Task::Check => tests::close(check::run()?),
        Task::Test { filter, release } => tests::close(tests::run(filter.as_deref(), release)?),
    }
}
