//! Messages of the TOML parser, reworded for people who write a mapping and no programs.

/// Its usual sentences and ours. Others stay as they are.
const SENTENCES: [(&str, &str); 11] = [
    ("key with no value, expected `=`", "behind a key come `=` and its value"),
    ("missing assignment between key-value pairs, expected `=`", "behind a key come `=` and its value"),
    ("missing comma between key-value pairs, expected `,`", "a comma is missing between two keys"),
    ("missing comma between array elements, expected `,`", "a comma is missing in the list"),
    ("string values must be quoted, expected literal string", "a text stands in quotes"),
    ("invalid basic string, expected `\"`", "the text has no end: `\"` is missing"),
    ("invalid literal string, expected `'`", "the text has no end: `'` is missing"),
    ("unclosed array, expected `]`", "the list has no end: `]` is missing"),
    ("unclosed inline table, expected `}`", "the table has no end: `}` is missing"),
    ("unclosed table, expected `]`", "the table's name has no end: `]` is missing"),
    ("duplicate key", "this key stands here twice"),
];

/// Its error, which ends in a sentence, with the sentence in our words.
pub(super) fn in_our_words(error: &str) -> String {
    let error = error.trim_end();
    if let Some((before, ours)) = SENTENCES.iter().find_map(|(theirs, ours)| Some((error.strip_suffix(theirs)?, ours)))
    {
        return format!("{before}{ours}");
    }
    for wrong in ["invalid type: ", "invalid value: "] {
        let Some((before, rest)) = error.rsplit_once(wrong) else { continue };
        let Some((found, wanted)) = rest.split_once(", expected ") else { continue };
        let (found, wanted) = (found_one(found), wanted_one(wanted));
        let problem = format!("here stands {found}, and what belongs here is {wanted}");
        return format!("{before}{problem}");
    }
    error.to_owned()
}

/// ``integer `5` ``, `string "a"`: the value says on its own what it is.
fn found_one(found: &str) -> &str {
    match found {
        "map" => "a table",
        "sequence" => "a list",
        _ => found.find(['`', '"']).map_or(found, |at| &found[at..]),
    }
}

fn wanted_one(wanted: &str) -> &str {
    match wanted {
        "a string" => "a text",
        "a sequence" => "a list",
        "a map" => "a table",
        "a boolean" => "true or false",
        "f64" | "i32" | "u32" => "a number",
        _ if wanted.starts_with("struct ") => "a table",
        _ => wanted,
    }
}

#[cfg(test)]
mod tests {
    use crate::mapping::file::Mapping;

    #[test]
    fn mistakes_are_told_without_the_words_of_programs() {
        for (toml, told) in [
            ("dataset", "behind a key come `=` and its value"),
            ("dataset = x", "a text stands in quotes"),
            ("dataset = \"x", "the text has no end: `\"` is missing"),
            ("dataset = \"x\"\nblank = [\"a\"", "the list has no end: `]` is missing"),
            ("dataset = \"x\"\nblank = [\"a\" \"b\"]", "a comma is missing in the list"),
            ("dataset = \"x\"\n[address\n", "the table's name has no end: `]` is missing"),
            ("[address]\nline = { column \"A\" }", "behind a key come `=` and its value"),
            ("[address]\nline = { column = \"A\" unit = \"m\" }", "a comma is missing between two keys"),
            ("dataset = \"x\"\ndataset = \"y\"", "this key stands here twice"),
            ("dataset = 5", "here stands `5`, and what belongs here is a text"),
            ("dataset = \"x\"\nblank = 5", "here stands `5`, and what belongs here is a list"),
            ("dataset = \"x\"\naddress = 5", "here stands `5`, and what belongs here is a table"),
            ("invented = \"yes\"\ndataset = \"x\"", "here stands \"yes\", and what belongs here is true or false"),
            (
                "dataset = \"x\"\n[address]\nline = { times = \"a\" }",
                "here stands \"a\", and what belongs here is a number",
            ),
            (
                "dataset = \"x\"\n[address]\nline = 5",
                "here stands `5`, and what belongs here is the name of a column, or a table with `column`,",
            ),
            // What it says more rarely.
            ("= 5", "unquoted keys cannot be empty"),
        ] {
            let error = Mapping::from_toml(toml, "m.toml").unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("TOML parse error at line"), "{told}: {error}");
        }
    }
}
