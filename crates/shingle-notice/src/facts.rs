//! What several notices say of a lead, in words.

use shingle_domain::Language;
use shingle_domain::lead::{Lead, MaterialPrice, ShownEstimate};
use shingle_domain::roof::{Alerts, DrawingBasis, RoofDrawing, RoofMaterial};
use shingle_widget::plan::lengths;
use shingle_widget::price_parts::parts_in_text;
use shingle_widget::words::{
    area_alert, complexity, dollars, fill, flow_words, material_in_text, pitch_alert, squares as hundredths, tenths,
    thousands, w,
};

use crate::clean;
use crate::moment::LocalTime;
use crate::words::Words;

/// First and last name.
pub fn name(lead: &Lead) -> String {
    clean::line(&[&lead.first_name, " ", &lead.last_name].concat())
}

/// The name in a title: the mail address or the number stands in for a name without visible letters.
pub fn title_name(lead: &Lead) -> String {
    Some(name(lead)).filter(|name| !name.is_empty()).unwrap_or_else(|| match (&lead.email, &lead.phone) {
        (None, Some(phone)) => phone.as_str().to_owned(),
        _ => lead.email_text().to_owned(),
    })
}

/// The first name, if it can be nothing but a name: a greeting must not carry a link or a message to a stranger.
pub fn greeting_name(lead: &Lead) -> Option<String> {
    let first = clean::line(&lead.first_name);
    let letters = first.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’'));
    let short = first.chars().count() <= 30 && first.split(' ').count() <= 3;
    (letters && short && !first.is_empty()).then_some(first)
}

/// `14 Alder Court`, of `14 Alder Court, Harrow Falls, ME 04995`.
pub fn street(address: &str) -> String {
    clean::line(address.split(',').next().unwrap_or_default())
}

/// `14`; empty where the street does not begin with a number.
pub fn house_number(address: &str) -> String {
    let first = address.split_whitespace().next().unwrap_or_default().trim_end_matches(',');
    let plain = first.starts_with(|c: char| c.is_ascii_digit())
        && first.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '½'));
    if plain && first.chars().count() <= 8 { first.to_owned() } else { String::new() }
}

/// The price that stands for the lead: of the material that was chosen, else the first that was shown.
pub fn shown_price(lead: &Lead) -> Option<(&ShownEstimate, &MaterialPrice)> {
    let estimate = lead.estimate.as_ref()?;
    let chosen = estimate.prices.iter().find(|price| Some(price.material) == lead.roof_material);
    chosen.or(estimate.prices.first()).map(|price| (estimate, price))
}

pub fn squares(estimate: &ShownEstimate) -> String {
    hundredths(rounded(estimate.squares * 100.0))
}

pub fn material(of: RoofMaterial, language: Language) -> String {
    flow_words(language)[material_in_text(of)].to_owned()
}

/// `$14,500 to $17,700 · 24.8 squares × $650, asphalt shingle`, or with the parts of the price
pub fn sum_line(estimate: &ShownEstimate, price: &MaterialPrice, language: Language, words: &Words) -> String {
    let (low, high) = (dollars(price.low), dollars(price.high));
    if let Some(parts) = parts_in_text(flow_words(language), price).filter(|_| price.minimum.is_none()) {
        return fill(words.parts_line, &[("low", &*low), ("high", &*high), ("parts", &*parts)]);
    }
    let (per, squares) = (dollars(price.price_per_square), squares(estimate));
    let material = material(price.material, language);
    let with = [("low", &*low), ("high", &*high), ("squares", &*squares), ("price", &*per), ("material", &*material)];
    fill(if price.minimum.is_some() { words.minimum_line } else { words.sum_line }, &with)
}

/// `24.8 squares, 2,480 sq ft`, `pitch 6/12, 6 facets, average`
pub fn measured(
    estimate: &ShownEstimate,
    drawing: Option<&RoofDrawing>,
    language: Language,
    words: &Words,
) -> Vec<String> {
    let area = thousands(rounded(estimate.roof_area));
    let size = fill(words.squares_area, &[("squares", &squares(estimate)), ("area", &area)]);
    let pitch = if is_surveyed(drawing) { words.pitch } else { words.pitch_assumed };
    let mut shape = vec![fill(pitch, &[("rise", &rise(estimate.average_roof_pitch))])];
    shape.extend(drawing.and_then(|d| facets(d, words)));
    if estimate.roof_complexity_level.is_some() {
        shape.push(flow_words(language)[complexity(estimate.roof_complexity_level)].to_lowercase());
    }
    vec![size, shape.join(", ")]
}

