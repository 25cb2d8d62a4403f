//! Running the engine and watching what it prints.

pub mod display;
pub mod markers;
pub mod watch;

use crate::paths;
use crate::say::say;
use anyhow::{Context, Result, bail};
use display::Display;
use markers::{Line, Marker, read};
use std::fs;
use std::io::{BufRead, BufReader, Write, pipe};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::spawn;
use std::time::{Duration, Instant};
use watch::Watch;

/// What the tool grants a test beyond the time that the runner itself gives it.
const GRACE: Duration = Duration::from_secs(10);

/// How long the runner may take between two tests, and to end.
const BETWEEN_TESTS: Duration = Duration::from_secs(60);

/// One run of the engine on the demo project.
pub struct Run<'a> {
    /// The engine's executable.
    pub engine: &'a Path,
    /// What it is called: its log is `target/logs/NAME.log`.
    pub name: &'a str,
    /// Arguments after the project's path.
    pub arguments: Vec<String>,
    /// The screen to open a window on; none runs headless.
    pub display: Option<&'a Display>,
    /// How long it may take; where the run prints test markers, each test's own limit counts instead.
    pub limit: Duration,
    /// When its output is shown.
    pub show: Show,
}

/// When the output of a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Line by line.
    Always,
    /// Afterwards, when something is wrong.
    OnTrouble,
    /// It is only written to the log.
    Never,
}

/// How a run ended.
pub struct Outcome {
    /// What the log says.
    pub watch: Watch,
    /// How the process ended; none when it was killed after its time limit.
    pub status: Option<ExitStatus>,
    /// The whole log.
    pub log: PathBuf,
}

impl Outcome {
    /// An error unless the run ended well with a clean log. `closing_line`: it must have printed its closing line too.
    pub fn demand(&self, what: &str, closing_line: bool) -> Result<()> {
        let log = self.log.display();
        if let Some(problem) = self.watch.problems.first() {
            let count = self.watch.problems.len();
            bail!("{what}: {count} problem(s) in the log, the first: {problem}\nThe whole log: {log}");
        }
        match self.status {
            None => bail!("{what} hung and was ended. The whole log: {log}"),
            Some(status) if !status.success() => {
                bail!("{what} ended with {status}. The whole log: {log}")
            }
            Some(_) if closing_line && !self.watch.done => {
                bail!("{what} ended before its closing line. The whole log: {log}")
            }
            Some(_) => Ok(()),
        }
    }
}

impl Run<'_> {
    /// Runs it to its end or its time limit.
    pub fn start(&self) -> Result<Outcome> {
        let log = paths::target_folder("logs")?.join(format!("{}.log", self.name));
        let mut log_file = fs::File::create(&log).with_context(|| format!("Cannot write {}", log.display()))?;
        // Both streams go into one pipe: the order of the lines is what tells whose error is whose.
        let (reader, writer) = pipe()?;
        let mut child = self
            .command()?
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()
            .with_context(|| format!("{} does not start", self.engine.display()))?;
        let (sender, lines) = channel();
        spawn(move || {
            let mut reader = BufReader::new(reader);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                let text = String::from_utf8_lossy(&line);
                // The receiver is gone when the run was given up.
                if sender.send(text.trim_end().to_owned()).is_err() {
                    break;
                }
                line.clear();
            }
        });

        let mut watch = Watch::default();
        let mut kept = Vec::new();
        let show = |shown: Vec<String>, kept: &mut Vec<String>| {
            for line in shown {
                match self.show {
                    Show::Always => println!("{line}"),
                    Show::OnTrouble => kept.push(line),
                    Show::Never => {}
                }
            }
        };
        let ended = self.follow(&lines, |line| {
            writeln!(log_file, "{line}")?;
            show(watch.line(line), &mut kept);
            Ok(())
        })?;
        let status = if ended {
            Some(child.wait()?)
        } else {
            let within = watch.running().map_or(String::new(), |test| format!(" in {test}"));
            say(&format!("The engine hangs{within}: ending it"));
            // It may have ended in this very moment.
            let _ = child.kill();
            child.wait()?;
            None
        };
        show(watch.finish(), &mut kept);
        if !watch.problems.is_empty() || status.is_none_or(|status| !status.success()) {
            kept.iter().for_each(|line| println!("{line}"));
        }
        Ok(Outcome { watch, status, log })
    }

    /// Hands on line after line; false when the time was over before the output ended.
    fn follow(&self, lines: &Receiver<String>, mut each: impl FnMut(&str) -> Result<()>) -> Result<bool> {
        let mut deadline = Instant::now() + self.limit;
        loop {
            match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    match read(&line) {
                        Line::Marker(Marker::Begin { limit, .. }) => {
                            deadline = Instant::now() + limit + GRACE;
                        }
                        Line::Marker(Marker::End { .. } | Marker::Done { .. }) => {
                            deadline = Instant::now() + BETWEEN_TESTS;
                        }
                        _ => {}
                    }
                    each(&line)?;
                }
                Err(RecvTimeoutError::Timeout) => return Ok(false),
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
            }
        }
    }

    fn command(&self) -> Result<Command> {
        let mut command = Command::new(self.engine);
        command.arg("--path").arg(paths::project());
        match self.display {
            None => {
                command.arg("--headless");
            }
            Some(display) => {
                command
                    .args(["--rendering-driver", "opengl3", "--audio-driver", "Dummy"])
                    .args(["--resolution", "1152x648", "--position", "0,0"])
                    .env("DISPLAY", display.name())
                    .env_remove("WAYLAND_DISPLAY");
            }
        }
        command.args(&self.arguments);
        // A run must not depend on the user's own settings and saves, nor change them.
        let home = paths::target_folder("godot-home")?;
        for variable in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, &home);
        }
        command.env("GODOT_SILENCE_ROOT_WARNING", "1");
        Ok(command)
    }
}
