//! Named places within a town that tell two streets of one name apart: Puerto Rico's urbanizaciones, subdivisions, parks
//! of mobile homes. `123 Calle 5` stands in each urbanización of a town.

use shingle_domain::{State, Zip};

use crate::number::{is_spanish_way, lettered_number};
use crate::street::name_of;
use crate::token::{Token, has_digit, is_house_number, words};

/// The name in its one spelling, without the word that only says what it is.
pub(crate) fn place_of(words: &[&str]) -> String {
    let says_only_what = |w: &str| matches!(w, "URB" | "URBANIZACION" | "SUBDIVISION" | "SUBD");
    let named: Vec<&str> = words.iter().filter(|w| !says_only_what(w) && **w != "#").map(|w| in_full(w)).collect();
    name_of(&named)
}

fn in_full(word: &str) -> &str {
    match word {
        "REPTO" => "REPARTO",
        "JARD" => "JARDINES",
        "ALT" | "ALTS" => "ALTURAS",
        "QTAS" => "QUINTAS",
        "MANS" => "MANSIONES",
        "BO" => "BARRIO",
        "PARC" => "PARCELAS",
        "COND" => "CONDOMINIO",
        "RES" => "RESIDENCIAL",
        "EXT" => "EXTENSION",
        "STA" => "SANTA",
        other => other,
    }
}

pub(crate) fn is_puerto_rico(state: Option<State>, zip: Option<&Zip>) -> bool {
    let of_zip = || zip.is_some_and(|zip| matches!(zip.as_str().get(..3), Some("006" | "007" | "009")));
    state.map_or_else(of_zip, |state| state.as_str() == "PR")
}

/// Whether a word begins the name of such a place wherever it stands; in Puerto Rico more words do.
pub(crate) fn begins_a_place(word: &str, in_puerto_rico: bool) -> bool {
    matches!(word, "URB" | "URBANIZACION")
        || in_puerto_rico
            && matches!(
                word,
                "REPARTO"
                    | "REPTO"
                    | "CONDOMINIO"
                    | "COND"
                    | "RESIDENCIAL"
                    | "RES"
                    | "BARRIO"
                    | "BO"
                    | "PARCELAS"
                    | "PARC"
            )
}

/// Whether a comma-separated part that is neither street, unit nor town may name a place.
pub(crate) fn may_be_a_place(part: &[Token]) -> bool {
    let all = words(part);
    all.iter().any(|w| w.len() > 1) && !all.iter().any(|w| has_digit(w) || *w == "#" || *w == "C/O" || *w == "ATTN")
}

/// How many words at the front are such a place, before the number or the way that the street begins with:
/// `URB LAS LOMAS 123 CALLE 5`, `URB LAS LOMAS CALLE 5`.
pub(crate) fn place_before_a_street(words: &[&str], in_puerto_rico: bool) -> usize {
    if !words.first().is_some_and(|w| begins_a_place(w, in_puerto_rico)) {
        return 0;
    }
    let begins = |at: &usize| {
        let word = words[*at];
        is_spanish_way(word) || is_house_number(word) || lettered_number(&words[*at..])
    };
    (2..words.len().saturating_sub(1)).find(begins).unwrap_or(0)
}

/// Where such a place begins behind a street, if one is there.
pub(crate) fn place_behind_a_street(words: &[&str], in_puerto_rico: bool) -> Option<usize> {
    (1..words.len().saturating_sub(1)).find(|at| begins_a_place(words[*at], in_puerto_rico))
}
