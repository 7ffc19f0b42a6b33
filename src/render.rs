//! Lays out views as text, and prints them as JSON or YAML. Decides nothing.

pub mod age;
mod color;
mod line;
mod nodes;
mod plan;
mod plans;
mod table;
mod why;

use std::io::{self, Write};

use serde::Serialize;

pub use color::set_choice;
pub use line::{Line, Tone};
pub use nodes::{node_groups, nodes};
pub use plan::plan;
pub use plans::plans;
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

/// Prints finished lines, in color if the stream takes it.
pub fn print(out: &mut dyn Write, lines: &[Line]) -> io::Result<()> {
    for line in lines {
        writeln!(out, "{}", color::paint(line))?;
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
    out.write_all(serde_saphyr::to_string(value)?.as_bytes())?;
    Ok(())
}
