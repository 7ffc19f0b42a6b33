//! Ctrl-C: asks a command to come to an end; a second one ends the program at once.

use std::io;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

/// Exit code of a command that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// Knows whether the end was asked for.
pub struct Interrupt(watch::Receiver<bool>);

impl Interrupt {
    /// Listens from now on. A thread of its own does, so that output that nobody reads cannot keep the program from its end.
    pub fn listen() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let mut signals = {
            let _entered = runtime.enter();
            Signals::new()?
        };
        let (sender, receiver) = watch::channel(false);
        std::thread::Builder::new().name("interrupt".to_owned()).spawn(move || {
            wait(&runtime, &mut signals);
            // Nobody waits for it any longer only when the program ends.
            let _ = sender.send(true);
            wait(&runtime, &mut signals);
            std::process::exit(INTERRUPTED.into());
        })?;
        Ok(Self(receiver))
    }

    /// Returns whether the end was asked for.
    pub fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Awaits something that may be left alone; `None` if it was, because the end was asked for.
    pub async fn or_leave<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.wait() => None,
            value = future => Some(value),
        }
    }

    /// Waits until the end is asked for.
    pub async fn wait(&mut self) {
        if self.0.wait_for(|is_asked| *is_asked).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

fn wait(runtime: &Runtime, signals: &mut Signals) {
    runtime.block_on(signals.next());
}

/// SIGINT and SIGTERM.
#[cfg(unix)]
struct Signals([tokio::signal::unix::Signal; 2]);

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
}

/// Ctrl-C.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}
