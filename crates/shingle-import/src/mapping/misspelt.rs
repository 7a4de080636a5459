//! Keys that no mapping has: the error names the nearest one first, then all.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};
use shingle_domain::message::Message;

use crate::format::columns::nearest;
use crate::mapping::field::Field;
use crate::mapping::mapping_problem::{KeyHint, TomlMistake};
use crate::mapping::parser_words::{at_its_lines, in_our_words};

/// Keys that are above the first table.
const OF_THE_FILE: [&str; 7] = ["dataset", "title", "licence", "as_of", "invented", "national", "blank"];

/// The parser's error: about a key, with what is probably meant; any other in our words.
pub(super) fn with_nearest(text: &str, error: &toml::de::Error) -> Message {
    let message = error.message();
    at_its_lines(text, error.span(), &error.to_string(), message, problem(message))
}

fn problem(message: &str) -> Message {
    // The parser carries only texts, so ours come through it as JSON.
    if message.starts_with('{')
        && let Ok(ours) = serde_json::from_str(message)
    {
        return ours;
    }
    for unknown in ["unknown field `", "unknown variant `"] {
        let Some((_, rest)) = message.split_once(unknown) else { continue };
        let Some((key, list)) = rest.split_once('`') else { continue };
        let known: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let keys = known.iter().map(|key| format!("`{key}`")).collect();
        let hint = meant(key, &known);
        let key = key.to_owned();
        return match hint {
            Some(hint) => TomlMistake::UnknownKeyMeant { key, hint, keys }.into(),
            None => TomlMistake::UnknownKey { key, keys }.into(),
        };
    }
    if let Some((_, key)) = message.split_once("missing field `") {
        return TomlMistake::MissingKey { key: key.split('`').next().unwrap_or_default().to_owned() }.into();
    }
    if message.contains("invalid date") {
        return TomlMistake::Month { error: message.trim_end().to_owned() }.into();
    }
    in_our_words(message)
}

fn meant(key: &str, known: &[String]) -> Option<KeyHint> {
    let is_of_file = OF_THE_FILE.contains(&key) && !known.iter().any(|k| k == "dataset");
    if is_of_file {
        return Some(KeyHint::AboveTables { key: key.to_owned() });
    }
    let field: StrDeserializer<'_, Error> = key.into_deserializer();
    if Field::deserialize(field).is_ok() {
        return Some(KeyHint::OfAssessor);
    }
    nearest(key, known).map(|near| KeyHint::Near { near: near.clone() })
}

#[cfg(test)]
mod tests {
    use crate::mapping::file::Mapping;

    #[test]
    fn the_nearest_key_is_named_before_all_of_them() {
        let head = "dataset = \"x\"\n[address]\nline = \"A\"\n";
        for (toml, told) in [
            (
                format!("{head}[assessor]\nyearbuilt = \"Y\""),
                "no key is called `yearbuilt` (is `year_built` meant?), expected",
            ),
            (format!("{head}[assessor]\nliving_area = \"Y\""), "(is `living_area_sqft` meant?)"),
            ("dataset = \"x\"\n[adress]\nline = \"A\"".to_owned(), "(is `address` meant?)"),
            ("dataset = \"x\"\n[address]\nline = { colum = \"A\" }".to_owned(), "(is `column` meant?)"),
            (format!("{head}year_built = \"Y\""), "(it belongs in `[assessor]`)"),
            (format!("{head}as_of = \"2025\""), "(`as_of` goes above the first table)"),
            (format!("{head}qqq = \"Y\""), "no key is called `qqq`, expected one of `line`"),
            ("as_of = 2023-10\n".to_owned(), "A month is written in quotes"),
            ("dataset = \"x\"\n[place]\nparcel = \"A\"".to_owned(), "the mapping has no `[address]`"),
        ] {
            let error = Mapping::from_toml(&toml, "m.toml").unwrap_err().to_string();
            assert!(error.contains(told), "{told}: {error}");
        }
    }
}
