//! `www/words/messages-es.json` has a sentence for each message that other crates have as data, and no other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod all_messages;

use std::collections::{BTreeMap, BTreeSet};

use shingle_domain::message::Message;
use shingle_domain::{Language, Rule};
use shingle_portal::say;

use all_messages::all_messages;

/// What stands between braces, and what follows it.
fn gaps(sentence: &str) -> impl Iterator<Item = (&str, &str)> {
    sentence.split('{').skip(1).filter_map(|rest| rest.split_once('}'))
}

/// The names between braces, each once: a language has its own forms of words that count.
fn values(sentence: &str) -> BTreeSet<&str> {
    gaps(sentence).map(|(gap, _)| gap.split('|').next().unwrap_or_default()).collect()
}

/// With a number in every gap.
fn read_with(sentence: &str, number: &str) -> String {
    let keys = values(sentence).into_iter().map(|name| (name.to_owned().into(), Message::Text(number.to_owned())));
    Message::Sentence { key: "".into(), english: sentence.to_owned().into(), values: keys.collect() }.to_string()
}

/// These words end like a plural and go with one thing, or with what is no number.
const NO_PLURAL: &str = "is has was does says lacks sends answers blocks delays reaches redirects subscribes its address \
                         waits this less es más sus las los demás ellas muchos muchas todas";
/// Their numbers are limits, or are said from two on.
const NEVER_ONE: [&str; 25] = [
    "Rule.CleanLine",
    "Rule.DecimalPlaces",
    "Rule.Elements",
    "Rule.Line",
    "Rule.MaxElements",
    "Rule.MaxLength",
    "Rule.NearDay",
    "SettingProblem.TooShort",
    "FileProblem.TooManyNodes",
    "FileNote.RepeatedHeading",
    "ImportNote.OfFiles",
    "ImportProblem.NothingImported",
    "ImportProblem.NothingImportedBecause",
    "LayerProblem.NothingUsable",
    "LayerProblem.UnknownIds",
    "CalibrationError.OneSided",
    "CalibrationError.TooFewRows",
    "Finding.DollarSales",
    "Finding.Runtime",
    "Finding.RowsNotFound",
    "Finding.SharedIds",
    "Finding.Unusual",
    "SiteMessage.Repeated",
    "Suggestion.Duplicates",
    "EgressError.TooManyRedirects",
];

#[test]
fn what_counts_is_said_of_one_as_people_say_it() {
    let spanish: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../../www/words/messages-es.json")).unwrap();
    let all = all_messages().into_iter().chain(spanish.iter().map(|(key, sentence)| (key.as_str(), sentence.as_str())));
    let mut wrong = Vec::new();
    for (key, sentence) in all {
        let one = read_with(sentence, "1");
        let word = |rest: &str| rest.trim_end_matches([',', ';', ':', '.', ')', '`', '?']).to_owned();
        let words: Vec<String> = one.split(' ').map(word).collect();
        let is_plural = |word: &String| {
            word.ends_with('s')
                && word.chars().all(char::is_lowercase)
                && !NO_PLURAL.split(' ').any(|known| known == word)
        };
        let said = words.windows(2).any(|pair| pair[0] == "1" && is_plural(&pair[1]));
        if said && !NEVER_ONE.contains(&key) {
            wrong.push(one);
        }
        // Zero is said as two are.
        assert_eq!(read_with(sentence, "0").replace('0', "2"), read_with(sentence, "2").replace('0', "2"), "{key}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(read_with("{n} {n|row is|rows are} empty", "1"), "1 row is empty");
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
