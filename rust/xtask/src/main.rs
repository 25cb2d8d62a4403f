//! `cargo xtask`: one tool that fetches the engine, builds, plays, tests and measures Supple.

mod engine;
mod paths;
mod say;
mod system;

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
        }
    }
    Ok(())
}
