//! JSON and YAML: hands the documents of a stream to the decoder, and words what is wrong with their syntax.

use std::io::{BufReader, Read};

use anyhow::Context as _;
use serde_json::error::Category;
use serde_saphyr::Options;

use super::decode::Sink;
use super::documents::Documents;
use super::files::plain;
use super::objects::Objects;
use super::place::{Failure, Place, Places};

/// Levels that YAML may be nested, which protects the stack; JSON may be 128.
const MAX_YAML_DEPTH: usize = 128;

/// Reads all documents of a file and keeps their objects; returns whether there was any Kubernetes object, of any kind.
///
/// An error names the file, the document and, if it is known, the object.
pub(super) fn read_file(
    input: impl Read,
    place: Place,
    places: &Places,
    objects: &mut Objects,
) -> anyhow::Result<bool> {
    let mut sink = Sink::new(place, objects);
    let file = || format!("read {}", places.file(place));
    let mut documents = Documents::new(input).with_context(file)?;
    while let Some(first) = documents.next_document().map_err(plain).with_context(file)? {
        let read = if matches!(first, b'{' | b'[') { read_json } else { read_yaml };
        read(&mut documents, &mut sink).map_err(|failure| failure.in_document(places, sink.place))?;
    }
    Ok(sink.found > 0)
}

/// Reads JSON, one value after the other.
fn read_json<R: Read>(documents: &mut Documents<R>, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let first_line = documents.line();
    let mut values = serde_json::Deserializer::from_reader(BufReader::new(documents));
    loop {
        let read = sink.read_document(&mut values);
        sink.take_failure()?;
        read.map_err(|error| json_error(error, first_line, sink))?;
        if values.end().is_ok() {
            return Ok(());
        }
    }
}

fn json_error(error: serde_json::Error, first_line: u64, sink: &Sink<'_>) -> Failure {
    let line = first_line - 1 + error.line() as u64;
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let cause = match error.classify() {
        Category::Io => plain(error.into()).to_string(),
        Category::Eof => format!("it is cut off in line {line}{}", sink.after_last()),
        Category::Syntax | Category::Data => {
            format!("line {line}, column {}{}: {text}", error.column(), sink.after_last())
        }
    };
    Failure::of_document(cause)
}

/// Reads one YAML document.
fn read_yaml<R: Read>(documents: &mut Documents<R>, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let first_line = documents.line();
    let read = serde_saphyr::with_deserializer_from_reader_with_options(&mut *documents, yaml_options(), |document| {
        sink.read_document(document)
    });
    sink.take_failure()?;
    read.map_err(|error| yaml_error(&error, first_line, documents, sink))
}

fn yaml_error<R: Read>(
    error: &serde_saphyr::Error,
    first_line: u64,
    documents: &mut Documents<R>,
    sink: &Sink<'_>,
) -> Failure {
    let text = error.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).replace('\n', " ");
    let text = plainly(&text);
    let Some(location) = error.location() else {
        return Failure::of_document(format!("{text}{}", sink.after_last()));
    };
    let line = first_line - 1 + location.line();
    let is_at_end = documents.is_last() && line >= documents.line();
    let hint = match (documents.is_template(), is_at_end && !text.contains("duplicate")) {
        (true, _) => ": it is the template of a chart, not what a cluster holds",
        (false, true) => ": is it cut off?",
        (false, false) => "",
    };
    Failure::of_document(format!("line {line}, column {}{}: {text}{hint}", location.column(), sink.after_last()))
}

/// Puts what the parser says of its limits and options into words for people.
fn plainly(text: &str) -> String {
    match text {
        _ if text.contains("budget breached: Depth") => format!("it is nested more than {MAX_YAML_DEPTH} levels deep"),
        _ if text.contains("budget breached") => "its aliases stand for too much".to_owned(),
        _ => text.replace(", set DuplicateKeyPolicy in Options if acceptable", ""),
    }
}

/// No limit on size, which is what dumps have; the limits on aliases and depth stay, which are what attacks use.
fn yaml_options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_reader_input_bytes: None,
            max_events: usize::MAX,
            max_nodes: usize::MAX,
            max_total_scalar_bytes: usize::MAX,
            max_depth: MAX_YAML_DEPTH,
        },
        with_snippet: false,
        emit_comments: false,
    }
}