/// Where a survey knows no planes nobody has measured how steep the roof is.
fn is_surveyed(drawing: Option<&RoofDrawing>) -> bool {
    drawing.is_some_and(|drawing| drawing.basis == DrawingBasis::Measured)
}

/// What was measured, with a label for each figure.
pub fn figures(
    estimate: &ShownEstimate,
    drawing: Option<&RoofDrawing>,
    language: Language,
    words: &Words,
) -> Vec<[String; 2]> {
    let flow = flow_words(language);
    let label = |n: usize| flow[w::FACTS.at(n)].to_owned();
    let area = [&thousands(rounded(estimate.roof_area)), " ", &flow[w::SQUARE_FEET]].concat();
    let pitch = [&rise(estimate.average_roof_pitch), "/12"].concat();
    let named = if is_surveyed(drawing) { label(2) } else { flow[w::PITCH_ASSUMED].to_owned() };
    let mut rows = vec![[label(0), area], [label(1), squares(estimate)], [named, pitch]];
    let level = estimate.roof_complexity_level;
    let shape: Vec<String> = level
        .map(|_| flow[complexity(level)].to_owned())
        .into_iter()
        .chain(drawing.and_then(|d| facets(d, words)))
        .collect();
    if !shape.is_empty() {
        rows.push([label(3), shape.join(", ")]);
    }
    if let Some(drawing) = drawing {
        let [ridge, hip, valley, eave] = lengths(drawing);
        let feet = |n: u32| [&thousands(n.into()), " ", &flow[w::FEET]].concat();
        let lines = [(0, ridge), (1, hip), (2, valley), (3, eave)];
        let known = lines.into_iter().filter(|(_, n)| *n > 0);
        rows.extend(known.map(|(n, length)| [flow[w::LINES.at(n)].to_owned(), feet(length)]));
    }
    rows
}

/// What the checks of the roof found strange, a sentence each.
pub fn alerts(of: &Alerts, language: Language) -> Vec<String> {
    let flow = flow_words(language);
    let groups = [pitch_alert(of.roof_pitch_alert), area_alert(of.roof_area_alert)];
    groups.into_iter().flatten().map(|g| [&flow[g.at(0)], " ", &flow[g.at(1)]].concat()).collect()
}

/// The drawing in words: what stands in for the picture.
pub fn plan_name(drawing: &RoofDrawing, address: &str, language: Language, words: &Words) -> String {
    let shape = facets(drawing, words).unwrap_or_else(|| flow_words(language)[w::PLAN_OUTLINE].to_owned());
    let (a, b) = (tenths(drawing.width.into()), tenths(drawing.height.into()));
    let street = street(address);
    fill(words.plan, &[("street", &*street), ("a", &*a), ("b", &*b), ("shape", &*shape)])
}

fn facets(drawing: &RoofDrawing, words: &Words) -> Option<String> {
    match drawing.facets.len() {
        0 => None,
        1 => Some(words.facets_one.to_owned()),
        n => Some(fill(words.facets, &[("n", &n.to_string())])),
    }
}

/// Halves of an inch over twelve, as the flow says it: `6`, `4.5`.
fn rise(degrees: f64) -> String {
    tenths(rounded(degrees.to_radians().tan() * 24.0).saturating_mul(5))
}

/// Nothing sensible is far away; what is not a number is 0.
fn rounded(n: f64) -> i64 {
    n.round().clamp(-1e12, 1e12) as i64
}

/// Stated, never implied.
pub fn may_contact(lead: &Lead, time: &LocalTime, words: &Words) -> String {
    let sentence = match (lead.consent.given, &lead.phone) {
        (true, Some(_)) => words.agreed,
        (true, None) => words.agreed_no_phone,
        (false, _) => words.not_agreed,
    };
    fill(sentence, &[("at", &time.moment(lead.consent.at))])
}

/// Tenths of feet: longer than any house, and short enough to be squared.
const MAX_SIDE: i32 = 30_000;

/// Whether there is anything to draw, and its numbers can be reckoned with.
pub fn is_drawable(drawing: &RoofDrawing) -> bool {
    let sides = [drawing.width, drawing.height].iter().all(|side| (1..=MAX_SIDE).contains(side));
    let mut corners = drawing.rings.iter().chain(drawing.facets.iter().map(|facet| &facet.ring)).flatten().flatten();
    let near = corners.all(|n| (-MAX_SIDE / 4..=MAX_SIDE).contains(n));
    sides && near && drawing.rings.iter().any(|ring| ring.len() > 2)
}
