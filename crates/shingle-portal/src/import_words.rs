//! The words of an import in the reader's language: its fields and messages.

use shingle_domain::Language;
use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::catalog::say;
use crate::element::{el, english};

pub(crate) fn field_name(key: &str) -> Option<&'static str> {
    Some(match key {
        "place.parcel" => "Parcel number",
        "address.line" => "Address in one line",
        "address.number" => "House number",
        "address.street" => "Street",
        "address.unit" => "Unit",
        "address.city" => "Town",
        "address.state" => "State",
        "address.zip" => "ZIP code",
        "geometry.longitude" => "Longitude",
        "geometry.latitude" => "Latitude",
        "assessor.year_built" => "Year built",
        "assessor.living_area_sqft" => "Living area",
        "assessor.building_area_sqft" => "Building area",
        "assessor.ground_floor_sqft" => "Ground floor",
        "assessor.storeys" => "Storeys",
        "assessor.units" => "Homes in the building",
        "assessor.roof_material" => "Covering",
        "assessor.roof_type" => "Roof shape",
        "assessor.property_class" => "Property class",
        "assessor.property_type" => "Property type",
        "assessor.primary_owner" => "Homeowner on record",
        "assessor.sale_date" => "Sale date",
        "assessor.sale_price" => "Sale price",
        "assessor.assessed_value" => "Assessed value",
        _ => return None,
    })
}

/// Fields that cannot be chosen here have the mapping's own name.
pub(crate) fn heading(name: &str) -> Text {
    match name {
        "parcel" => "Parcel number".into(),
        "street" => "Street".into(),
        "unit" => "Unit".into(),
        "town" => "Town".into(),
        "longitude" => "Longitude".into(),
        "latitude" => "Latitude".into(),
        name => field_name(&format!("assessor.{name}")).map_or_else(|| name.to_owned().into(), Text::from),
    }
}

/// Puts the message into the node.
pub(crate) fn told_by_import(node: Node, language: Language, message: &Message) -> Node {
    match in_lines_of_text(message) {
        // The lines stay as somebody wrote them, and the parser's own words are English.
        Some((before, problem)) if language != Language::English && !problem.is_empty() => {
            node.text(say(language, &before)).child(english(el("span")).text(problem))
        }
        Some(_) => node.text(say(language, message)),
        None => node.text(quoted(&say(language, message))),
    }
}

/// A mistake in the text of a mapping, which is shown with its lines: what is said before the words of the parser, and
/// these words. They are empty where ours stand in their place.
fn in_lines_of_text(message: &Message) -> Option<(Message, String)> {
    let Message::Sentence { key, english, values } = message else { return None };
    let (name, before, problem) = match values.get("problem") {
        Some(problem) if key == "TomlMistake.At" => match problem {
            Message::Text(theirs) => ("problem", Message::Text(String::new()), theirs.clone()),
            ours => ("problem", ours.clone(), String::new()),
        },
        _ => {
            let (before, problem) = in_lines_of_text(values.get("detail")?)?;
            ("detail", before, problem)
        }
    };
    let mut values = values.clone();
    values.insert(name.into(), before);
    Some((Message::Sentence { key: key.clone(), english: english.clone(), values }, problem))
}

/// Marks of code are quotation marks where people read.
fn quoted(said: &str) -> String {
    let mut parts = said.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for (n, part) in parts.enumerate() {
        text.push(if n % 2 == 0 { '“' } else { '”' });
        text.push_str(part);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the importer has it.
    fn mistake(problem: Message) -> Message {
        let lines = "  |\n5 | yearbuilt = \"Y | Z\"\n  | ^^^^^^^^^\n".to_owned();
        let numbers = [("line", "5"), ("column", "1")].map(|(name, text)| (name, Message::Text(text.to_owned())));
        let [line, column] = numbers;
        let english = "TOML parse error at line {line}, column {column}\n{lines}{problem}";
        let at = Message::new(
            "TomlMistake.At",
            english,
            [line, column, ("lines", Message::Text(lines)), ("problem", problem)],
        );
        Message::new("ImportFault.Mapping", "the mapping: {detail}", [("detail", at)])
    }

    #[test]
    fn a_mistake_in_the_text_keeps_its_lines_and_the_words_of_the_parser() {
        let told = |language: Language, problem: Message| {
            let node = told_by_import(el("pre"), language, &mistake(problem));
            shingle_widget::ssr::document(node, shingle_widget::words::flow_words(language))
        };
        let key = ("key", Message::Text("dataset".to_owned()));
        let ours = Message::new("TomlMistake.MissingKey", "the key `{key}` is missing", [key]);
        let spanish = told(Language::Spanish, ours.clone());
        for part in
            ["la correspondencia: error de TOML en la línea 5, columna 1\n", "^^^^^^^^^\nfalta la clave `dataset`"]
        {
            assert!(spanish.contains(part), "{part} is not in {spanish}");
        }
        let theirs = Message::Text("unexpected leading zero".to_owned());
        let spanish = told(Language::Spanish, theirs.clone());
        assert!(spanish.contains("^^^^^^^^^\n<span lang=\"en\">unexpected leading zero</span>"), "{spanish}");
        assert!(!told(Language::English, theirs).contains("<span"));
        assert!(told(Language::English, ours).contains("the key `dataset` is missing"));
    }
}
