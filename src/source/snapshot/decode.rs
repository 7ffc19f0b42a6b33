//! Decodes one document into objects: the items of a list one by one, as they come.
//!
//! The same visitor serves JSON and YAML. An item is first read as JSON, whatever the order of its keys, and then decoded
//! by its kind. That costs a quarter more than decoding it straight from the text, makes it possible to name the object in
//! every error, and makes YAML mean exactly what it means to the API server, which goes by way of JSON as well. A list may
//! say only after its items what they are: items that do not say so themselves are held until it does.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::kinds::{TypeMeta, text};
use super::objects::{Objects, words};
use super::place::{Failure, Place, with_item};

type Fields = Map<String, Value>;

/// Where the objects of a file go, and how far it is read.
pub(super) struct Sink<'o> {
    objects: &'o mut Objects,
    /// The document that is being read, and the item.
    pub(super) place: Place,
    /// Kubernetes objects in the file so far, of any kind.
    pub(super) found: usize,
    /// The last object of the document that was kept, in words.
    pub(super) last: Option<String>,
    /// Why the document was left, if it was not for its syntax.
    failure: Option<Failure>,
}

impl<'o> Sink<'o> {
    /// Prepares to read a file from its beginning.
    pub(super) fn new(place: Place, objects: &'o mut Objects) -> Self {
        Self { objects, place, found: 0, last: None, failure: None }
    }

    /// Reads the next document.
    ///
    /// The error is one of syntax, unless [`Self::take_failure`] knows better.
    pub(super) fn read_document<'de, D: Deserializer<'de>>(&mut self, document: D) -> Result<(), D::Error> {
        self.place.document += 1;
        self.place.item = 0;
        self.last = None;
        if let Some(fields) = (Object { sink: self, list: None }).deserialize(document)? {
            self.failure = judge_without_kind(&fields).err();
        }
        Ok(())
    }

    /// Returns what is wrong with the objects of the document, for which it may have been left before its end.
    pub(super) fn take_failure(&mut self) -> Result<(), Failure> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Says how far the document is known to be good: `, after Pod "ops/agent-x" (item 17)`.
    pub(super) fn after_last(&self) -> String {
        self.last.as_ref().map(|last| format!(", after {last}")).unwrap_or_default()
    }

    /// Takes an object when all its fields are known; returns it if nothing says what it is.
    fn finish(
        &mut self,
        fields: Fields,
        items: Option<Items>,
        list: Option<&TypeMeta>,
    ) -> Result<Option<Fields>, Failure> {
        let type_meta = TypeMeta::of(&fields, list);
        let has_objects = items.as_ref().is_some_and(|items| items.has_objects);
        match (type_meta, items) {
            (None, _) if has_objects => {
                Err(Failure::of_document(format!("the list does not say its kind: it is cut off{}", self.after_last())))
            }
            (None, _) => return Ok(Some(fields)),
            (Some(type_meta), Some(_)) if type_meta.is_list() && self.failure.is_some() => Ok(()),
            (Some(type_meta), Some(items)) if type_meta.is_list() => self.keep_held(items, &type_meta),
            (Some(type_meta), _) if has_objects => {
                let (kind, after) = (type_meta.kind, self.after_last());
                Err(Failure::of_document(format!(
                    "it holds items, but its kind {kind:?} is no list: it is cut off{after}"
                )))
            }
            (Some(type_meta), _) => self.keep(&type_meta, fields, self.place),
        }?;
        self.found += 1;
        Ok(None)
    }

    fn keep(&mut self, type_meta: &TypeMeta, fields: Fields, place: Place) -> Result<(), Failure> {
        let object = Value::Object(fields);
        if self.objects.keep(type_meta, &object, place)? {
            self.last = Some(with_item(&words(&type_meta.kind, &object), place.item));
        }
        Ok(())
    }

    fn keep_held(&mut self, items: Items, list: &TypeMeta) -> Result<(), Failure> {
        for (place, fields) in items.held {
            let Some(type_meta) = TypeMeta::of(&fields, list.item().as_ref()) else {
                return Err(Failure::of_object("object without a kind", place.item, "kind: missing"));
            };
            self.keep(&type_meta, fields, place)?;
            self.found += 1;
        }
        Ok(())
    }
}

/// A document without a kind is cut off if it looks like one of Kubernetes; else it is something else.
fn judge_without_kind(fields: &Fields) -> Result<(), Failure> {
    let is_chart = fields.contains_key("name");
    match text(fields, "apiVersion") {
        Some(version) if TypeMeta::is_known_version(version) && !is_chart => {
            Err(Failure::of_document(format!("apiVersion {version:?} without a kind: it is cut off")))
        }
        _ => Ok(()),
    }
}

/// Reads an object, or anything else, which is passed over. The items of a list are taken as they come.
struct Object<'s, 'o> {
    sink: &'s mut Sink<'o>,
    /// What the list around it says that it is.
    list: Option<&'s TypeMeta>,
}

/// Reads the items of a list, or anything else, which is passed over.
struct ItemsOf<'s, 'o> {
    sink: &'s mut Sink<'o>,
    list: Option<TypeMeta>,
}

/// What the items of a list were.
#[derive(Default)]
struct Items {
    /// Some were Kubernetes objects.
    has_objects: bool,
    /// Those that do not say what they are.
    held: Vec<(Place, Fields)>,
}

impl<'de> DeserializeSeed<'de> for Object<'_, '_> {
    type Value = Option<Fields>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> DeserializeSeed<'de> for ItemsOf<'_, '_> {
    type Value = Items;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Passes over values of the other types.
macro_rules! pass_over {
    ($($visit:ident($type:ty)),*) => {
        $(fn $visit<E: de::Error>(self, _: $type) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        })*

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a Kubernetes object")
        }
    };
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = Option<Fields>;

    pass_over!(visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str));

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Fields::new();
        let mut items = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != "items" {
                fields.insert(key, map.next_value()?);
                continue;
            }
            match TypeMeta::of(&fields, self.list) {
                Some(other) if !other.is_list() => map.next_value::<IgnoredAny>().map(|_| ())?,
                list => {
                    let list = list.and_then(|list| list.item());
                    items = Some(map.next_value_seed(ItemsOf { sink: self.sink, list })?);
                }
            }
        }
        // Whether the failure is one of the object or of a document that ends in it is seen by what follows.
        Ok(self.sink.finish(fields, items, self.list).unwrap_or_else(|failure| {
            self.sink.failure = Some(failure);
            None
        }))
    }
}

impl<'de> Visitor<'de> for ItemsOf<'_, '_> {
    type Value = Items;

    pass_over!(visit_bool(bool), visit_i64(i64), visit_u64(u64), visit_f64(f64), visit_str(&str));

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Items::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let found = self.sink.found;
        let mut held = Vec::new();
        while self.sink.failure.is_none() {
            self.sink.place.item += 1;
            let place = self.sink.place;
            match elements.next_element_seed(Object { sink: self.sink, list: self.list.as_ref() })? {
                None => return Ok(Items { has_objects: self.sink.found > found, held }),
                Some(None) => {}
                Some(Some(fields)) => held.push((place, fields)),
            }
        }
        match elements.next_element::<IgnoredAny>()? {
            None => Ok(Items { has_objects: true, held }),
            Some(_) => Err(de::Error::custom("an earlier item is wrong")),
        }
    }
}
