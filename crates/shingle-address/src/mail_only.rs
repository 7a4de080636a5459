//! Addresses that only mail goes to: no roof can be found at them, in any index.

use std::fmt;

use shingle_domain::lookup::AddressInput;

use crate::extra_parts::post_box;
use crate::number::number_length;
use crate::street::box_or_route;
use crate::token::{Token, segments, tokens, words};

/// Why an address names no building.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MailOnly {
    PostBox,
    /// `RR 2 Box 9`, `HC 71`: a number on a carrier's round.
    RuralRoute,
    /// APO, FPO and DPO.
    Military,
}

impl MailOnly {
    /// Why, if this is not the address of a house. Ask when nothing was found: some sources do list buildings by
    /// the box on their route.
    pub fn of(input: &AddressInput) -> Option<Self> {
        match input {
            AddressInput::Line(line) => Self::read(&segments(line)),
            AddressInput::Parts(address) => {
                let street = format!("{} {}", address.street_number, address.street_address);
                Self::read(&[tokens(&street), tokens(&address.city)])
            }
        }
    }

    fn read(parts: &[Vec<Token>]) -> Option<Self> {
        let parts: Vec<Vec<&str>> = parts.iter().map(|p| words(p)).collect();
        let all = parts.concat();
        if all.windows(2).any(|w| matches!(w, ["APO" | "FPO" | "DPO", "AA" | "AE" | "AP"]))
            || all.last().is_some_and(|w| matches!(*w, "APO" | "FPO" | "DPO"))
        {
            return Some(Self::Military);
        }
        // A house number and a street beside the box are a house.
        let house = |p: &Vec<&str>| {
            let number = number_length(p);
            number > 0 && p.len() > number && box_or_route(&p[number..]).is_none() && post_box(p).is_none()
        };
        let found = parts.iter().find_map(|p| (0..p.len()).find_map(|at| Self::at(&p[at..])))?;
        (!parts.iter().any(house)).then_some(found)
    }

    fn at(words: &[&str]) -> Option<Self> {
        let (name, _) = box_or_route(words)?;
        Some(if name.starts_with("PO BOX") { Self::PostBox } else { Self::RuralRoute })
    }
}

impl fmt::Display for MailOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PostBox => "a post box has no roof: give the street address",
            Self::RuralRoute => "a box on a rural route tells no building: give the street address",
            Self::Military => "military mail tells no building",
        })
    }
}
