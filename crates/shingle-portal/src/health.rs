//! The health of the installation, for operators.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::Message;
use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, english, link, message, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::health_words::check_in_words;
use crate::phrase::{capital, phrase, translated};
use crate::responsive_table::figure;
use crate::time::Hours;

pub struct CheckView {
    pub name: &'static str,
    pub is_well: bool,
    /// Well, but worth a look.
    pub look: bool,
    pub found: Message,
    /// The file, setting or address that it is about.
    pub location: Option<String>,
    /// What to try.
    pub fix: Option<Message>,
}

pub struct VersionLine {
    pub text: String,
    pub is_heading: bool,
}

pub struct HealthView<'v> {
    /// `None`: not known yet, or they took too long.
    pub checks: Option<Vec<CheckView>>,
    pub checked_at: Option<Timestamp>,
    pub is_running: bool,
    pub hours: &'v Hours,
    /// When this server started.
    pub began: Timestamp,
    /// Of the last hour.
    pub requests: u64,
    pub faults: u64,
    pub look_ups: u64,
    pub leads: u64,
    pub failed_chores: u64,
    /// Deliveries that are due, and for how long the oldest of them.
    pub waiting: u64,
    pub waited_seconds: u64,
    pub paused: u64,
    /// Bytes.
    pub database: u64,
    pub photos: Option<u64>,
    /// Where photos and logos lie instead of in a folder.
    pub bucket: Option<&'v str>,
    pub index: Option<u64>,
    /// Free, and in all.
    pub disk: Option<(u64, u64)>,
    pub version: &'static str,
    pub lines: Vec<VersionLine>,
    pub migrations: &'v [(String, Timestamp)],
}

/// `212 MB`: as people compare it with a disk.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["bytes", "kB", "MB", "GB", "TB"];
    let (mut unit, mut scale) = (0, 1_u64);
    while unit + 1 < UNITS.len() && count / scale >= 1_000 {
        (unit, scale) = (unit + 1, scale * 1_000);
    }
    let (whole, tenth) = (count / scale, count % scale * 10 / scale);
    if unit > 0 && whole < 10 { format!("{whole}.{tenth} {}", UNITS[unit]) } else { format!("{whole} {}", UNITS[unit]) }
}

pub fn health_page(signed: &Signed<'_>, view: &HealthView<'_>) -> String {
    let again = post("/portal/operator/health").child(button("btn", "Check again"));
    let columns = div("columns").child(div("column").child(checks(signed.language, view))).child(
        div("column").child(last_hour(view)).child(stored(signed.language, view)).child(version(signed.language, view)),
    );
    shell(signed, Place::Health, "Health", vec![again], vec![columns])
}

fn checks(language: Language, view: &HealthView<'_>) -> Node {
    let mut list = card("Checks");
    if view.is_running {
        list = list.child(note(Tone::Look, "The checks are running. Reload this page in a moment."));
    }
    let Some(found) = &view.checks else {
        if view.checked_at.is_some() {
            let said =
                "The checks ran longer than a minute, so we stopped them: something they depend on doesn’t answer.";
            list = list.child(note(Tone::Wrong, said));
        }
        return list;
    };
    let broken = found.iter().filter(|check| !check.is_well).count();
    let looks = found.iter().filter(|check| check.look).count();
    list = list.child(match (broken, looks) {
        (0, 0) => note(Tone::Well, "Everything we checked works."),
        (0, _) => note(Tone::Look, counted(language, Counted::HELD_BACK, looks as i64)),
        _ => note(Tone::Wrong, counted(language, Counted::PROBLEMS, broken as i64)),
    });
    let mut sorted: Vec<&CheckView> = found.iter().collect();
    sorted.cold_sort_by_key(|check| (check.is_well, !check.look));
    let rows = sorted.into_iter().map(|check| {
        let about = div("who2").child(el("b").text(sentence(check))).children(finding(language, check));
        el("li").child(about).child(match (check.is_well, check.look) {
            (false, _) => pill("pill bad", "Problem"),
            (true, true) => pill("pill warn", "Worth a look"),
            (true, false) => pill("pill ok", "OK"),
        })
    });
    list = list.child(Node::classed("ul", "rows").children(rows));
    match view.checked_at {
        Some(at) => list.child(soft(phrase(
            language,
            "Checked {time}. The same checks as shingle doctor.",
            &[("time", &view.hours.full(at))],
        ))),
        None => list,
    }
}

/// What it means to the company.
fn sentence(check: &CheckView) -> &'static str {
    let needs_someone = !check.is_well || check.look;
    check_in_words(check.name).map_or(check.name, |words| if needs_someone { words.wrong } else { words.well })
}

