//! What every target wants of a lead and no field says directly: the price that was shown, one line about the roof, a
//! note for the file, links to call and to drive there.

use serde_json::{Map, Value, json};
use shingle_domain::{Phone, Timestamp};

/// Characters of an encoded address; some targets bound their links.
const MAX_DESTINATION: usize = 350;

/// Click ids that `lead.source.clickIds` may hold.
const CLICKS: [&str; 10] =
    ["gclid", "gbraid", "wbraid", "fbclid", "fbc", "fbp", "msclkid", "ttclid", "clientId", "sessionId"];

pub fn summary(lead: &Value, links: &Value) -> Value {
    let name = name(lead);
    let price = shown_price(lead);
    let amount = |key: &str| price.map_or(Value::Null, |p| p[key].clone());
    let cost = price.and_then(|p| p["cost"].as_f64()).map(dollars);
    let parts = [Some(name.clone()), urgent(lead).map(str::to_owned), cost];
    let headline = format!("New lead: {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    json!({
        "name": name,
        "headline": headline,
        "price": amount("cost"),
        "low": amount("low"),
        "high": amount("high"),
        "material": material(lead),
        "squares": lead["estimate"]["squares"],
        "pitch": pitch(lead),
        "roof": roof(lead),
        "problem": problem(lead),
        "roofAge": roof_age(lead),
        "planned": planned(lead),
        "contact": contact(lead),
        "answers": answers(lead),
        "visit": visit(lead),
        "written": written(lead),
        "consent": consent(lead),
        "call": call(lead),
        "directions": directions(lead),
        "source": source(lead),
        "clicks": clicks(lead),
        "notes": notes(lead, links),
    })
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value[key].as_str().filter(|text| !text.is_empty())
}

fn name(lead: &Value) -> String {
    let parts: Vec<&str> = ["firstName", "lastName"].iter().filter_map(|key| text(lead, key)).collect();
    parts.join(" ")
}

/// The price of the chosen material, or the first that was shown.
fn shown_price(lead: &Value) -> Option<&Value> {
    let prices = lead["estimate"]["prices"].as_array()?;
    let chosen = text(lead, "roofMaterial");
    prices.iter().find(|p| chosen.is_some() && p["material"].as_str() == chosen).or_else(|| prices.first())
}

fn material(lead: &Value) -> Option<String> {
    let shown = || shown_price(lead).and_then(|p| text(p, "material"));
    text(lead, "roofMaterial").or_else(shown).map(str::to_owned)
}

/// The rise on a run of 12, as roofers say it.
fn pitch(lead: &Value) -> Option<String> {
    let degrees = lead["estimate"]["averageRoofPitch"].as_f64().filter(|d| (0.0..80.0).contains(d))?;
    Some(format!("{:.0}/12", degrees.to_radians().tan() * 12.0))
}

fn roof(lead: &Value) -> Option<String> {
    let squares = lead["estimate"]["squares"].as_f64()?;
    let parts = [Some(format!("{squares:.1} squares")), pitch(lead), material(lead)];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn problem(lead: &Value) -> Option<&'static str> {
    match text(&lead["answers"], "leak")? {
        "none" => Some("None"),
        "leak" => Some("Leaks"),
        "damage" => Some("Damage, no leak"),
        "unsure" => Some("Not sure"),
        _ => None,
    }
}

fn roof_age(lead: &Value) -> Option<&'static str> {
    match text(&lead["answers"], "roofAge")? {
        "under-10" => Some("Under 10 years"),
        "10-20" => Some("10 to 20 years"),
        "over-20" => Some("Over 20 years"),
        "unknown" => Some("Not sure"),
        _ => None,
    }
}

fn planned(lead: &Value) -> Option<&'static str> {
    match text(&lead["answers"], "planned")? {
        "now" => Some("Now"),
        "this-year" => Some("This year"),
        "later" => Some("Later"),
        "unsure" => Some("Not sure"),
        _ => None,
    }
}

/// `Text, evenings`. What was answered last counts: the form asks for the time too.
fn contact(lead: &Value) -> Option<String> {
    let way = match text(&lead["answers"], "contactBy") {
        Some("call") => Some("Call"),
        Some("text") => Some("Text"),
        Some("email") => Some("Email"),
        _ => None,
    };
    let time = match text(&lead["answers"], "contactTime").or_else(|| text(lead, "preferredContactTime")) {
        Some("anytime") => Some(["Any time", "any time"]),
        Some("morning") => Some(["Mornings", "mornings"]),
        Some("afternoon") => Some(["Afternoons", "afternoons"]),
        Some("evening") => Some(["Evenings", "evenings"]),
        _ => None,
    };
    let time = time.map(|[alone, after]| if way.is_some() { after } else { alone });
    let parts: Vec<&str> = way.into_iter().chain(time).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// For a title.
fn urgent(lead: &Value) -> Option<&'static str> {
    let answers = &lead["answers"];
    match (text(answers, "leak"), text(answers, "planned")) {
        (Some("leak"), _) => Some("leaks now"),
        (Some("damage"), _) => Some("damage"),
        (_, Some("now")) => Some("wants it now"),
        _ => None,
    }
}

/// `Problem: Leaks · Roof age: Over 20 years · When: Now · Contact: Text, evenings`, and the visit that is asked for.
fn answers(lead: &Value) -> Option<String> {
    let rows: Vec<String> = answer_rows(lead).into_iter().map(|(label, text)| format!("{label}: {text}")).collect();
    (!rows.is_empty()).then(|| rows.join(" · "))
}

