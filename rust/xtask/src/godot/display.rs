//! A screen for windows on a machine that has none.

use crate::system;
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// Larger than the demo project's window.
const SCREEN: &str = "1280x800x24";

/// An Xvfb server; it ends when dropped.
pub struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts a server on a free display number; installs Xvfb when it is missing.
    pub fn start() -> Result<Self> {
        system::need("Xvfb", "xvfb")?;
        let mut server = Command::new("Xvfb")
            // The server picks a free number and tells it: no races between two runs.
            .args(["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb does not start")?;
        let mut number = String::new();
        if let Some(output) = server.stdout.take() {
            BufReader::new(output).read_line(&mut number)?;
        }
        let mut display = Self { server, name: format!(":{}", number.trim()) };
        if number.trim().is_empty() {
            display.stop();
            bail!("Xvfb ended at once: run `Xvfb -displayfd 1` to see why");
        }
        Ok(display)
    }

    /// What belongs into `$DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn stop(&mut self) {
        // It may have ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.stop();
    }
}
