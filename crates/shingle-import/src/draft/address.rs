//! Which columns the address is read from, and what the file does not say of it.

use shingle_address::parse_line;
use shingle_address::tables::state_of_zip;
use shingle_domain::evidence::Position;

use crate::draft::geometry::Geometry;
use crate::draft::owner_mail::OwnerMail;
use crate::draft::projection_guess::state_at;
use crate::draft::roles::{Chosen, Roles};
use crate::draft::sample::Sample;
use crate::draft::writing::{Toml, list, quoted};
use crate::format::cell;
use crate::mapping::case::title_case;
use crate::mapping::table::{STATE_TO_FILL_IN, TOWN_TO_FILL_IN};

/// The state, where one is known.
pub(super) fn address_part(
    toml: &mut Toml,
    roles: &Roles<'_>,
    geometry: Option<&Geometry>,
    rows: &Sample,
) -> Option<String> {
    toml.table("address");
    let mut says = LineSays::default();
    if let Some(line) = roles.get("line") {
        toml.column("line", line, None);
        says = LineSays::of(line);
    } else if let Some((number, street)) = roles.get("number").zip(roles.get("street")) {
        match roles.get("number_suffix").filter(|s| s.profile.share > 0.0) {
            Some(suffix) => {
                // A digit put behind a number would be the number of another home.
                let (number, suffix) = (quoted(number.name()), quoted(suffix.name()));
                let letter = format!("{{ column = {suffix}, pattern = \"^[A-Z]$\" }}");
                let half = format!("{{ column = {suffix}, pattern = '^\\d/\\d$' }}");
                let value = format!("{{ columns = [{{ columns = [{number}, {letter}], separator = \"\" }}, {half}] }}");
                toml.doubt("number", &value, "a letter or a fraction is part of the number; are other suffixes units?");
            }
            None => toml.column("number", number, None),
        }
        toml.column("street", street, street_pieces(roles, street));
    }
    if let Some(unit) = roles.get("unit") {
        toml.column("unit", unit, None);
    }
    let mail = OwnerMail::of(roles);
    match (roles.get("city"), mail.as_ref().and_then(|m| m.city.as_ref())) {
        (Some(city), _) => {
            // Rows that the first leaves out may be in the second.
            let more = city.second.filter(|_| city.profile.share < 0.98);
            let value = more.map(|p| format!("{{ first_of = {} }}", list([city.name(), &*p.column.name])));
            toml.column("city", city, value);
        }
        (None, Some(city)) if !says.town => {
            let value = format!("{{ constant = {} }}", quoted(&title_case(city)));
            toml.doubt("city", &value, "where owners who live in the home get their mail");
        }
        (None, _) if says.town => {}
        _ if roles.has("zip") => {
            toml.doubt(
                "city",
                "{ constant = \"\" }",
                "the file does not say its town: the post town of each ZIP is taken",
            );
        }
        _ => toml.doubt("city", &open(TOWN_TO_FILL_IN), "FILL IN: the file does not say its town"),
    }
    let state = state(toml, roles, mail.as_ref(), geometry, rows, &says);
    match (roles.get("zip"), &mail) {
        (Some(zip), _) => toml.column("zip", zip, None),
        (None, Some(mail)) if !says.zip && !mail.zips.is_empty() => {
            if let Some((zip, line)) = roles.get("mailing_zip").zip(roles.get("mailing_line")) {
                let among = list(mail.zips.iter().map(String::as_str));
                let (zip, line) = (quoted(zip.name()), quoted(line.name()));
                let value = format!("{{ nearby = {zip}, mailing_line = {line}, among = {among} }}");
                toml.doubt("zip", &value, "the ZIPs of owners who live in the home: are all of this town's there?");
            }
        }
        _ if says.zip => {}
        _ => toml.doubt(
            "zip",
            "{ constant = \"\" }",
            "the file has no ZIP: it is found by the town, or write the only one",
        ),
    }
    state
}

