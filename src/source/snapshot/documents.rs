//! Splits a stream of bytes into documents, without holding any of them.
//!
//! A line that starts with `---` or `...` ends a document in YAML wherever it stands, and cannot stand inside JSON; so one
//! splitter serves both. Text in UTF-16, as PowerShell writes it, is decoded on the way. The container logs that
//! `kubectl cluster-info dump` prints between its documents are left out.

use std::io::{self, BufRead, BufReader, Read};

use anyhow::bail;
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

use super::files::plain;

/// Bytes taken from the input at a time, at most: lines can be as long as the file.
const CHUNK: u64 = 64 * 1024;

/// What `kubectl cluster-info dump` prints before and after the logs of a container.
const LOGS_START: &[u8] = b"==== START logs for container ";
const LOGS_END: &[u8] = b"==== END logs for container ";

/// How kubectl's own errors begin, which end up in a file with `&>`.
const ERRORS: [&[u8]; 3] = [b"Error from server", b"error: ", b"Unable to connect to the server"];

/// First bytes of files that are packed.
const PACKED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ", "xz"),
    (b"BZh", "bzip2"),
];

/// The documents of a stream.
pub(super) struct Documents<R: Read> {
    input: BufReader<DecodeReaderBytes<BufReader<R>, Vec<u8>>>,
    /// Bytes that were taken and not yet given on, from `given`.
    chunk: Vec<u8>,
    given: usize,
    /// Whether the next chunk begins a line.
    at_line_start: bool,
    in_logs: bool,
    /// A line so far begins with `{{`, as in the template of a chart.
    is_template: bool,
    /// Number of the line that the chunk is in, from 1.
    line: u64,
    /// The chunk begins the document after the current one.
    is_at_marker: bool,
}

impl<R: Read> Documents<R> {
    /// Prepares to read a stream.
    ///
    /// Fails when the stream is empty, packed, or what kubectl prints for people.
    pub(super) fn new(input: R) -> anyhow::Result<Self> {
        let mut input = BufReader::new(input);
        let head = input.fill_buf().map_err(plain)?;
        if head.is_empty() {
            bail!("it is empty");
        }
        if let Some((_, name)) = PACKED.iter().find(|(magic, _)| head.starts_with(magic)) {
            bail!("it is packed with {name}: unpack it first");
        }
        if head.starts_with(b"{\0") || head.starts_with(b"\0{") {
            bail!("it is UTF-16 without a byte order mark: save it as UTF-8");
        }
        let decoder =
            DecodeReaderBytesBuilder::new().bom_sniffing(true).utf8_passthru(true).strip_bom(true).build(input);
        let mut documents = Self {
            input: BufReader::new(decoder),
            chunk: Vec::new(),
            given: 0,
            at_line_start: true,
            in_logs: false,
            is_template: false,
            line: 0,
            is_at_marker: false,
        };
        documents.take_chunk().map_err(plain)?;
        documents.is_at_marker = true;
        match documents.chunk.as_slice() {
            head if is_table(head) => bail!("it is a table for people: ask kubectl for -o yaml or -o json"),
            head if head.starts_with(b"Name: ") => {
                bail!("it is what kubectl describe prints: take kubectl get with -o yaml or -o json")
            }
            head if ERRORS.iter().any(|words| head.starts_with(words)) => {
                let line = String::from_utf8_lossy(head.trim_ascii()).into_owned();
                bail!("it is an error message of kubectl: {line}")
            }
            _ => Ok(documents),
        }
    }

    /// Moves to the next document that is more than blanks and comments, and returns its first byte that is not blank.
    ///
    /// What is left of the current one is skipped.
    pub(super) fn next_document(&mut self) -> io::Result<Option<u8>> {
        while !self.is_at_marker && self.has_more()? {
            self.given = self.chunk.len();
        }
        self.is_at_marker = false;
        while self.has_chunk()? {
            let first = self.chunk[self.given..].trim_ascii_start().first().copied();
            self.is_at_marker = false;
            if let Some(first) = first.filter(|first| !matches!(first, b'#' | b'%')) {
                return Ok(Some(first));
            }
            self.given = self.chunk.len();
        }
        Ok(None)
    }

    /// Returns the number of the current line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Returns whether a line so far begins with `{{`, as in the template of a chart.
    pub(super) fn is_template(&self) -> bool {
        self.is_template
    }

    /// Returns whether the stream ends where the current document ends.
    pub(super) fn is_last(&mut self) -> bool {
        !self.is_at_marker && !self.has_chunk().unwrap_or(true)
    }

