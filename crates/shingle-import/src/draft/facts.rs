//! What the record says of a home.

use crate::draft::coded::Coded;
use crate::draft::headings::FACTS;
use crate::draft::roles::Roles;
use crate::draft::use_codes;
use crate::draft::writing::{Toml, date, heat_fuel, is_read, list, plain, square_metres, words};

pub(super) fn facts(toml: &mut Toml, roles: &Roles<'_>, state: Option<&str>) {
    let known: Vec<_> = FACTS
        .iter()
        .filter(|m| !m.key.starts_with("mailing_"))
        .filter_map(|m| Some((m, roles.get(m.key)?)))
        .filter(|(m, c)| is_read(m.content, c.profile))
        .collect();
    let mail = roles.get("mailing_line");
    let coded = use_codes::property_class(roles, state);
    let unlisted: Vec<Coded<'_, '_>> =
        Coded::all(roles).into_iter().filter(|c| coded.is_none() || c.key() != "property_class").collect();
    if known.is_empty() && mail.is_none() && coded.is_none() && unlisted.is_empty() {
        return;
    }
    toml.table("assessor");
    if let Some((value, state)) = &coded {
        toml.doubt("property_class", value, &format!("the use codes of {state}: are the county's the same?"));
    }
    unlisted.iter().for_each(|codes| codes.write(toml));
    for (meaning, column) in known {
        if meaning.key == "property_class" {
            toml.line("property_type", &plain(column.profile));
            if coded.is_some() {
                continue;
            }
        }
        if unlisted.iter().any(|codes| codes.key() == meaning.key) {
            continue;
        }
        if meaning.key.ends_with("_sqft") {
            let unit = square_metres(column.profile);
            let is_small = matches!(meaning.key, "living_area_sqft" | "building_area_sqft")
                && column.profile.middle().is_some_and(|middle| (40.0..400.0).contains(&middle));
            if unit.is_none() && is_small {
                let why = "small for square feet: if these are square metres, write `{ column = …, unit = \"m2\" }`";
                toml.doubt(meaning.key, &plain(column.profile), why);
                continue;
            }
            toml.column(meaning.key, column, unit);
            continue;
        }
        let value = match meaning.key {
            "sale_date" => Some(date(column.profile)),
            "primary_owner" | "secondary_owner" => Some(plain(column.profile)),
            "heat_fuel" => match roles.get("heat_type") {
                Some(kind) => heat_fuel(column.profile, kind.profile),
                None => words("heat_fuel", column.profile),
            },
            key => words(key, column.profile),
        };
        toml.column(meaning.key, column, value);
    }
    if let Some(line) = mail {
        const MORE: [&str; 4] = ["mailing_line_2", "mailing_city", "mailing_state", "mailing_zip"];
        let more = MORE.iter().filter_map(|key| roles.get(key));
        let names: Vec<&str> = [line].into_iter().chain(more).map(|c| c.profile.column.name.as_str()).collect();
        toml.column("mailing_address", line, Some(format!("{{ columns = {}, separator = \", \" }}", list(names))));
    }
}
