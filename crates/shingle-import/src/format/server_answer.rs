//! What servers answer in place of rows, and what they say of rows that they kept back.

use serde_json::{Map, Value};
use shingle_domain::message::Message;

use crate::format::cell;
use crate::format::file_note::{FileNote, NextPages};
use crate::format::file_problem::FileProblem;

/// What a download says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Paging {
    /// The server has more rows than these.
    has_more: bool,
    /// All rows that it has.
    whole: Option<u64>,
    is_of_arcgis: bool,
}

impl Paging {
    /// Looks at a member of a collection, before or behind its features.
    pub fn look(&mut self, key: &[u8], value: &[u8]) {
        let flag = |text: &[u8]| text == b"true" || text == b"\"true\"";
        match key {
            b"\"exceededTransferLimit\"" => self.exceeds(flag(value)),
            b"\"properties\"" if may_tell_of_pages(value) => {
                let properties = serde_json::from_slice::<Map<String, Value>>(value).unwrap_or_default();
                self.exceeds(properties.get("exceededTransferLimit") == Some(&Value::Bool(true)));
            }
            b"\"numberMatched\"" | b"\"totalFeatures\"" | b"\"totalCount\"" | b"\"total_count\"" => {
                let number = serde_json::from_slice::<Value>(value).ok();
                let number = number.and_then(|n| n.as_u64().or_else(|| n.as_str()?.parse().ok()));
                self.whole = self.whole.max(number);
            }
            b"\"links\"" => {
                let links = serde_json::from_slice::<Vec<Value>>(value).unwrap_or_default();
                self.has_more |= links.iter().any(|link| link.get("rel").and_then(Value::as_str) == Some("next"));
            }
            b"\"next\"" => self.has_more |= value.len() > 2 && value.starts_with(b"\""),
            _ => {}
        }
    }

    fn exceeds(&mut self, exceeds: bool) {
        self.has_more |= exceeds;
        self.is_of_arcgis |= exceeds;
    }
}

/// Longer properties are those of a feature.
const MOST_PROPERTIES: usize = 4_096;

/// Whether properties may be those of a collection. Looking is cheaper than reading them.
pub(crate) fn may_tell_of_pages(properties: &[u8]) -> bool {
    let word = b"exceededTransferLimit";
    properties.len() < MOST_PROPERTIES && properties.windows(word.len()).any(|window| window == word)
}

/// A file of a data set, or of a layer of it, as a part of a download.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) struct DownloadedFile {
    pub name: String,
    pub rows: u64,
    has_more: bool,
    whole: Option<u64>,
    is_of_arcgis: bool,
}

impl DownloadedFile {
    pub fn new(name: String, rows: u64, paging: Paging) -> Self {
        let Paging { has_more, whole, is_of_arcgis } = paging;
        Self { name, rows, has_more, whole, is_of_arcgis }
    }
}

/// As many rows as servers give at one time, by their usual settings.
const LIMITS: [u64; 9] = [1_000, 2_000, 4_000, 5_000, 10_000, 16_000, 32_000, 50_000, 100_000];

/// What is reported about files that are part of what their server has. They belong together: pages of one download end
/// with one that has no more.
pub(crate) fn parts_told(files: &[DownloadedFile]) -> Option<FileNote> {
    let rows: u64 = files.iter().map(|file| file.rows).sum();
    let way = |file: &DownloadedFile| if file.is_of_arcgis { NextPages::ArcGis } else { NextPages::Links };
    let whole = files.iter().filter_map(|file| Some((file, file.whole?))).max_by_key(|(_, whole)| *whole);
    if let Some((file, whole)) = whole.filter(|(_, whole)| *whole > rows) {
        return Some(FileNote::PartOfWhole { name: file.name.clone(), rows, whole, way: way(file) });
    }
    let ends = files.iter().filter(|file| !file.has_more && file.whole.is_none()).count();
    // One page that has no more ends a download. Two are of two.
    let open: Vec<&DownloadedFile> = files.iter().filter(|file| file.has_more && file.whole.is_none()).collect();
    if let Some(file) = open.first().filter(|_| ends != 1) {
        return Some(FileNote::PartWithMore { name: file.name.clone(), rows: file.rows, way: way(file) });
    }
    if open.is_empty() && whole.is_none() && files.iter().all(|file| LIMITS.contains(&file.rows)) {
        let told =
            |file: &DownloadedFile| FileNote::PerhapsPart { name: file.name.clone(), rows: file.rows, way: way(file) };
        return files.first().map(told);
    }
    None
}

