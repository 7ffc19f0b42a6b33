//! A plugin that may disturb nobody: without a terminal, without a word, and ended with all that it started when time is up.

use std::io::{self, Read as _};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// How often it is looked whether a plugin that has said all has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program and returns what it printed to stdout.
///
/// # Errors
///
/// It cannot be run, or has not ended by the deadline.
pub(super) fn output(mut command: Command, deadline: Instant) -> io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut command = CommandWrap::from(command);
    // A session of its own has no terminal on which it could ask.
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessSession);
    let mut child = command.spawn()?;
    let output = read(&mut *child, deadline);
    if output.is_err() {
        // What cannot be ended is left: nobody can be told.
        let _ = child.kill();
    }
    output
}

fn read(child: &mut dyn ChildWrapper, deadline: Instant) -> io::Result<Output> {
    let Some(mut pipe) = child.stdout().take() else { return Err(io::ErrorKind::BrokenPipe.into()) };
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut stdout = Vec::new();
        // Nobody waits any longer if this fails.
        let _ = sender.send(pipe.read_to_end(&mut stdout).map(|_| stdout));
    });
    let left = deadline.saturating_duration_since(Instant::now());
    let stdout = receiver.recv_timeout(left).map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    Ok(Output { status: end(child, deadline)?, stdout, stderr: Vec::new() })
}

fn end(child: &mut dyn ChildWrapper, deadline: Instant) -> io::Result<ExitStatus> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(status),
            None if Instant::now() >= deadline => return Err(io::ErrorKind::TimedOut.into()),
            None => thread::sleep(PAUSE),
        }
    }
}
