//! Writes the man pages into a folder: `kubectl-daemonset.1`, and one page for each verb.

use std::error::Error;
use std::fs;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use roff::{Roff, roman};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: man FOLDER")?;
    write_pages(Path::new(&folder))
}

/// Writes all pages into a folder.
pub fn write_pages(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut command = kubectl_daemonset::args::command().disable_help_subcommand(true);
    command.build();
    write_page(folder, &command)?;
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        write_page(folder, verb)?;
    }
    Ok(())
}

fn write_page(folder: &Path, command: &Command) -> Result<(), Box<dyn Error>> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let version = format!("kubectl-daemonset {}", env!("CARGO_PKG_VERSION"));
    // Pages leave out the help of flags that are hidden from the short one.
    let whole = command.clone().override_usage(usage).mut_args(|flag| flag.hide_short_help(false));
    let man = Man::new(whole).manual("Kubernetes").source(version);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    examples(command).to_writer(&mut page)?;
    fs::write(folder.join(man.get_filename()), page)?;
    Ok(())
}

/// Returns the examples, line by line as they are.
fn examples(command: &Command) -> Roff {
    let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.lines().filter(|line| *line != "Examples:") {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}
