//! Places in the input, for errors: which file, which document, which item.

use std::path::Path;

use anyhow::anyhow;

/// Where an object stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Index of the file in [`Places`].
    pub(super) file: u32,
    /// Number of the document in the file, from 1.
    pub(super) document: u32,
    /// Number of the item in the list, from 1; 0 for an object without a list around it.
    pub(super) item: u32,
}

/// Names of the files that were read.
#[derive(Debug, Default)]
pub(super) struct Places {
    files: Vec<String>,
}

impl Places {
    /// Adds a file and returns the place before its first document.
    pub(super) fn add(&mut self, file: String) -> Place {
        self.files.push(file);
        Place { file: u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX), ..Place::default() }
    }

    /// Returns the name of the file added last.
    pub(super) fn last(&self) -> &str {
        self.files.last().map_or("", String::as_str)
    }

    /// Returns the name of the file of this place.
    pub(super) fn file(&self, place: Place) -> &str {
        self.files.get(place.file as usize).map_or("", String::as_str)
    }

    /// Words the place: `"dump.yaml", document 3, item 17`.
    pub(super) fn describe(&self, place: Place) -> String {
        let document = format!("{}, document {}", self.file(place), place.document);
        if place.item == 0 { document } else { format!("{document}, item {}", place.item) }
    }

    /// Words the place of a named object: `"dump.yaml", document 3, Pod "ops/agent-x" (item 17)`.
    pub(super) fn describe_object(&self, place: Place, object: &str) -> String {
        format!("{}, document {}, {}", self.file(place), place.document, with_item(object, place.item))
    }
}

/// Why a document is wrong, and in which of its objects, if it is one of them.
#[derive(Debug)]
pub(super) struct Failure {
    object: Option<String>,
    cause: String,
}

impl Failure {
    /// The document itself is wrong.
    pub(super) fn of_document(cause: impl Into<String>) -> Self {
        Self { object: None, cause: cause.into() }
    }

    /// One of its objects is, given in words.
    pub(super) fn of_object(object: &str, item: u32, cause: impl Into<String>) -> Self {
        Self { object: Some(with_item(object, item)), cause: cause.into() }
    }

    /// Words the failure of a document of a file.
    pub(super) fn in_document(self, places: &Places, place: Place) -> anyhow::Error {
        let object = self.object.map(|object| format!(", {object}")).unwrap_or_default();
        anyhow!("read {}, document {}{object}: {}", places.file(place), place.document, self.cause)
    }
}

/// Words an object with its place in the list: `Pod "ops/agent-x" (item 17)`.
pub(super) fn with_item(object: &str, item: u32) -> String {
    if item == 0 { object.to_owned() } else { format!("{object} (item {item})") }
}

/// Words a path: as it was typed, in double quotes.
pub(super) fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}
