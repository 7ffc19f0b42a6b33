//! Ctrl-C and its like: what can be left alone is left at once, a batch is finished first.

use anyhow::Context as _;

/// Signals that ask the process to end.
pub struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl Signals {
    /// Takes the signals from now on; needs a runtime.
    #[cfg(unix)]
    pub fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let interrupt = signal(SignalKind::interrupt()).context("handle Ctrl-C")?;
        let terminate = signal(SignalKind::terminate()).context("handle SIGTERM")?;
        Ok(Self { interrupt, terminate })
    }

    /// Takes the signals from now on; needs a runtime.
    #[cfg(windows)]
    pub fn new() -> anyhow::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c().context("handle Ctrl-C")? })
    }

    #[cfg(unix)]
    async fn received(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    #[cfg(windows)]
    async fn received(&mut self) {
        self.interrupt.recv().await;
    }

    /// Awaits something that may be left alone; `None` if it was, because of a signal.
    pub async fn or_leave<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.received() => None,
            value = future => Some(value),
        }
    }

    /// Awaits something that is to be finished; returns whether a signal came meanwhile. A second one ends the process.
    pub async fn finish<T>(&mut self, future: impl Future<Output = T>) -> (T, bool) {
        let mut future = std::pin::pin!(future);
        tokio::select! {
            value = &mut future => return (value, false),
            () = self.received() => {}
        }
        tokio::select! {
            value = &mut future => (value, true),
            () = self.received() => std::process::exit(130),
        }
    }
}
