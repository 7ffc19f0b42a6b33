//! Stream: an answer that is read line by line while it arrives, as a watch is.

use std::time::Duration;

use http_body_util::BodyExt as _;

use super::{Access, AnswerBody, Call, Failure, Session, refused};
use crate::error::UserError;
use crate::source::live::clock::Clock;

/// Longer than any object that an API server stores.
const MAX_LINE_BYTES: usize = 64 << 20;

/// The lines of an answer.
pub(in crate::source::live) struct Lines {
    body: AnswerBody,
    /// What has arrived of lines that have not been taken.
    buffer: Vec<u8>,
    /// So much of the buffer holds no line end.
    searched: usize,
    access: Access,
    /// The server's clock when it began to answer.
    pub(in crate::source::live) clock: Option<Clock>,
}

impl Session {
    /// Sends a GET once; a failure comes with the pause that the server asks for.
    ///
    /// The longest time of a request holds for the head of the answer: the lines may take any time.
    pub(in crate::source::live) async fn open(&self, path: &str) -> Result<Lines, (Failure, Option<Duration>)> {
        let opened = self.opened(path);
        let Some(timeout) = self.access.timeout else { return opened.await };
        tokio::time::timeout(timeout, opened).await.unwrap_or_else(|_| Err((self.timed_out(timeout), None)))
    }

    async fn opened(&self, path: &str) -> Result<Lines, (Failure, Option<Duration>)> {
        let (parts, body) = self.begun(&Call::get(path)).await?.into_parts();
        if !parts.status.is_success() {
            let body = self.whole(body).await?;
            return Err(refused(&parts, &body));
        }
        let clock = Clock::read(&parts.headers);
        Ok(Lines { body, buffer: Vec::new(), searched: 0, access: self.access.clone(), clock })
    }
}

impl Lines {
    /// Returns the next whole line, or `None` at the end; what follows the last line end is no line.
    pub(in crate::source::live) async fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        loop {
            if let Some(end) = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n') {
                let rest = self.buffer.split_off(self.searched + end + 1);
                self.searched = 0;
                return Ok(Some(std::mem::replace(&mut self.buffer, rest)));
            }
            self.searched = self.buffer.len();
            if self.buffer.len() > MAX_LINE_BYTES {
                let error = format!("the server {} sends a line without end", self.access.host());
                return Err(Failure::Lost(UserError::new(error).into()));
            }
            match self.body.frame().await {
                None => return Ok(None),
                Some(Err(error)) => return Err(Failure::of_transport(&*error, &self.access)),
                Some(Ok(frame)) => self.buffer.extend(frame.into_data().unwrap_or_default()),
            }
        }
    }
}