/// What to do comes first; what the check is called, what it found and where are behind a click.
fn finding(language: Language, of: &CheckView) -> impl Iterator<Item = Node> {
    let soft = || Node::classed("span", "soft");
    let name = soft().text(capital(translated(language, of.name)));
    let place = of.location.as_ref().map(|place| soft().text(phrase(language, "Where: {place}", &[("place", place)])));
    let fix = of.fix.as_ref().map(|fix| {
        let fix = message(el("span"), language, fix);
        soft().child(el("span").text("What to try:")).child(el("span").text(" ")).child(fix)
    });
    let needs_homes = of.name == "property index" && (!of.is_well || of.look);
    let way_out =
        needs_homes.then(|| div("pair").child(link("/portal/operator/imports", "Load homes").set("class", "btn")));
    let found = Some(message(soft(), language, &of.found));
    let details = [Some(name), found, place].into_iter().flatten();
    let details = el("details").child(el("summary").text("More details")).child(div("who2").children(details));
    [fix, way_out, Some(details)].into_iter().flatten()
}

fn facts(rows: Vec<(&'static str, Text)>) -> Node {
    let rows = rows.into_iter().flat_map(|(name, value)| [el("dt").text(name), el("dd").text(value)]);
    Node::classed("dl", "facts").children(rows)
}

fn last_hour(view: &HealthView<'_>) -> Node {
    let rows = vec![
        ("Requests", figure(view.requests).into()),
        ("Server faults", figure(view.faults).into()),
        ("Look-ups", figure(view.look_ups).into()),
        ("Leads received", figure(view.leads).into()),
        ("Failed background tasks", figure(view.failed_chores).into()),
        ("Deliveries due", figure(view.waiting).into()),
        ("Oldest delivery due", format!("{} s", figure(view.waited_seconds)).into()),
        ("Paused receivers", figure(view.paused).into()),
    ];
    card("The last hour")
        .child(facts(rows))
        .child(soft("This server counted these in the last hour, or since it started. /metrics has every figure."))
}

fn stored(language: Language, view: &HealthView<'_>) -> Node {
    let known = |size: Option<u64>| size.map_or(Text::from("Not known yet"), |size| bytes(size).into());
    let free = match view.disk {
        Some((free, all)) => {
            phrase(language, "{free} of {all}", &[("free", &bytes(free)), ("all", &bytes(all))]).into()
        }
        None => Text::from("Not known yet"),
    };
    card("Storage").child(facts(vec![
        ("Database", bytes(view.database).into()),
        ("Photos and logos", view.bucket.map_or_else(|| known(view.photos), |bucket| bucket.to_owned().into())),
        ("Address index", known(view.index)),
        ("Free on its disk", free),
    ]))
}

fn version(language: Language, view: &HealthView<'_>) -> Node {
    let since = phrase(
        language,
        "Shingle {version}, running since {time}.",
        &[("version", view.version), ("time", &view.hours.full(view.began))],
    );
    let mut news = Vec::new();
    let mut items = Vec::new();
    for line in &view.lines {
        if line.is_heading {
            if !items.is_empty() {
                news.push(Node::classed("ul", "steps").children(std::mem::take(&mut items)));
            }
            news.push(el("h3").text(line.text.clone()));
        } else {
            items.push(el("li").text(line.text.clone()));
        }
    }
    if !items.is_empty() {
        news.push(Node::classed("ul", "steps").children(items));
    }
    let ran = view.migrations.iter().map(|(name, at)| {
        el("li").child(
            div("who2")
                .child(el("b").text(name.clone()))
                .child(Node::classed("span", "soft").text(view.hours.full(*at))),
        )
    });
    card("Version")
        .child(el("p").text(since))
        .child(el("p").child(link("/manual", "Manual of this version")))
        .child(el("details").child(el("summary").text("What this version brings")).child(english(div("news")).children(news)))
        .child(
            el("details")
                .child(el("summary").text("Database changes that ran here"))
                .child(english(Node::classed("ul", "rows").children(ran))),
        )
        .child(soft("An upgrade changes the tables when the new version starts. Back up the database and the secret file first."))
}

#[cfg(test)]
mod tests {
    use shingle_domain::Rule;
    use shingle_domain::message::ToMessage;

    use super::*;
    use crate::catalog::say;

    #[test]
    fn a_finding_is_said_with_its_place_and_what_to_try() {
        let found = CheckView {
            name: "base url",
            is_well: false,
            look: false,
            found: Rule::Email.to_message(),
            location: Some("https://oak.example.com".to_owned()),
            fix: Some(Rule::Max { max: 3 }.to_message()),
        };
        let lines = div("who2").children(finding(Language::Spanish, &found));
        let html = lines.translated(&|english| translated(Language::Spanish, english));
        let html = shingle_widget::ssr::document(html, shingle_widget::words::flow_words(Language::Spanish));
        let fix = say(Language::Spanish, &Rule::Max { max: 3 });
        for said in ["Dónde: https://oak.example.com", "Qué probar:", &fix] {
            assert!(html.contains(said), "{said} is not in {html}");
        }
        assert!(!html.contains("lang=\"en\""), "{html}");
    }

    #[test]
    fn a_size_is_told_as_a_disk_is() {
        for (count, said) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (212_400_000, "212 MB"),
            (1_450_000_000, "1.4 GB"),
            (37_900_000_000, "37 GB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(bytes(count), said);
        }
    }
}
