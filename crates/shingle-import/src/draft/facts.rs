//! What the record says of a home.

use crate::draft::headings::FACTS;
use crate::draft::roles::Roles;
use crate::draft::use_codes;
use crate::draft::writing::{Toml, date, heat_fuel, is_read, list, plain, words};

pub(super) fn facts(toml: &mut Toml, roles: &Roles<'_>, state: Option<&str>) {
    let known: Vec<_> = FACTS
        .iter()
        .filter(|m| !m.key.starts_with("mailing_"))
        .filter_map(|m| Some((m, roles.get(m.key)?)))
        .filter(|(m, c)| is_read(m.content, c.profile))
        .collect();
    let mail = roles.get("mailing_line");
    let coded = use_codes::property_class(roles, state);
    if known.is_empty() && mail.is_none() && coded.is_none() {
        return;
    }
    toml.table("assessor");
    if let Some((value, state)) = &coded {
        toml.doubt("property_class", value, &format!("the use codes of {state}: are the county's the same?"));
    }
    for (meaning, column) in known {
        if meaning.key == "property_class" {
            toml.line("property_type", &plain(column.profile));
            if coded.is_some() {
                continue;
            }
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
