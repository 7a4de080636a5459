//! The words and figures of numbered streets.

/// The ordinal words of 1 to 20, in order.
pub const ORDINALS: [&str; 20] = [
    "FIRST",
    "SECOND",
    "THIRD",
    "FOURTH",
    "FIFTH",
    "SIXTH",
    "SEVENTH",
    "EIGHTH",
    "NINTH",
    "TENTH",
    "ELEVENTH",
    "TWELFTH",
    "THIRTEENTH",
    "FOURTEENTH",
    "FIFTEENTH",
    "SIXTEENTH",
    "SEVENTEENTH",
    "EIGHTEENTH",
    "NINETEENTH",
    "TWENTIETH",
];

/// `FIFTH` and `5TH`: the ordinal words of numbered streets. `TWENTY FIRST` comes as two words.
pub fn ordinal_unit(word: &str) -> Option<u32> {
    ORDINALS.iter().position(|w| *w == word).map(|i| i as u32 + 1).or(match word {
        "THIRTIETH" => Some(30),
        "FORTIETH" => Some(40),
        "FIFTIETH" => Some(50),
        "SIXTIETH" => Some(60),
        "SEVENTIETH" => Some(70),
        "EIGHTIETH" => Some(80),
        "NINETIETH" => Some(90),
        _ => None,
    })
}

pub fn tens(word: &str) -> Option<u32> {
    Some(match word {
        "TWENTY" => 20,
        "THIRTY" => 30,
        "FORTY" => 40,
        "FIFTY" => 50,
        "SIXTY" => 60,
        "SEVENTY" => 70,
        "EIGHTY" => 80,
        "NINETY" => 90,
        _ => return None,
    })
}

/// `1ST`, `22ND`, `113TH`.
pub fn ordinal(number: u32) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "TH",
        (_, 1) => "ST",
        (_, 2) => "ND",
        (_, 3) => "RD",
        _ => "TH",
    };
    format!("{number}{ending}")
}
