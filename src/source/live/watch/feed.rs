//! Feed: follows one kind of objects for as long as the program runs, whatever the server does meanwhile.
//!
//! A watch that ends, or is cut, is taken up where it stood. When the server no longer knows that place, everything is listed
//! again. Where watching is forbidden, everything is listed again and again.
//!
//! Upstream: client-go tools/cache `Reflector` (1.37).

use std::sync::Arc;
use std::time::Duration;

use kube::Resource as _;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::event::{NoEvent, WatchEvent};
use super::store::{Change, Delta, Stored};
use crate::source::live::clock::Clock;
use crate::source::live::collect::Note;
use crate::source::live::failure::Failure;
use crate::source::live::list::{NoList, list};
use crate::source::live::rights::{Readable, Right, WATCH};
use crate::source::live::session::{Session, words};

/// After so many seconds the server ends a watch. Upstream: 5 to 10 minutes.
const TIMEOUT_SECONDS: u64 = 300;
/// A watch that lasts so much longer has been forgotten by the other side.
const PATIENCE: Duration = Duration::from_secs(TIMEOUT_SECONDS + 30);
/// A watch that lasted so long was worth its request, though it told nothing.
const WORTH: Duration = Duration::from_secs(5);
/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause, unless the server asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// After so many failures one after another the place where the watch stood is not trusted any longer.
const MAX_FAILURES: u32 = 5;
/// How often objects are listed that may not be watched.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// What feeds tell.
#[derive(Debug)]
pub(super) enum Message {
    /// Objects changed.
    Change(Box<Change>),
    /// The server told its time.
    Clock(Clock),
    /// What keeps objects of this kind from being up to date; `None` once they are.
    Trouble(String, Option<String>),
    /// To be told once.
    Note(Note),
}

/// Where a feed reads and writes.
#[derive(Clone)]
pub(super) struct Feed {
    pub(super) session: Arc<Session>,
    /// `None` for all.
    pub(super) namespace: Option<String>,
    pub(super) messages: mpsc::Sender<Message>,
}

/// Why a watch ended.
enum End {
    /// It came to its end, or was cut.
    Over,
    /// The server does not know the place any longer.
    Expired,
    /// It is not allowed.
    Forbidden(String),
    /// What it tells cannot be read.
    Broken(String),
    /// Something else, with the pause that the server asks for.
    Failed(Failure, Option<Duration>),
}

impl Feed {
    /// Follows objects from a resource version on; never ends.
    pub(super) async fn run<T: Stored>(self, mut resource_version: String) {
        let mut num_failures = 0;
        loop {
            let begun = Instant::now();
            let before = resource_version.clone();
            let watched = timeout(PATIENCE, self.watch::<T>(&mut resource_version)).await;
            let end = watched.unwrap_or(End::Over);
            if resource_version != before || begun.elapsed() > WORTH {
                num_failures = 0;
            }
            let mut pause = pause_after(num_failures);
            num_failures += 1;
            let mut is_doubtful = num_failures >= MAX_FAILURES;
            match end {
                End::Over if is_doubtful => self.trouble::<T>("the watch ends as soon as it begins").await,
                End::Over => {}
                End::Forbidden(message) => return self.poll::<T>(message).await,
                End::Expired => {
                    is_doubtful = true;
                    // The first time there is nothing to wait for.
                    pause = pause_after(num_failures).saturating_sub(pause_after(1));
                }
                End::Broken(message) => {
                    is_doubtful = true;
                    self.trouble::<T>(&message).await;
                }
                End::Failed(failure, wanted) => {
                    // A server that cannot be reached says nothing of the place.
                    is_doubtful &= matches!(failure, Failure::Refused(_));
                    self.trouble::<T>(&words(&failure)).await;
                    pause = pause.max(wanted.unwrap_or_default());
                }
            }
            sleep(pause).await;
            if is_doubtful {
                resource_version = self.list_again::<T>().await;
            }
        }
    }

