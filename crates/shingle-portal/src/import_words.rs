//! The words of an import in the reader's language: its fields and messages.

use shingle_domain::Language;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{el, english};
use crate::phrase::{found, phrase, retold};
use crate::told::is_place;

const MAX_PLACES: usize = 3;
/// Of the columns' names in a message too, which may be any.
const MAX_COLONS: usize = 8;

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
        "assessor.roof_type" => "Form of the roof",
        "assessor.property_class" => "Class of property",
        "assessor.property_type" => "Type of property",
        "assessor.primary_owner" => "Owner of the home",
        "assessor.sale_date" => "Date of sale",
        "assessor.sale_price" => "Price of sale",
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

/// Puts the message into the node; one that has no translation stays English, marked.
pub(crate) fn told_by_import(node: Node, language: Language, said: &str) -> Node {
    if let Some((frame, problem)) = of_text(language, said) {
        return match found(language, problem) {
            Some(found) => node.text(frame + &found),
            None => node.text(frame).child(english(el("span")).text(problem.to_owned())),
        };
    }
    match known(language, said) {
        Some(known) => node.text(quoted(&known)),
        None => english(node).text(quoted(said)),
    }
}

/// A mistake in the text of a mapping: where, with the lines themselves, and what the parser says of them.
fn of_text(language: Language, said: &str) -> Option<(String, &str)> {
    let (about, rest) = said.split_once(": TOML parse error at line ")?;
    let (line, rest) = rest.split_once(", column ")?;
    let (column, rest) = rest.split_once('\n')?;
    // Under the lines stands a mark.
    let end = rest.rfind("| ").and_then(|bar| Some(bar + rest[bar..].find('\n')? + 1))?;
    let about = found(language, about)?;
    let place =
        phrase(language, "TOML parse error at line {line}, column {column}", &[("line", line), ("column", column)]);
    Some((format!("{about}: {place}\n{}", &rest[..end]), rest[end..].trim_end()))
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

/// `out of range: 1875`: what is wrong with a cell, then the cell, which stays as it is.
pub(crate) fn problem_of_cells(language: Language, problem: &str) -> String {
    match problem.split_once(": ") {
        Some((kind, cell)) => format!("{}: {cell}", retold(language, kind)),
        None => retold(language, problem),
    }
}

fn known(language: Language, said: &str) -> Option<String> {
    known_below(language, said, MAX_PLACES)
}

/// `left` of the names that a message is about may precede it: a file, then a key of the mapping.
fn known_below(language: Language, said: &str, left: usize) -> Option<String> {
    without_values(language, said).or_else(|| {
        let left = left.checked_sub(1)?;
        said.match_indices(": ").take(MAX_COLONS).find_map(|(at, _)| {
            let (about, message) = (&said[..at], &said[at + 2..]);
            let about = if is_name(about) { about.to_owned() } else { found(language, about)? };
            Some(format!("{about}: {}", known_below(language, message, left)?))
        })
    })
}

/// The reason of several rows has `…` where each has a value between backticks.
fn without_values(language: Language, said: &str) -> Option<String> {
    let marked = said.contains('…').then(|| said.replace('…', "`…`"));
    let found_marked = marked.and_then(|marked| Some(found(language, &marked)?.replace("`…`", "…")));
    found_marked.or_else(|| found(language, said))
}

/// Of a file or a field: a sentence has spaces and no such end.
fn is_name(text: &str) -> bool {
    let is_ending = |end: &str| (1..=8).contains(&end.len()) && end.bytes().all(|b| b.is_ascii_alphanumeric());
    is_place(text) || text.rsplit_once('.').is_some_and(|(_, end)| is_ending(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_an_import_are_told_in_spanish() {
        for (english, spanish) in [
            ("My towns.csv: the file is empty", "My towns.csv: el archivo está vacío"),
            ("`12A45` is not a ZIP", "`12A45` no es un código postal"),
            ("… is not a ZIP; the first is `12A45`", "… no es un código postal; el primero es `12A45`"),
            (
                "the outline covers #. m²: less than a building (# m²)",
                "el contorno abarca #. m²: menos que un edificio (# m²)",
            ),
            (
                "a.csv: no row of 9 could be imported; 7 of them: … is not a ZIP; the first is `X`. The index is unchanged",
                "a.csv: no se pudo importar ninguna de 9 filas; 7 de ellas: … no es un código postal; el primero es `X`. El \
                 índice no cambió",
            ),
            (
                "a.shp: 9 of 10 shapes: outside the United States; is the projection right? If it is not, set `crs` in the \
                 `[geometry]` of the mapping to its EPSG number (2284, say) or to a proj string. Nothing was imported",
                "a.shp: 9 de 10 formas: fuera de Estados Unidos; ¿es correcta la proyección? Si no lo es, ponga en `crs`, en \
                 `[geometry]` de la correspondencia, su número EPSG (por ejemplo 2284) o una cadena de proj. No se importó nada",
            ),
            (
                "a.csv: no column `ME`; a text that is the same in every row is written { constant = \"ME\" }. The file has: A, B",
                "a.csv: no hay columna `ME`; un texto que es igual en todas las filas se escribe { constant = \"ME\" }. El \
                 archivo tiene: A, B",
            ),
            (
                "year_built: 12 of 40 cells were not understood; is its unit the right one?",
                "year_built: no se entendieron 12 de 40 celdas; ¿es correcta su unidad?",
            ),
            (
                "the mapping: `[assessor] roof_type`: a code means flat, shed, gable, hip, gambrel or mansard; `tower` does not",
                "la correspondencia: `[assessor] roof_type`: un código significa flat, shed, gable, hip, gambrel o mansard; \
                 `tower` no es nada de eso",
            ),
            (
                "the mapping: `[assessor] sale_date`: `DD` is no format of a whole date. `%Y` is a year, `%y` one of two digits, \
                 `%m` a month, `%b` its name, `%d` a day; or `excel`, `epoch-ms`, `epoch-s`",
                "la correspondencia: `[assessor] sale_date`: `DD` no es el formato de una fecha completa. `%Y` es un año, `%y` uno \
                 de dos dígitos, `%m` un mes, `%b` su nombre, `%d` un día; o `excel`, `epoch-ms`, `epoch-s`",
            ),
            (
                "the mapping: `[address] zip`: `ABC` is not a 5-digit code",
                "la correspondencia: `[address] zip`: `ABC` no es un código de 5 dígitos",
            ),
            (
                "the mapping: `as_of` must be a year, a month or a day: \"2025\", \"2025-06\" or \"2025-06-30\", not `soon`",
                "la correspondencia: `as_of` debe ser un año, un mes o un día: \"2025\", \"2025-06\" o \"2025-06-30\"; `soon` no lo es",
            ),
            (
                "the mapping: `[address] city`: fill in the town; the draft found none in the file",
                "la correspondencia: `[address] city`: escriba la localidad; no se encontró ninguna en el archivo",
            ),
        ] {
            assert_eq!(known(Language::Spanish, english).as_deref(), Some(spanish));
            assert_eq!(known(Language::English, english).as_deref(), Some(english));
        }
        assert_eq!(problem_of_cells(Language::Spanish, "not in the codes: 14"), "no está en los códigos: 14");
        assert_eq!(known(Language::Spanish, "somebody said this: the file is empty"), None);
    }

    #[test]
    fn a_mistake_in_the_text_keeps_its_lines_and_the_words_of_the_parser() {
        let told = |said: &str| {
            let node = told_by_import(el("pre"), Language::Spanish, said);
            shingle_widget::ssr::document(node, shingle_widget::words::flow_words(Language::Spanish))
        };
        let lines = "  |\n5 | yearbuilt = \"Y | Z\"\n  | ^^^^^^^^^\n";
        let of =
            |problem: &str| told(&format!("the mapping: TOML parse error at line 5, column 1\n{lines}{problem}\n"));
        let ours = of("no key is called `yearbuilt` (is `year_built` meant?), expected one of `units`, `style`");
        for part in [
            "la correspondencia: error de TOML en la línea 5, columna 1\n",
            "^^^^^^^^^\nninguna clave se llama `yearbuilt` (¿quiere decir `year_built`?); se espera una de `units`, `style`",
        ] {
            assert!(ours.contains(part), "{part} is not in {ours}");
        }
        let wanted = of("here stands `5`, and what belongs here is a text");
        assert!(wanted.contains("aquí está `5`, y lo que va aquí es un texto"), "{wanted}");
        let theirs = of("unexpected leading zero");
        assert!(theirs.contains("^^^^^^^^^\n<span lang=\"en\">unexpected leading zero</span>"), "{theirs}");
    }
}