    /// Returns whether the current document goes on; if so, a part of it is in the chunk.
    fn has_more(&mut self) -> io::Result<bool> {
        // Looking for more can run into the marker.
        let goes_on = !self.is_at_marker && self.has_chunk()?;
        Ok(goes_on && !self.is_at_marker)
    }

    /// Returns whether the stream goes on; if so, a part of it is in the chunk.
    fn has_chunk(&mut self) -> io::Result<bool> {
        if self.given == self.chunk.len() {
            self.take_chunk()?;
        }
        Ok(!self.chunk.is_empty())
    }

    /// Takes a line, or what fits of it, from the input; nothing at the end.
    fn take_chunk(&mut self) -> io::Result<()> {
        self.given = 0;
        loop {
            self.chunk.clear();
            self.input.by_ref().take(CHUNK).read_until(b'\n', &mut self.chunk)?;
            let begins_line = std::mem::replace(&mut self.at_line_start, self.chunk.ends_with(b"\n"));
            if self.chunk.is_empty() && self.in_logs {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is cut off in the logs of a container"));
            }
            if begins_line && !self.chunk.is_empty() {
                self.line += 1;
                self.is_template |= self.chunk.trim_ascii_start().starts_with(b"{{");
            }
            if !self.is_log(begins_line) {
                if begins_line && is_marker(&self.chunk) {
                    self.is_at_marker = true;
                    self.chunk[..3].fill(b' ');
                }
                return Ok(());
            }
        }
    }

    /// Returns whether the chunk belongs to the logs of a container, which stand between two lines of kubectl's.
    fn is_log(&mut self, begins_line: bool) -> bool {
        let is_log = self.in_logs || (begins_line && self.chunk.starts_with(LOGS_START));
        // What was logged last need not end its line.
        self.in_logs = is_log && !self.chunk.windows(LOGS_END.len()).any(|words| words == LOGS_END);
        is_log
    }
}

/// Reads the current document, up to its end.
impl<R: Read> Read for Documents<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.has_more()? {
            return Ok(0);
        }
        let count = (&self.chunk[self.given..]).read(buffer)?;
        self.given += count;
        Ok(count)
    }
}

/// `---` or `...`, alone or with a blank after it.
fn is_marker(line: &[u8]) -> bool {
    (line.starts_with(b"---") || line.starts_with(b"...")) && line.get(3).is_none_or(u8::is_ascii_whitespace)
}

/// The titles of a kubectl table.
fn is_table(head: &[u8]) -> bool {
    let words: Vec<&[u8]> = head.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    words.len() > 1
        && matches!(words[0], b"NAME" | b"NAMESPACE" | b"LAST")
        && words.iter().all(|word| word.iter().all(|byte| byte.is_ascii_uppercase() || b"-()".contains(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the documents, each with the line that it begins in.
    fn split(text: &str) -> Vec<(u64, String)> {
        let mut documents = Documents::new(text.as_bytes()).expect("text");
        let mut split = Vec::new();
        while documents.next_document().expect("a document").is_some() {
            let line = documents.line();
            let mut document = String::new();
            documents.read_to_string(&mut document).expect("a document");
            split.push((line, document));
        }
        split
    }

    #[test]
    fn markers_at_the_start_of_a_line_end_a_document() {
        let expected =
            [(1, "a: |\n  ---\n".to_owned()), (4, "b: ----\n---c: 1\n".to_owned()), (8, "    d: 1".to_owned())];
        assert_eq!(split("a: |\n  ---\n---\nb: ----\n---c: 1\n...\n---\n--- d: 1"), expected);
    }

    #[test]
    fn blank_documents_are_skipped() {
        assert_eq!(split("---\n# nothing\n\n---\n%YAML 1.2\n---\na: 1\n---\n"), [(7, "a: 1\n".to_owned())]);
    }

    #[test]
    fn lines_longer_than_a_chunk_are_one_line() {
        let long = format!("\"{}---\"\n", "x".repeat(CHUNK as usize - 1));
        assert_eq!(split(&format!("{long}---\nb")), [(1, long), (3, "b".to_owned())]);
    }

    #[test]
    fn the_rest_of_a_document_is_skipped() {
        let mut documents = Documents::new(&b"a\nb\n---\nc\n"[..]).expect("text");
        assert_eq!(documents.next_document().expect("a document"), Some(b'a'));
        assert_eq!(documents.next_document().expect("a document"), Some(b'c'));
        assert!(documents.next_document().expect("no document").is_none());
    }
}