fn answer_rows(lead: &Value) -> Vec<(&'static str, String)> {
    let rows = [
        ("Problem", problem(lead).map(str::to_owned)),
        ("Roof age", roof_age(lead).map(str::to_owned)),
        ("When", planned(lead).map(str::to_owned)),
        ("Contact", contact(lead)),
        ("Visit", visit(lead)),
    ];
    rows.into_iter().filter_map(|(label, text)| Some((label, text?))).collect()
}

/// The homeowner's own sentences, each on a line.
fn written(lead: &Value) -> Option<String> {
    let mut texts: Vec<&str> =
        [text(lead, "message"), text(&lead["answers"], "note"), text(&lead["inspection"], "note")]
            .into_iter()
            .flatten()
            .collect();
    texts.dedup();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

fn consent(lead: &Value) -> &'static str {
    if lead["consent"]["given"] == true { "Agreed to be contacted" } else { "Has not agreed to be contacted" }
}

fn call(lead: &Value) -> Option<String> {
    let phone = Phone::parse_loosely(text(lead, "phone")?)?;
    Some(format!("tel:+1{}", phone.as_str().chars().filter(char::is_ascii_digit).collect::<String>()))
}

fn directions(lead: &Value) -> Option<String> {
    let mut address: String = text(lead, "address")?.chars().take(200).collect();
    loop {
        let encoded: String = url::form_urlencoded::byte_serialize(address.as_bytes()).collect();
        if encoded.len() <= MAX_DESTINATION {
            return Some(format!("https://www.google.com/maps/dir/?api=1&destination={encoded}"));
        }
        address.pop();
    }
}

fn source(lead: &Value) -> Option<String> {
    let source = &lead["source"];
    let campaign: Vec<&str> =
        ["utmSource", "utmMedium", "utmCampaign"].iter().filter_map(|key| text(source, key)).collect();
    let page = text(source, "pageUrl");
    match (page, campaign.is_empty()) {
        (Some(page), true) => Some(page.to_owned()),
        (Some(page), false) => Some(format!("{page} ({})", campaign.join(" / "))),
        (None, false) => Some(campaign.join(" / ")),
        (None, true) => text(source, "via").map(str::to_owned),
    }
}

/// `source.clickIds`, and `source.clickId` (`gclid=…&…`), with `null` for what is not there.
fn clicks(lead: &Value) -> Value {
    let source = &lead["source"];
    let mut found = Map::new();
    for name in CLICKS {
        found.insert(name.to_owned(), text(&source["clickIds"], name).map_or(Value::Null, Value::from));
    }
    let pairs = text(source, "clickId").unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    for (name, id) in pairs {
        if let Some(empty) = found.get_mut(name).filter(|known| known.is_null()) {
            *empty = Value::from(id);
        }
    }
    // Meta's own form of a click without its cookie: version, level of the domain, time, id.
    if found["fbc"].is_null()
        && let Some(click) = found["fbclid"].as_str()
        && let Some(at) = text(lead, "createdAt").and_then(Timestamp::parse_iso)
    {
        found.insert("fbc".to_owned(), Value::from(format!("fb.1.{}.{click}", at.micros().div_euclid(1_000))));
    }
    Value::Object(found)
}

fn notes(lead: &Value, links: &Value) -> String {
    let range = shown_price(lead).and_then(|p| {
        let (cost, low, high) = (p["cost"].as_f64()?, p["low"].as_f64(), p["high"].as_f64());
        let between = low.zip(high).map(|(low, high)| format!(" ({} to {})", dollars(low), dollars(high)));
        Some(format!("{}{}", dollars(cost), between.unwrap_or_default()))
    });
    let agreed_at = text(&lead["consent"], "at").filter(|_| lead["consent"]["given"] == true);
    let consent = agreed_at.map_or_else(|| consent(lead).to_owned(), |at| format!("{} on {at}", consent(lead)));
    let answers = answer_rows(lead).into_iter().map(|(label, text)| (label, Some(text)));
    let lines = [
        ("Message", written(lead)),
        ("Estimate", range),
        ("Roof", roof(lead)),
        ("Consent", Some(consent)),
        ("Came from", source(lead)),
        ("Lead", text(links, "portal").or_else(|| text(lead, "id")).map(str::to_owned)),
    ];
    let written = answers.chain(lines).filter_map(|(label, value)| value.map(|v| format!("{label}: {v}")));
    written.collect::<Vec<_>>().join("\n")
}

/// `asked for 2026-12-01 morning or 2026-12-04 evening, to be answered by text`
fn visit(lead: &Value) -> Option<String> {
    let visit = &lead["inspection"];
    let wishes = visit["wishes"].as_array()?.iter();
    let wishes: Vec<String> =
        wishes.filter_map(|wish| Some(format!("{} {}", text(wish, "date")?, text(wish, "part")?))).collect();
    let state = match text(visit, "state")? {
        "confirmed" => "confirmed, one of",
        "declined" => "declined,",
        _ => "asked for",
    };
    Some(format!("{state} {}, to be answered by {}", wishes.join(" or "), text(visit, "contactBy")?))
}

fn dollars(amount: f64) -> String {
    let digits = format!("{:.0}", amount.abs());
    let mut out = String::from("$");
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
