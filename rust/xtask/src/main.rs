//! `cargo xtask`: one tool that fetches the engine, builds, plays, tests and measures Supple.

mod addon;
mod cargo;
mod engine;
mod godot;
mod paths;
mod project;
mod say;
mod system;
mod tests;

use addon::Kind;
use anyhow::Result;
use clap::{Parser, Subcommand};

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
    /// Runs the tests: Rust, in the engine, and in windows. Closes with `N passed, N failed`.
    Test {
        /// Only tests whose name contains this.
        filter: Option<String>,
        /// Test the optimised build of the addon inside the engine.
        #[arg(long)]
        release: bool,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().command {
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
        Task::Test { filter, release } => tests::close(tests::run(filter.as_deref(), release)?),
    }
}
