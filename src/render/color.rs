//! The only place for color: on whole finished lines, never as the only sign.

use std::borrow::Cow;

use owo_colors::OwoColorize;

use super::{Line, Tone};
use crate::args::ColorChoice;

/// Sets the choice for all streams. Under `auto` the stream itself decides, by the terminal and the environment.
pub fn set_choice(choice: ColorChoice) {
    match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
}

/// Returns the line with its escapes, which the stream strips where color is off.
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
