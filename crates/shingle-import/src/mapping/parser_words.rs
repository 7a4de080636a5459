//! Messages of the TOML parser, reworded for people who write a mapping and no programs.

use std::ops::Range;

use shingle_domain::message::{Message, ToMessage};

use crate::geo::crs::EXPECTED_CRS;
use crate::mapping::mapping_problem::{TomlMistake, TomlValue};
use crate::mapping::raw_formula::EXPECTED_FORMULA;

/// Its usual sentences and ours. Others stay as they are.
const SENTENCES: [(&str, TomlMistake); 11] = [
    ("key with no value, expected `=`", TomlMistake::Value),
    ("missing assignment between key-value pairs, expected `=`", TomlMistake::Value),
    ("missing comma between key-value pairs, expected `,`", TomlMistake::CommaBetweenKeys),
    ("missing comma between array elements, expected `,`", TomlMistake::CommaInList),
    ("string values must be quoted, expected literal string", TomlMistake::Quotes),
    ("invalid basic string, expected `\"`", TomlMistake::OpenText),
    ("invalid literal string, expected `'`", TomlMistake::OpenLiteral),
    ("unclosed array, expected `]`", TomlMistake::OpenList),
    ("unclosed inline table, expected `}`", TomlMistake::OpenTable),
    ("unclosed table, expected `]`", TomlMistake::OpenHeading),
    ("duplicate key", TomlMistake::Twice),
];

/// A mistake with the lines it is in. `shown` is the parser's error with them, `problem` says what is wrong there.
pub(crate) fn at_its_lines(
    text: &str,
    span: Option<Range<usize>>,
    shown: &str,
    message: &str,
    problem: Message,
) -> Message {
    let Some(before) = span.and_then(|span| text.get(..span.start)) else { return problem };
    let lines = shown.split_once('\n').and_then(|(_, rest)| rest.trim_end().strip_suffix(message.trim_end()));
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
    TomlMistake::At { line, column, lines: lines.unwrap_or_default().to_owned(), problem }.into()
}

/// What the parser says, in our words.
pub(super) fn in_our_words(message: &str) -> Message {
    let message = message.trim_end();
    if let Some((_, ours)) = SENTENCES.iter().find(|(theirs, _)| message.ends_with(theirs)) {
        return ours.to_message();
    }
    for wrong in ["invalid type: ", "invalid value: "] {
        let Some((_, rest)) = message.rsplit_once(wrong) else { continue };
        let Some((found, wanted)) = rest.split_once(", expected ") else { continue };
        return TomlMistake::Other { found: found_one(found), wanted: wanted_one(wanted) }.into();
    }
    Message::Text(message.to_owned())
}

/// ``integer `5` ``, `string "a"`: the value says on its own what it is.
fn found_one(found: &str) -> Message {
    match found {
        "map" => TomlValue::Table.into(),
        "sequence" => TomlValue::List.into(),
        _ => found.find(['`', '"']).map_or(found, |at| &found[at..]).to_message(),
    }
}

fn wanted_one(wanted: &str) -> Message {
    let value = match wanted {
        "a string" => TomlValue::Text,
        "a sequence" => TomlValue::List,
        "a map" => TomlValue::Table,
        "a boolean" => TomlValue::Flag,
        "f64" | "i32" | "u32" => TomlValue::Number,
        EXPECTED_FORMULA => TomlValue::Formula,
        EXPECTED_CRS => TomlValue::Crs,
        _ if wanted.starts_with("struct ") => TomlValue::Table,
        _ => return wanted.to_message(),
    };
    value.into()
}

#[cfg(test)]
mod tests {
    use crate::mapping::file::Mapping;

    #[test]
    fn mistakes_are_told_without_the_words_of_programs() {
        for (toml, told) in [
            ("dataset", "behind a key come `=` and its value"),
            ("dataset = x", "a text goes in quotes"),
            ("dataset = \"x", "the text has no end: `\"` is missing"),
            ("dataset = \"x\"\nblank = [\"a\"", "the list has no end: `]` is missing"),
            ("dataset = \"x\"\nblank = [\"a\" \"b\"]", "a comma is missing in the list"),
            ("dataset = \"x\"\n[address\n", "the table's name has no end: `]` is missing"),
            ("[address]\nline = { column \"A\" }", "behind a key come `=` and its value"),
            ("[address]\nline = { column = \"A\" unit = \"m\" }", "a comma is missing between two keys"),
            ("dataset = \"x\"\ndataset = \"y\"", "this key appears twice"),
            ("dataset = 5", "here is `5`, and what belongs here is a text"),
            ("dataset = \"x\"\nblank = 5", "here is `5`, and what belongs here is a list"),
            ("dataset = \"x\"\naddress = 5", "here is `5`, and what belongs here is a table"),
            ("invented = \"yes\"\ndataset = \"x\"", "here is \"yes\", and what belongs here is true or false"),
            (
                "dataset = \"x\"\n[address]\nline = { times = \"a\" }",
                "here is \"a\", and what belongs here is a number",
            ),
            (
                "dataset = \"x\"\n[address]\nline = 5",
                "here is `5`, and what belongs here is the name of a column, or a table with `column`,",
            ),
            // What it says more rarely.
            ("= 5", "unquoted keys cannot be empty"),
        ] {
            let error = Mapping::from_toml(toml, "m.toml").unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("TOML parse error at line"), "{told}: {error}");
        }
    }
}
