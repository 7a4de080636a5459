//! What is imported: data sets, towns with their homes, a map of them, and the towns that were asked for and are missing.

use shingle_domain::visit::OTHER;
use shingle_domain::{Language, Role, State, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::area_list::{AreaRow, areas_card};
use crate::area_plan::AreaPlace;
use crate::chart::table;
use crate::counted::{Counted, counted};
use crate::element::{card, div, el, link, p, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// A data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedData {
    /// Titles of its sources with their dates.
    pub sources: Vec<(String, Option<String>)>,
    pub homes: u64,
    pub at: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TownRow {
    pub name: String,
    pub homes: u64,
    pub sources: Vec<String>,
    /// Row, first column and length of its patches of the map.
    pub patches: Vec<(u16, u16, u16)>,
}

pub struct TownsView<'v> {
    pub imported: &'v [ImportedData],
    /// Those of which anything is imported.
    pub states: &'v [State],
    /// The one that is shown.
    pub state: Option<State>,
    pub towns: &'v [TownRow],
    /// Patches of the map, across and down.
    pub map: (u16, u16),
    /// In the last 90 days.
    pub asked: &'v [(String, i64)],
    /// `None`: for those who run the installation.
    pub areas: Option<&'v [AreaRow]>,
    pub hours: &'v Hours,
}

/// Towns with their names on the map: more would lie on each other.
const NAMED: usize = 12;
/// Rows of the table; the file has them all.
const MAX_ROWS: usize = 200;

pub fn towns_page(signed: &Signed<'_>, view: &TownsView<'_>) -> String {
    let Some(state) = view.state else {
        let nothing = card("Nothing is imported yet")
            .child(p(
                "No addresses are loaded yet, so visitors can only ask you to call. Your test leads use Harrow Falls, our demo town.",
            ))
            .children(match signed.role {
                Role::Operator => Some(link("/portal/operator/areas", "Load homes").set("class", "btn")),
                Role::Owner => Some(link("/portal/start?step=4", "Ask for your area").set("class", "btn")),
                Role::Member => None,
            });
        let inside = [nothing].into_iter().chain(areas(view, signed)).chain([asked(view, signed)]).collect();
        return shell(signed, Place::Towns, "Towns", Vec::new(), inside);
    };
    let about = soft("Homes that visitors can look up.");
    let mut inside = vec![about];
    if view.states.len() > 1 {
        let tab = |of: &State| {
            let tab = link(format!("/portal/towns?state={}", of.as_str()), of.as_str().to_owned());
            if *of == state { tab.set("aria-current", "page") } else { tab }
        };
        let states = el("nav").set("class", "tabs").set("aria-label", "States").children(view.states.iter().map(tab));
        inside.push(states);
    }
    let drawn = map(view, signed.language);
    let beside = div("column").children(areas(view, signed)).child(imported(view, signed)).child(asked(view, signed));
    inside.push(div("columns").child(div("column").children(drawn).child(towns(view, signed))).child(beside));
    let download = link(format!("/portal/towns.csv?state={}", state.as_str()), "Download CSV").set("class", "btn");
    let add = view.areas.map(|_| link("/portal/operator/areas", "Add an area").set("class", "btn ink"));
    shell(signed, Place::Towns, "Towns", [download].into_iter().chain(add).collect(), inside)
}

/// Patches of the same row are one rectangle; a town is one path.
fn map(view: &TownsView<'_>, language: Language) -> Option<Node> {
    const PATCH: u32 = 10;
    let (columns, rows) = view.map;
    let drawn = view.towns.iter().filter(|town| !town.patches.is_empty());
    let (count, homes) = drawn.fold((0_i64, 0_i64), |(count, homes), town| (count + 1, homes + town.homes as i64));
    if columns == 0 || rows == 0 || count == 0 {
        return None;
    }
    let sentence = phrase(
        language,
        "Map of {towns} with {homes}. The table lists the same.",
        &[("towns", &counted(language, Counted::TOWNS, count)), ("homes", &counted(language, Counted::HOMES, homes))],
    );
    let (width, height) = (u32::from(columns) * PATCH, u32::from(rows) * PATCH);
    let mut picture = Node::classed("svg", "map")
        .set("viewBox", format!("0 0 {width} {height}"))
        .set("role", "img")
        .set("aria-label", sentence);
    let mut names = Vec::new();
    for (n, town) in view.towns.iter().enumerate().filter(|(_, town)| !town.patches.is_empty()) {
        let mut path = String::new();
        let (mut x, mut y, mut count) = (0, 0, 0);
        for (row, first, length) in &town.patches {
            let (left, top, long) = (u32::from(*first) * PATCH, u32::from(*row) * PATCH, u32::from(*length) * PATCH);
            path.push_str(&format!("M{left} {top}h{long}v{PATCH}h-{long}z"));
            x += u64::from((left + long / 2) * u32::from(*length));
            y += u64::from((top + PATCH / 2) * u32::from(*length));
            count += u64::from(*length);
        }
        let shade = ["a", "b", "c"][n % 3];
        picture = picture.child(Node::classed("path", shade).set("d", path));
        if names.len() < NAMED && count > 0 {
            let at = |sum: u64| (sum / count).to_string();
            names.push(el("text").set("x", at(x)).set("y", at(y)).text(town.name.clone()));
        }
    }
    Some(Node::classed("section", "card flush").set("aria-label", "Map").child(picture.children(names)))
}

fn towns(view: &TownsView<'_>, signed: &Signed<'_>) -> Node {
    let count = view.towns.len() as i64;
    let homes: i64 = view.towns.iter().map(|town| town.homes as i64).sum();
    let rows = view.towns.iter().take(MAX_ROWS).map(|town| {
        vec![Text::from(town.name.clone()), thousands(town.homes as i64).into(), town.sources.join(", ").into()]
    });
    let total = [(Counted::TOWNS, count), (Counted::HOMES, homes)];
    let total = total.map(|(of, count)| counted(signed.language, of, count)).join(", ");
    let caption = translated(signed.language, "Towns with their homes").to_owned();
    let all = card("Towns").child(soft(total)).child(table(caption, &["Town", "Homes", "Source"], rows.collect()));
    if view.towns.len() > MAX_ROWS { all.child(soft("These are the largest; the file has them all.")) } else { all }
}

fn imported(view: &TownsView<'_>, signed: &Signed<'_>) -> Node {
    let one = |data: &ImportedData| {
        let sources = data.sources.iter().map(|(title, date)| match date {
            Some(date) => format!("{title}, {date}"),
            None => title.clone(),
        });
        let sources = sources.collect::<Vec<_>>().join("; ");
        let homes = counted(signed.language, Counted::HOMES, data.homes as i64);
        let mut about = div("who2").child(el("b").text(sources)).child(Node::classed("span", "soft").text(homes));
        if let Some(at) = data.at {
            about = about.child(
                Node::classed("span", "soft")
                    .child(el("span").text("Imported:").set("class", "before"))
                    .child(view.hours.aged(at)),
            );
        }
        el("li").child(about)
    };
    card("What is imported").child(Node::classed("ul", "rows").children(view.imported.iter().map(one)))
}

fn areas(view: &TownsView<'_>, signed: &Signed<'_>) -> Option<Node> {
    let rows = view.areas.filter(|rows| !rows.is_empty())?;
    Some(areas_card(signed.language, rows, view.hours, AreaPlace::Towns))
}

/// A town of the list, with one button for those who load homes.
fn asked_town(language: Language, town: &str, count: i64) -> Node {
    let times = counted(language, Counted::TIMES, count);
    let about = div("who2").child(el("b").text(town.to_owned())).child(Node::classed("span", "soft").text(times));
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("place", town).finish();
    let named = phrase(language, "Add this area: {town}", &[("town", town)]);
    let add = link(format!("/portal/operator/areas?{query}"), "Add this area").set("class", "btn");
    el("li").child(about).child(add.set("aria-label", named))
}

fn asked(view: &TownsView<'_>, signed: &Signed<'_>) -> Node {
    let all = card("Requested, not covered");
    if view.asked.is_empty() {
        return all.child(soft("In the last 90 days no visitor asked for a town that isn’t imported."));
    }
    if view.areas.is_some() {
        let (others, towns): (Vec<_>, Vec<_>) = view.asked.iter().partition(|(town, _)| town == OTHER);
        let towns = towns.into_iter().map(|(town, count)| asked_town(signed.language, town, *count));
        let others = others.into_iter().map(|(_, count)| {
            let times = counted(signed.language, Counted::TIMES, *count);
            el("li")
                .child(div("who2").child(el("b").text("Other towns")).child(Node::classed("span", "soft").text(times)))
        });
        return all
            .child(Node::classed("ul", "rows").children(towns.chain(others)))
            .child(soft("In the last 90 days. We keep only the town, never the address."));
    }
    let named = |town: &str| -> Text { if town == OTHER { "Other towns".into() } else { town.to_owned().into() } };
    let rows = view.asked.iter().map(|(town, asked)| vec![named(town), thousands(*asked).into()]);
    let caption = translated(signed.language, "Addresses visitors asked for in the last 90 days, by town").to_owned();
    all.child(table(caption, &["Town", "Addresses"], rows.collect()))
        .child(soft("In the last 90 days. We keep only the town, never the address."))
}

#[cfg(test)]
mod tests {
    use shingle_widget::ssr::document;

    use super::*;

    fn drawn(patches: [Vec<(u16, u16, u16)>; 2]) -> Option<String> {
        let towns = patches.map(|patches| TownRow { name: "Harrow".into(), homes: 7, sources: Vec::new(), patches });
        let hours = Hours::new("UTC", Timestamp::from_micros(0), Language::English);
        let view = TownsView {
            imported: &[],
            states: &[],
            state: None,
            towns: &towns,
            map: (4, 4),
            asked: &[],
            areas: None,
            hours: &hours,
        };
        map(&view, Language::English).map(|map| document(map, shingle_widget::words::flow_words(Language::English)))
    }

    #[test]
    fn a_map_tells_what_is_drawn_and_is_left_out_where_nothing_is() {
        assert!(drawn([Vec::new(), Vec::new()]).is_none());
        assert!(drawn([vec![(0, 0, 2)], Vec::new()]).unwrap().contains("Map of 1 town with 7 homes."));
        assert!(drawn([vec![(0, 0, 2)], vec![(1, 0, 1)]]).unwrap().contains("Map of 2 towns with 14 homes."));
    }
}
