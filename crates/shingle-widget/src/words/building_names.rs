//! Translates the names of buildings and roofs, which the server has in English: its own, or those of the source.

use shingle_domain::Language;
use shingle_domain::public::RoofResponse;

type Names = [(&'static str, &'static str)];

/// Puts the names of buildings and shapes into the language, as far as their words are known.
pub fn name_buildings(language: Language, answer: &mut RoofResponse) {
    let found = match answer {
        RoofResponse::Roof(found) => found,
        RoofResponse::NoRoof { roof: Some(found), .. } => &mut **found,
        _ => return,
    };
    for building in &mut found.buildings {
        match language {
            Language::English => building.shape = put(&building.shape, PLAIN_SHAPES),
            Language::Spanish => {
                building.label = put(&building.label, BUILDINGS);
                building.shape = put(&building.shape, SHAPES);
            }
        }
    }
}
/// `Hip, L-shaped` or `Garage 2`. Every part must be known: a half translation is worse than none.
fn put(name: &str, names: &Names) -> String {
    let parts: Option<Vec<String>> = name.split(", ").map(|words| translated(words, names)).collect();
    parts.map_or_else(|| name.to_owned(), |parts| capitalized(&parts.join(", ")))
}

fn translated(words: &str, names: &Names) -> Option<String> {
    let (bare, number) = match words.rsplit_once(' ') {
        Some((bare, number)) if number.bytes().all(|b| b.is_ascii_digit()) => (bare, Some(number)),
        _ => (words, None),
    };
    let lower = bare.to_lowercase();
    let (_, spanish) = names.iter().find(|(english, _)| *english == lower)?;
    Some(number.map_or_else(|| (*spanish).to_owned(), |number| [spanish, number].join(" ")))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Words of the trade that few homeowners know.
const PLAIN_SHAPES: &Names = &[
    ("flat", "flat"),
    ("shed", "one slope"),
    ("gable", "two slopes"),
    ("hip", "slopes on all sides"),
    ("gambrel", "barn-style, two slopes on each side"),
    ("mansard", "steep sides, flat top"),
    ("rectangular", "rectangular"),
    ("l-shaped", "L-shaped"),
    ("t-shaped", "T-shaped"),
    ("u-shaped", "U-shaped"),
    ("z-shaped", "Z-shaped"),
    ("in parts", "in parts"),
    ("with a courtyard", "with a courtyard"),
];

const SHAPES: &Names = &[
    ("flat", "plano"),
    ("shed", "a un agua"),
    ("gable", "a dos aguas"),
    ("hip", "a cuatro aguas"),
    ("gambrel", "a la holandesa"),
    ("mansard", "mansarda"),
    ("rectangular", "rectangular"),
    ("l-shaped", "en L"),
    ("t-shaped", "en T"),
    ("u-shaped", "en U"),
    ("z-shaped", "en Z"),
    ("in parts", "en partes"),
    ("with a courtyard", "con patio"),
];

const BUILDINGS: &Names = &[
    ("main building", "edificio principal"),
    ("building", "edificio"),
    ("house", "casa"),
    ("detached", "casa independiente"),
    ("semidetached house", "casa adosada"),
    ("terrace", "casas en hilera"),
    ("residential", "vivienda"),
    ("apartments", "apartamentos"),
    ("cabin", "cabaña"),
    ("garage", "garaje"),
    ("garages", "garajes"),
    ("carport", "cochera abierta"),
    ("shed", "cobertizo"),
    ("outbuilding", "anexo"),
    ("barn", "granero"),
    ("greenhouse", "invernadero"),
    ("office", "oficina"),
    ("commercial", "comercio"),
    ("retail", "tienda"),
    ("warehouse", "bodega"),
    ("industrial", "industria"),
    ("church", "iglesia"),
    ("school", "escuela"),
];

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::*;
    use crate::example::{building, found};

    #[test]
    fn names_are_put_into_spanish_whole_or_not_at_all() {
        for (english, wanted) in [
            ("Hip, L-shaped", "A cuatro aguas, en L"),
            ("Rectangular", "Rectangular"),
            ("Shed", "A un agua"),
            ("Hip, star-shaped", "Hip, star-shaped"),
            ("", ""),
        ] {
            assert_eq!(put(english, SHAPES), wanted);
        }
        for (english, wanted) in [
            ("Garage 2", "Garaje 2"),
            ("Main building", "Edificio principal"),
            ("Shed", "Cobertizo"),
            ("Kiosk", "Kiosk"),
        ] {
            assert_eq!(put(english, BUILDINGS), wanted);
        }
    }

    #[test]
    fn an_answer_keeps_everything_but_the_names_of_what_it_shows() {
        let english = RoofResponse::Roof(found(vec![building("House", 2480), building("Garage", 400)]));
        let mut same = english.clone();
        name_buildings(Language::English, &mut same);
        let RoofResponse::Roof(found) = same else { panic!("it was a roof") };
        assert_eq!(
            (found.buildings[1].label.as_str(), found.buildings[0].shape.as_str()),
            ("Garage", "Slopes on all sides, L-shaped")
        );
        let mut spanish = english.clone();
        name_buildings(Language::Spanish, &mut spanish);
        let RoofResponse::Roof(found) = spanish else { panic!("it was a roof") };
        assert_eq!(found.buildings[1].label, "Garaje");
        assert_eq!((found.buildings[0].shape.as_str(), found.buildings[0].area), ("A cuatro aguas, en L", 2480));
    }
}
