//! Keys that no mapping has: the error names the nearest one first, then all.

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error, StrDeserializer};

use crate::format::columns::nearest;
use crate::mapping::field::Field;
use crate::mapping::parser_words::in_our_words;

/// Keys that are above the first table.
const OF_THE_FILE: [&str; 6] = ["dataset", "title", "licence", "as_of", "invented", "blank"];

/// The parser's error about a key, with what is probably meant; any other in our words.
pub(super) fn with_nearest(error: &str) -> String {
    for unknown in ["unknown field `", "unknown variant `"] {
        let Some((before, rest)) = error.split_once(unknown) else { continue };
        let Some((key, list)) = rest.split_once('`') else { continue };
        let known: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        let keys = known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        let problem = match meant(key, &known) {
            Some(hint) => format!("no key is called `{key}` ({hint}), expected one of {keys}"),
            None => format!("no key is called `{key}`, expected one of {keys}"),
        };
        return format!("{before}{problem}");
    }
    if let Some((before, key)) = error.split_once("missing field `") {
        let key = key.split('`').next().unwrap_or_default();
        let problem = format!("the key `{key}` is missing");
        return format!("{before}{problem}");
    }
    if error.contains("invalid date") {
        return format!("{error}. A month is written in quotes: \"2025-06\"", error = error.trim_end());
    }
    in_our_words(error)
}

fn meant(key: &str, known: &[String]) -> Option<String> {
    let is_of_file = OF_THE_FILE.contains(&key) && !known.iter().any(|k| k == "dataset");
    if is_of_file {
        return Some(format!("`{key}` stands above the first table"));
    }
    let field: StrDeserializer<'_, Error> = key.into_deserializer();
    if Field::deserialize(field).is_ok() {
        return Some("it belongs in `[assessor]`".to_owned());
    }
    nearest(key, known).map(|near| format!("is `{near}` meant?"))
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
            (format!("{head}as_of = \"2025\""), "(`as_of` stands above the first table)"),
            (format!("{head}qqq = \"Y\""), "no key is called `qqq`, expected one of `line`"),
            ("as_of = 2023-10\n".to_owned(), "A month is written in quotes"),
            ("dataset = \"x\"\n[place]\nparcel = \"A\"".to_owned(), "the mapping has no `[address]`"),
        ] {
            let error = Mapping::from_toml(&toml, "m.toml").unwrap_err().to_string();
            assert!(error.contains(told), "{told}: {error}");
        }
    }
}
