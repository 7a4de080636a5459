//! The name of a town in its normal form.

use crate::tables::{direction, direction_long};

pub(crate) fn city_of(words: &[&str]) -> String {
    let mut out: Vec<&str> = words.iter().copied().filter(|w| *w != "#").collect();
    if out.len() > 1 {
        if let Some((short, _)) = direction(out[0]) {
            out[0] = direction_long(short);
        }
        for at in 0..out.len() - 1 {
            out[at] = match out[at] {
                "ST" => "SAINT",
                "FT" => "FORT",
                "MT" => "MOUNT",
                "PT" => "PORT",
                other => other,
            };
        }
    }
    out.join(" ")
}