    /// Watches once; moves the resource version on with all that is told.
    async fn watch<T: Stored>(&self, resource_version: &mut String) -> End {
        let mut lines = match self.session.open(&self.path::<T>(resource_version)).await {
            Ok(lines) => lines,
            Err((failure, wanted)) => return end_of(failure, wanted),
        };
        if let Some(clock) = lines.clock {
            self.tell(Message::Clock(clock)).await;
        }
        self.no_trouble::<T>().await;
        loop {
            let line = match lines.next().await {
                Ok(Some(line)) => line,
                Ok(None) | Err(Failure::Cut(_)) => return End::Over,
                Err(failure) => return end_of(failure, None),
            };
            match WatchEvent::<T>::read(&line) {
                Ok(event) => {
                    if let Some(delta) = event.delta {
                        self.tell(Message::Change(Box::new(T::change(delta)))).await;
                    }
                    *resource_version = event.resource_version.unwrap_or_else(|| std::mem::take(resource_version));
                }
                Err(NoEvent::Refused(refusal)) => return end_of(Failure::Refused(refusal), None),
                Err(NoEvent::Broken(error)) => {
                    let what = self.right::<T>().words();
                    return End::Broken(format!("{what}: decode an event: {error}"));
                }
            }
        }
    }

    /// Lists everything until it succeeds; returns the resource version of the list.
    async fn list_again<T: Stored>(&self) -> String {
        let mut num_failures = 0;
        loop {
            match list::<T::Kind, T>(&self.session, self.namespace_of::<T>(), None).await {
                Ok(list) => {
                    if let Some(clock) = list.clock {
                        self.tell(Message::Clock(clock)).await;
                    }
                    self.tell(Message::Change(Box::new(T::change(Delta::Replace(list.items))))).await;
                    self.no_trouble::<T>().await;
                    return list.resource_version;
                }
                Err(NoList::Forbidden { message, .. }) => self.trouble::<T>(&message).await,
                Err(NoList::Failed(error)) => self.trouble::<T>(&format!("{error:#}")).await,
            }
            sleep(pause_after(num_failures)).await;
            num_failures += 1;
        }
    }

    /// Lists everything every few seconds; never ends.
    async fn poll<T: Stored>(&self, message: String) {
        let seconds = POLL_INTERVAL.as_secs();
        let plural = T::Kind::READ.resource;
        let warning = format!("{message}; {plural} are listed every {seconds} seconds instead");
        let hint = Some(self.right::<T>().hint(&message));
        self.tell(Message::Note(Note { warning, hint })).await;
        loop {
            sleep(POLL_INTERVAL).await;
            self.list_again::<T>().await;
        }
    }

    fn path<T: Stored>(&self, resource_version: &str) -> String {
        let path = T::Kind::url_path(&(), self.namespace_of::<T>());
        let place =
            if resource_version.is_empty() { String::new() } else { format!("&resourceVersion={resource_version}") };
        format!("{path}?watch=true&allowWatchBookmarks=true&timeoutSeconds={TIMEOUT_SECONDS}{place}")
    }

    /// Nodes are in no namespace.
    fn namespace_of<T: Stored>(&self) -> Option<&str> {
        self.namespace.as_deref().filter(|_| T::Kind::READ.is_namespaced)
    }

    fn right<T: Stored>(&self) -> Right<'_> {
        Right::of::<T::Kind>(WATCH, self.namespace_of::<T>())
    }

    async fn trouble<T: Stored>(&self, words: &str) {
        self.tell(Message::Trouble(T::Kind::READ.resource.to_owned(), Some(words.to_owned()))).await;
    }

    async fn no_trouble<T: Stored>(&self) {
        self.tell(Message::Trouble(T::Kind::READ.resource.to_owned(), None)).await;
    }

    async fn tell(&self, message: Message) {
        // Nobody listens any longer only when the program ends.
        let _ = self.messages.send(message).await;
    }
}

fn end_of(failure: Failure, wanted: Option<Duration>) -> End {
    match failure {
        Failure::Refused(refusal) if refusal.is_expired() => End::Expired,
        Failure::Refused(refusal) if refusal.is_forbidden() => End::Forbidden(refusal.message),
        failure => End::Failed(failure, wanted),
    }
}

fn pause_after(num_failures: u32) -> Duration {
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(num_failures)).min(LONGEST_PAUSE)
}