/// What an object is that a server gave in place of rows.
pub(crate) fn in_place_of_rows(object: &Map<String, Value>) -> Option<FileProblem> {
    let text = |value: &Value| value.as_str().map(|text| cell::tidy(text).chars().take(200).collect::<String>());
    let said = |value: &Value| -> Option<String> {
        ["message", "description", "exceptionText", "text", "title"].iter().find_map(|key| text(value.get(key)?))
    };
    let has = |key: &str| object.get(key).is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
    let error = object.get("error").or_else(|| object.get("errors")).or_else(|| object.get("exceptions"));
    let of_list = |value: &Value| match value {
        Value::Array(list) => list.first().cloned(),
        other => Some(other.clone()),
    };
    if let Some(error) = error.and_then(of_list).filter(|error| !error.is_null() && *error != Value::Bool(false)) {
        let all = Value::Object(object.clone());
        let message = said(&error).or_else(|| text(&error)).or_else(|| said(&all)).map(Message::Text);
        return Some(FileProblem::ServerError {
            message: message.unwrap_or_else(|| FileProblem::NoReasonGiven.into()),
        });
    }
    if object.len() <= 6 && has("code") && has("message") {
        let message = text(&object["message"]).unwrap_or_default();
        return Some(FileProblem::ServerError { message: Message::Text(message) });
    }
    if object.contains_key("objectIds") || object.contains_key("currentVersion") {
        return Some(FileProblem::ArcGisLayer);
    }
    let is_of_lists = |value: &Value| value.as_array().is_some_and(|list| list.first().is_some_and(Value::is_array));
    if object.values().any(is_of_lists) {
        return Some(FileProblem::WithoutNames);
    }
    let is_list = |value: &Value| value.as_array().is_some_and(|list| list.first().is_some_and(Value::is_object));
    let (key, _) = object.iter().find(|(_, value)| is_list(value))?;
    Some(FileProblem::RowsWithin { key: cell::tidy(key).chars().take(40).collect() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn file(rows: u64, members: &[(&str, &str)]) -> DownloadedFile {
        let mut paging = Paging::default();
        members.iter().for_each(|(key, value)| paging.look(format!("\"{key}\"").as_bytes(), value.as_bytes()));
        DownloadedFile::new("a.json".to_owned(), rows, paging)
    }

    #[test]
    fn a_part_of_a_download_is_told_and_its_last_page_ends_it() {
        let more = ("exceededTransferLimit", "true");
        for (files, told) in [
            (vec![file(3, &[more])], "behind its 3 rows the server has more. Ask an ArcGIS"),
            (vec![file(3, &[("properties", "{\"exceededTransferLimit\":true}")])], "behind its 3 rows"),
            (vec![file(3, &[("links", "[{\"rel\":\"self\"},{\"rel\":\"next\",\"href\":\"x\"}]")])], "the link `next`"),
            (vec![file(3, &[("next", "\"https://a.example/2\"")])], "behind its 3 rows"),
            (vec![file(3, &[("numberMatched", "2000")])], "3 of 2000 rows"),
            (vec![file(3, &[("totalFeatures", "\"7\"")])], "3 of 7 rows"),
            (vec![file(3, &[("numberMatched", "9")]), file(3, &[("numberMatched", "9")])], "6 of 9 rows"),
            (vec![file(3, &[more]), file(3, &[more])], "a.json: this is a part"),
            (vec![file(3, &[more]), file(3, &[]), file(2, &[])], "behind its 3 rows"),
            (vec![file(1_000, &[])], "exactly 1000 rows"),
            (vec![file(2_000, &[])], "exactly 2000 rows"),
            (vec![file(2_000, &[]), file(2_000, &[])], "exactly 2000 rows"),
        ] {
            let found = parts_told(&files);
            assert!(found.as_ref().is_some_and(|found| found.to_string().contains(told)), "{told}: {found:?}");
        }
        for whole in [
            vec![file(3, &[])],
            vec![],
            vec![file(3, &[more]), file(2, &[])],
            vec![file(3, &[("exceededTransferLimit", "false")])],
            vec![file(3, &[("numberMatched", "3"), ("numberReturned", "3")])],
            vec![
                file(3, &[("numberMatched", "5"), ("links", "[{\"rel\":\"next\"}]")]),
                file(2, &[("numberMatched", "5")]),
            ],
            vec![file(3, &[("numberMatched", "\"unknown\"")])],
            vec![file(2_000, &[]), file(11, &[])],
            vec![file(3, &[("links", "[]"), ("next", "null")])],
        ] {
            assert_eq!(parts_told(&whole), None, "{whole:?}");
        }
    }

    #[test]
    fn answers_without_rows_are_named() {
        for (answer, told) in [
            (json!({"error": {"code": 400, "message": "Invalid URL", "details": []}}), "`Invalid URL`"),
            (json!({"error": true, "code": "dataset.missing", "message": "Not found"}), "`Not found`"),
            (json!({"error": "no such table"}), "`no such table`"),
            (json!({"errors": [{"title": "Bad request"}]}), "`Bad request`"),
            (json!({"exceptions": [{"code": "x", "text": "Unknown layer"}]}), "`Unknown layer`"),
            (json!({"code": "InvalidParameterValue", "description": "x", "message": "limit"}), "`limit`"),
            (json!({"error": {"code": 500}}), "no reason given"),
            (json!({"objectIdFieldName": "OBJECTID", "objectIds": [1, 2]}), "/query?where"),
            (json!({"currentVersion": 11.1, "id": 0, "name": "Parcels", "type": "Feature Layer"}), "/query?where"),
            (json!({"success": true, "records": [{"a": 1}]}), "`records`"),
            (json!({"data": [{"a": 1}], "meta": {}}), "`data`"),
            (json!({"meta": {"view": {}}, "data": [["row-1", 12], ["row-2", 14]]}), "ask the server for CSV"),
        ] {
            let found = in_place_of_rows(answer.as_object().unwrap());
            assert!(found.as_ref().is_some_and(|found| found.to_string().contains(told)), "{answer}: {found:?}");
        }
        for row in [json!({"a": 1, "error": null}), json!({"a": 1, "error": false}), json!({}), json!({"tags": [1, 2]})]
        {
            assert_eq!(in_place_of_rows(row.as_object().unwrap()), None, "{row}");
        }
    }
}
