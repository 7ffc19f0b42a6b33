//! Lays out views as text, and prints them as JSON or YAML. Decides nothing.

pub mod age;
mod color;
mod gist;
mod history;
mod line;
mod nodes;
mod plan;
mod plans;
mod progress;
mod screen;
mod status;
mod table;
mod why;

use std::io::{self, Write};

use serde::Serialize;

pub use color::is_wanted;
pub use gist::gist;
pub use history::{diff, history};
pub use line::{Line, Tone};
pub use nodes::{node_groups, nodes};
pub use plan::{finding, plan, sentence};
pub use plans::plans;
pub use progress::progress_line;
pub use screen::{Screen, Size};
pub use status::status;
pub use why::{why_groups, why_nodes};

/// How text is laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// Columns of the terminal; `None` if the output goes elsewhere and nothing is cut.
    pub width: Option<usize>,
    /// With column titles.
    pub headers: bool,
    /// With more columns, and lists uncut.
    pub wide: bool,
}

/// Prints finished lines.
pub fn print(out: &mut dyn Write, lines: &[Line], in_color: bool) -> io::Result<()> {
    for line in lines {
        let text = if in_color { color::paint(line) } else { line.text.as_str().into() };
        writeln!(out, "{text}")?;
    }
    Ok(())
}

/// Prints a value as JSON.
pub fn print_json(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Prints a value as YAML.
pub fn print_yaml(out: &mut dyn Write, value: &impl Serialize) -> anyhow::Result<()> {
    out.write_all(yaml(value)?.as_bytes())?;
    Ok(())
}

/// Returns a value as YAML.
pub fn yaml(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_saphyr::to_string(value)?)
}
