//! `www/words/messages-es.json` has a sentence for each message that other crates have as data, and no other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod all_messages;

use std::collections::BTreeMap;

use shingle_domain::{Language, Rule};
use shingle_portal::say;

use all_messages::all_messages;

/// The names between braces, sorted.
fn values(sentence: &str) -> Vec<&str> {
    let mut names: Vec<_> = sentence.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_message_has_its_sentence_with_the_same_values_in_every_language() {
    let spanish: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../../www/words/messages-es.json")).unwrap();
    let english: BTreeMap<_, _> = all_messages().into_iter().collect();
    assert_eq!(english.len(), all_messages().len(), "two messages have one key");
    let missing: Vec<_> = english.keys().filter(|key| !spanish.contains_key(**key)).collect();
    assert!(missing.is_empty(), "without Spanish: {missing:?}");
    let idle: Vec<_> = spanish.keys().filter(|key| !english.contains_key(key.as_str())).collect();
    assert!(idle.is_empty(), "said by nobody: {idle:?}");
    for (key, english) in english {
        assert_eq!(values(english), values(&spanish[key]), "{key}");
        assert!(!spanish[key].trim().is_empty(), "{key}");
    }
}

#[test]
fn a_message_is_said_in_the_language_of_its_reader() {
    let rule = Rule::Max { max: 7 };
    assert_eq!(say(Language::English, &rule), "must not be greater than 7");
    assert_eq!(say(Language::Spanish, &rule), "no puede ser mayor que 7");
}

#[test]
fn a_mistake_in_a_mapping_is_said_with_all_its_parts_in_the_language_of_its_reader() {
    let address = "dataset = \"x\"\n[address]\nline = \"A\"\n";
    let line = |table: &str| format!("{address}{table}");
    for (mapping, spanish) in [
        ("dataset = 5".to_owned(), "aquí está `5`, y lo que va aquí es un texto"),
        (line("[assessor]\nyearbuilt = \"Y\""), "ninguna clave se llama `yearbuilt` (¿quiere decir `year_built`?)"),
        (
            format!("as_of = \"soon\"\n{address}"),
            "`as_of` debe ser un año, un mes o un día: \"2025\", \"2025-06\" o \"2025-06-30\"; `soon` no lo es",
        ),
        (
            line("[assessor]\nroof_type = { column = \"R\", codes = { 1 = \"tower\" } }"),
            "la correspondencia: `[assessor] roof_type`: un código significa flat, shed, gable, hip, gambrel o mansard; `tower` \
             no es nada de eso",
        ),
        (
            line("[assessor]\nsale_date = { column = \"D\", formats = [\"DD\"] }"),
            "`DD` no es el formato de una fecha completa. `%Y` es un año, `%y` uno de dos dígitos, `%m` un mes, `%b` su nombre, \
             `%d` un día; o `excel`, `epoch-ms`, `epoch-s`",
        ),
        (
            "dataset = \"X Y\"\n[address]\nline = \"A\"\n".to_owned(),
            "la correspondencia: `dataset` es el nombre del índice",
        ),
    ] {
        let message = shingle_import::explained(&shingle_import::Mapping::typed(&mapping).unwrap_err());
        let said = say(Language::Spanish, &message);
        assert!(said.contains(spanish), "{spanish} is not in {said}");
        assert_ne!(said, say(Language::English, &message));
    }
}