fn state(
    toml: &mut Toml,
    roles: &Roles<'_>,
    mail: Option<&OwnerMail>,
    geometry: Option<&Geometry>,
    rows: &Sample,
    says: &LineSays,
) -> Option<String> {
    if let Some(state) = roles.get("state") {
        toml.column("state", state, None);
        return Some(cell::state(state.profile.most_frequent()?.0)?.as_str().to_owned());
    }
    if says.state {
        return None;
    }
    let constant = |state: &str| format!("{{ constant = {} }}", quoted(state));
    let of_zip =
        roles.get("zip").and_then(|z| z.profile.most_frequent()).and_then(|(zip, _)| state_of_zip(zip.get(..5)?));
    let of_mail = || mail.and_then(|m| m.state.as_deref()).and_then(cell::state).map(|s| s.as_str().to_owned());
    let of_place = || geometry.and_then(Geometry::state).or_else(|| state_at(table_point(roles, rows)?));
    let of_zip = of_zip.map(|state| (state.to_owned(), "of the most frequent ZIP"));
    let of_mail = || Some((of_mail()?, "where owners who live in the home get their mail"));
    let of_place = || Some((of_place()?.to_owned(), "where the shapes lie"));
    let Some((found, why)) = of_zip.or_else(of_mail).or_else(of_place) else {
        toml.doubt("state", &open(STATE_TO_FILL_IN), "FILL IN: the file does not say its state: write its two letters");
        return None;
    };
    toml.line("state", &format!("{}  # {why}", constant(&found)));
    Some(found)
}

/// A constant that the operator has to write.
pub(super) fn open(word: &str) -> String {
    format!("{{ constant = {} }}", quoted(word))
}

/// The text with stand-ins where the operator has to fill in, so that the rows can be read and shown.
pub(super) fn stood_in(text: &str) -> String {
    let text = text.replace(&open(TOWN_TO_FILL_IN), &open(STAND_IN_TOWN));
    text.replace(&open(STATE_TO_FILL_IN), &open(STAND_IN_STATE))
}

/// No town is called so, and no shape lies anywhere where the state is not known.
pub(super) const STAND_IN_TOWN: &str = "Town To Fill In";
pub(super) const STAND_IN_STATE: &str = "DC";

/// A place of the table's own points.
fn table_point(roles: &Roles<'_>, rows: &Sample) -> Option<Position> {
    let (x, y) = (roles.get("longitude")?, roles.get("latitude")?);
    (0..rows.rows).find_map(|row| {
        let at = |c: &Chosen<'_, '_>| cell::coordinate(&c.profile.column.cells[row]);
        Some(Position { longitude: at(&x)?, latitude: at(&y)? })
    })
}

/// The street's pieces in their order, where it is in several columns.
fn street_pieces(roles: &Roles<'_>, street: Chosen<'_, '_>) -> Option<String> {
    const ORDER: [&str; 7] = [
        "street_pre_modifier",
        "street_pre_direction",
        "street_pre_type",
        "street",
        "street_type",
        "street_post_direction",
        "street_post_modifier",
    ];
    let is_whole = street.profile.heading.contains("full");
    let pieces = ORDER.iter().filter_map(|key| roles.get(key)).filter(|c| c.profile.share > 0.0);
    let names: Vec<&str> = pieces.map(|c| c.profile.column.name.as_str()).collect();
    (names.len() > 1 && !is_whole).then(|| format!("{{ columns = {} }}", list(names)))
}

/// What the address lines say besides number and street.
#[derive(Default)]
struct LineSays {
    town: bool,
    state: bool,
    zip: bool,
}

impl LineSays {
    fn of(line: Chosen<'_, '_>) -> Self {
        let cells: Vec<_> = line.profile.filled.iter().take(500).map(|c| parse_line(c)).collect();
        let most = |n: usize| n * 10 > cells.len() * 8;
        let zip = most(cells.iter().filter(|p| p.zip.is_some()).count());
        let state = most(cells.iter().filter(|p| p.state.is_some()).count());
        // A town alone is guessed from any last word; with a state behind it it is read.
        let town = state && most(cells.iter().filter(|p| !p.city.is_empty()).count());
        Self { town, state, zip }
    }
}
