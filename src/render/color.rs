//! The only place for color: on whole finished lines, never as the only sign.

use std::borrow::Cow;

use anstream::AutoStream;
use anstream::stream::RawStream;
use owo_colors::OwoColorize;

use super::{Line, Tone};
use crate::args::ColorChoice;

/// Returns whether a stream takes color; under `auto` that is so on a terminal, unless the environment says otherwise.
pub fn is_wanted(choice: ColorChoice, stream: &impl RawStream) -> bool {
    match choice {
        ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
        ColorChoice::Always => true,
        ColorChoice::Never => false,
    }
}

/// Returns the line with its escapes.
pub(super) fn paint(line: &Line) -> Cow<'_, str> {
    let text = &line.text;
    match line.tone {
        _ if text.is_empty() => Cow::Borrowed(text),
        Tone::Plain => Cow::Borrowed(text),
        Tone::Strong => Cow::Owned(text.bold().to_string()),
        Tone::Good => Cow::Owned(text.green().to_string()),
        Tone::Caution => Cow::Owned(text.yellow().to_string()),
        Tone::Bad => Cow::Owned(text.red().to_string()),
        Tone::Faint => Cow::Owned(text.dimmed().to_string()),
    }
}
