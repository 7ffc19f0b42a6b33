//! Errors that a person can act upon, and the one function that words an error.
//!
//! An answer of the API server reads as kubectl prints it; all else says what was being done, and to what.

use std::{fmt, io};

/// An error with hints and its own exit code.
#[derive(Debug)]
pub struct UserError {
    message: String,
    hints: Vec<String>,
    code: u8,
}

impl UserError {
    /// Makes an error that ends the program with code 1.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hints: Vec::new(), code: 1 }
    }

    /// Makes an error about wrong usage, which ends the program with code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: 2, ..Self::new(message) }
    }

    /// Makes an error about a guard that says no, which ends the program with code 13.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { code: 13, ..Self::new(message) }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds hints.
    #[must_use]
    pub fn hints(mut self, hints: impl IntoIterator<Item = String>) -> Self {
        self.hints.extend(hints);
        self
    }
}

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UserError {}

/// An answer of the API server that says no.
#[derive(Debug)]
pub struct ServerError {
    reason: String,
    message: String,
    hints: Vec<String>,
}

impl ServerError {
    /// Makes an error of the reason and the message of a Status.
    pub fn new(reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { reason: reason.into(), message: message.into(), hints: Vec::new() }
    }

    /// Adds hints.
    #[must_use]
    pub fn hints(mut self, hints: impl IntoIterator<Item = String>) -> Self {
        self.hints.extend(hints);
        self
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error from server ({}): {}", self.reason, self.message)
    }
}

impl std::error::Error for ServerError {}

/// Returns the text of an error, with its hints on lines of their own, without a line end.
pub fn text(error: &anyhow::Error) -> String {
    let mut text = match error.downcast_ref::<ServerError>() {
        Some(error) => error.to_string(),
        None => format!("error: {error:#}"),
    };
    text = text.replace('\n', " ");
    for hint in hints(error) {
        text.push_str(&format!("\nhint: {hint}"));
    }
    text
}

/// Returns the hints of an error.
pub fn hints(error: &anyhow::Error) -> &[String] {
    match (error.downcast_ref::<ServerError>(), error.downcast_ref::<UserError>()) {
        (Some(error), _) => &error.hints,
        (None, Some(error)) => &error.hints,
        (None, None) => &[],
    }
}

/// Returns whether the reader of the output has gone, which is its right.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(is_broken))
}

/// Returns the exit code of an error.
pub fn code(error: &anyhow::Error) -> u8 {
    error.downcast_ref::<UserError>().map_or(1, |error| error.code)
}
