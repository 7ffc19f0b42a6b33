//! A terminal of our own: what is typed goes in, what a person would see can be read.

use std::io::{Read as _, Write as _};
use std::num::NonZeroU16;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::Pty;

use crate::cluster::eventually;

const ROWS: NonZeroU16 = NonZeroU16::new(50).expect("not 0");
const COLUMNS: NonZeroU16 = NonZeroU16::new(160).expect("not 0");

/// How long a shell may take for what it does at once when the machine has nothing else to do.
const SOON: Duration = Duration::from_secs(10);

/// A program that runs on a terminal. It is killed when dropped.
pub struct Terminal {
    pty: Arc<Pty>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: Child,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts a program.
    pub fn start(command: Command) -> Self {
        let (pty, pts) = pty_process::blocking::open().expect("there are terminals");
        pty.resize(Size::new(ROWS.get(), COLUMNS.get())).expect("a terminal has a size");
        let child = pty_process::blocking::Command::from(command).env("TERM", "xterm").spawn(pts).expect("it starts");
        let (pty, screen) = (Arc::new(pty), Arc::new(Mutex::new(vt100::Parser::new(ROWS, COLUMNS, 0))));
        let (source, seen) = (Arc::clone(&pty), Arc::clone(&screen));
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the program has ended.
            while let Ok(count @ 1..) = (&*source).read(&mut bytes) {
                seen.lock().expect("nothing fails while it is locked").process(&bytes[..count]);
            }
        });
        Self { pty, screen, child, reader }
    }

    /// Types.
    pub fn send(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Returns what is seen, without the blanks at the ends of lines.
    pub fn screen(&self) -> String {
        let screen = self.screen.lock().expect("nothing fails while it is locked").screen().contents();
        screen.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }

    /// Waits until something is seen.
    pub fn await_screen(&self, what: &str, is_seen: impl Fn(&str) -> bool) {
        let seen = eventually(|| is_seen(&self.screen()));
        assert!(seen, "no {what} in\n{}", self.screen());
    }

    /// Waits a little until something is seen; returns whether it is.
    pub fn shows_soon(&self, is_seen: impl Fn(&str) -> bool) -> bool {
        soon(|| is_seen(&self.screen()))
    }

    /// Waits until the program has ended, and what it has printed is on the screen.
    pub fn await_end(&mut self) {
        assert!(eventually(|| !matches!(self.child.try_wait(), Ok(None))), "it still runs:\n{}", self.screen());
        soon(|| self.reader.is_finished());
    }
}

/// Waits a little until something is true; returns whether it is.
fn soon(is_true: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + SOON;
    while !is_true() {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
