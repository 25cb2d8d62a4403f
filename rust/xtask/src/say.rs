//! What the tool tells the person in front of it.
//!
//! Everything here goes to standard error, so that commands whose output is read by a program (`godot`) stay clean.
//! A step that takes longer than a few seconds keeps saying so, with the time it has taken.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// How often a long step says that it is still at work.
const STILL_AT_WORK: Duration = Duration::from_secs(10);

/// Steps shorter than this end without a line of their own.
const WORTH_A_LINE: Duration = Duration::from_secs(3);

/// Says one line.
pub fn say(text: &str) {
    eprintln!("== {text}");
}

/// Does a piece of work under a title: says when it starts, every ten seconds that it goes on, and how long it took.
pub fn during<T>(title: &str, work: impl FnOnce() -> T) -> T {
    let _progress = Progress::start(title);
    work()
}

/// A running step; it ends when dropped.
pub struct Progress {
    title: String,
    started: Instant,
    stop: Option<Sender<()>>,
    ticker: Option<JoinHandle<()>>,
}

impl Progress {
    /// Says the title and starts the clock.
    pub fn start(title: &str) -> Self {
        say(title);
        let started = Instant::now();
        let (stop, stopped) = channel::<()>();
        let name = title.to_owned();
        let ticker = spawn(move || {
            while stopped.recv_timeout(STILL_AT_WORK) == Err(RecvTimeoutError::Timeout) {
                say(&format!("{name}: {} s so far", started.elapsed().as_secs()));
            }
        });
        Self { title: title.to_owned(), started, stop: Some(stop), ticker: Some(ticker) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(ticker) = self.ticker.take() {
            // A ticker that panicked has nothing left to say.
            let _ = ticker.join();
        }
        let took = self.started.elapsed();
        if took >= WORTH_A_LINE {
            say(&format!("{}: took {:.1} s", self.title, took.as_secs_f64()));
        }
    }
}
