//! Where somebody works, and what its homes take before they are loaded.

use shingle_domain::Language;
use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::view::photo::date as photo_date;
use shingle_widget::words::flow_words;

use crate::area_map::{AreaMapView, area_map};
use crate::catalog::say;
use crate::connection_form::check;
use crate::counted::{Counted, counted};
use crate::element::{Under, button, card, div, el, english, hidden, input, labelled, link, post, select, soft};
use crate::health::bytes;
use crate::phrase::{capital, phrase, translated};
use crate::responsive_table::figure;

/// Choices of how far around, in miles.
const MILES: [u32; 6] = [5, 10, 15, 25, 40, 60];

/// Where the page goes on after a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaPlace {
    /// The first run.
    Start,
    Towns,
    Areas,
}

impl AreaPlace {
    pub fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Towns => "towns",
            Self::Areas => "areas",
        }
    }

    pub fn of(word: &str) -> Self {
        match word {
            "start" => Self::Start,
            "towns" => Self::Towns,
            _ => Self::Areas,
        }
    }

    pub fn path(self) -> &'static str {
        match self {
            Self::Start => "/portal/start?step=4",
            Self::Towns => "/portal/towns",
            Self::Areas => "/portal/operator/areas",
        }
    }
}

/// What was typed, and what is wrong with it.
pub struct AreaFormView<'v> {
    pub at: AreaPlace,
    pub place: &'v str,
    pub miles: &'v str,
    /// Roofs are to be measured from the laser survey.
    pub survey: bool,
    /// Photographs from the air are to be loaded.
    pub photos: bool,
    /// As far as an area may reach.
    pub most_miles: u32,
    pub wrong: Option<&'v Message>,
    /// Towns of the same name, with their states.
    pub which: &'v [String],
    pub plan: Option<AreaPlanView<'v>>,
}

/// A laser survey of an area.
#[derive(Debug, Clone, Copy)]
pub struct SurveyPlanView<'v> {
    pub name: &'v str,
    pub year: Option<u16>,
    /// About, at most.
    pub download: u64,
}

/// `CO_Denver_2020, flown in 2020`
pub(crate) fn survey_in_words(language: Language, name: &str, year: Option<u16>) -> String {
    match year {
        Some(year) => phrase(language, "{survey}, flown in {year}", &[("survey", name), ("year", &year.to_string())]),
        None => name.to_owned(),
    }
}

/// The photographs from the air of an area.
#[derive(Debug, Clone, Copy)]
pub struct PhotoPlanView<'v> {
    pub title: &'v str,
    /// Of the newest.
    pub taken: PhotoDate,
    /// At most.
    pub requests: u64,
    /// About, at most.
    pub download: u64,
}

pub struct AreaPlanView<'v> {
    pub title: &'v str,
    pub addresses: u64,
    pub buildings: u64,
    /// `None`: roofs are not to be measured. Else which survey measures them, or why none does.
    pub survey: Option<Result<SurveyPlanView<'v>, &'v Message>>,
    /// `None`: photographs are not to be loaded.
    pub photos: Option<Result<PhotoPlanView<'v>, &'v Message>>,
    pub download: u64,
    pub disk: u64,
    pub source: &'v str,
    pub release: &'v str,
    pub license: &'v str,
    pub license_url: &'v str,
    pub attribution: &'v str,
    /// In English, as the source has them.
    pub terms: &'v str,
    pub map: Option<&'v AreaMapView>,
}

/// `80302 + 10 mi`, `Boulder, CO`.
pub fn area_title(language: Language, places: &[String], miles: Option<f64>) -> String {
    let places = places.join(", ");
    match miles {
        Some(miles) => phrase(language, "{places} + {miles} mi", &[("places", &places), ("miles", &miles.to_string())]),
        None => places,
    }
}

/// The form, and under it what it found.
pub(crate) fn area_form(language: Language, view: &AreaFormView<'_>) -> Vec<Node> {
    let mut nodes = vec![form(language, view)];
    if !view.which.is_empty() {
        nodes.push(which(language, view));
    }
    if let Some(plan) = &view.plan {
        nodes.extend(plan.map.map(|map| area_map(language, plan.title, map)));
        nodes.push(honest(language, plan));
    }
    nodes
}

fn form(language: Language, view: &AreaFormView<'_>) -> Node {
    let place = input("place", "text")
        .set("value", view.place.to_owned())
        .set("autocomplete", "postal-code")
        .set("maxlength", "400")
        .set("required", "");
    let under = match view.wrong {
        Some(said) => Under::Wrong(format!("{}.", capital(say(language, said).trim_end_matches('.'))).into()),
        None => Under::Hint(
            Node::classed("p", "hint")
                .text("A ZIP, a town with its state, several ZIPs, or a county: Boulder County, CO."),
        ),
    };
    let as_it_is = (String::new(), translated(language, "No farther than that").to_owned());
    let miles = MILES
        .into_iter()
        .filter(|miles| *miles <= view.most_miles)
        .map(|miles| (miles.to_string(), counted(language, Counted::MILES, i64::from(miles))));
    // What was asked for in the address stays what is shown.
    let typed = (!view.miles.is_empty() && MILES.iter().all(|miles| miles.to_string() != view.miles))
        .then(|| (view.miles.to_owned(), view.miles.to_owned()));
    let miles = select("miles", "miles", [as_it_is].into_iter().chain(miles).chain(typed), view.miles);
    let go = if view.plan.is_some() { "btn" } else { "btn ink" };
    let path = view.at.path().split('?').next().unwrap_or_default();
    let form = el("form").set("method", "get").set("action", path.to_owned());
    let form = match view.at {
        AreaPlace::Start => form.child(hidden("step", "4")),
        AreaPlace::Towns | AreaPlace::Areas => form,
    };
    Node::classed("section", "card").set("aria-label", "Your area").child(
        form.child(div("pair2").child(labelled("ZIP or town", "place", place, Some(under))).child(labelled(
            "How far do you drive?",
            "miles",
            miles,
            None,
        )))
        .child(check("survey".to_owned(), "1", "Measure roofs from the public laser survey", view.survey))
        .child(check("photos".to_owned(), "1", "Show photos from the air (USDA, public domain)", view.photos))
        .child(button(go, "Show this area")),
    )
}

/// Several towns have the name.
fn which(language: Language, view: &AreaFormView<'_>) -> Node {
    let one = |place: &String| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("place", place)
            .append_pair("miles", view.miles)
            .extend_pairs(view.survey.then_some(("survey", "1")))
            .extend_pairs(view.photos.then_some(("photos", "1")))
            .finish();
        let join = if view.at.path().contains('?') { '&' } else { '?' };
        link(format!("{}{join}{query}", view.at.path()), place.clone()).set("class", "btn")
    };
    let title = phrase(language, "Which {name}?", &[("name", view.place)]);
    Node::classed("section", "card").child(el("h2").text(title)).child(div("ways").children(view.which.iter().map(one)))
}

/// What comes before every download.
fn honest(language: Language, plan: &AreaPlanView<'_>) -> Node {
    let count = |of, n: u64| counted(language, of, i64::try_from(n).unwrap_or(i64::MAX));
    let homes = phrase(
        language,
        "About {addresses} and {buildings}",
        &[
            ("addresses", &count(Counted::ADDRESSES, plan.addresses)),
            ("buildings", &count(Counted::BUILDINGS, plan.buildings)),
        ],
    );
    let size = phrase(
        language,
        "{download} to download at most, about {disk} on disk",
        &[("download", &bytes(plan.download)), ("disk", &bytes(plan.disk))],
    );
    let source = phrase(language, "{source}, release {release}", &[("source", plan.source), ("release", plan.release)]);
    let shown = phrase(language, "Shown on your pages: {attribution}", &[("attribution", plan.attribution)]);
    let license = el("li")
        .child(el("span").text("License:"))
        .child(el("span").text(" "))
        .child(
            english(link(plan.license_url.to_owned(), plan.license.to_owned()))
                .set("target", "_blank")
                .set("rel", "noopener noreferrer"),
        )
        .child(el("span").text(". "))
        .child(english(el("span").text(plan.terms.to_owned())));
    let lines = [
        el("li").text(size),
        el("li").text(source),
        license,
        el("li").text(shown),
        el("li").text(roofs(language, plan)),
    ];
    let photos = plan.photos.map(|photos| el("li").text(photos_in_words(language, photos)));
    Node::classed("section", "card honest")
        .set("aria-label", "What it costs to load")
        .child(el("h2").text(homes))
        .child(el("ul").children(lines.into_iter().chain(photos)))
        .child(soft("With “Load these homes” you accept this license.").set("id", "accepts"))
}

fn roofs(language: Language, plan: &AreaPlanView<'_>) -> String {
    match plan.survey {
        None => translated(language, "Outlines only: we assume the pitch until you import measured roofs.").to_owned(),
        Some(Ok(survey)) => {
            let named = survey_in_words(language, survey.name, survey.year);
            phrase(
                language,
                "Roofs are measured in the laser survey {survey}: about {download} more to download at most.",
                &[("survey", &named), ("download", &bytes(survey.download))],
            )
        }
        Some(Err(why)) => phrase(
            language,
            "Roofs won’t be measured: {why}. The homes load all the same.",
            &[("why", &say(language, why))],
        ),
    }
}

fn photos_in_words(language: Language, photos: Result<PhotoPlanView<'_>, &Message>) -> String {
    match photos {
        Ok(photos) => phrase(
            language,
            "Photos from the air: {source}, {date}. About {download} more to download. Most requests: {requests}.",
            &[
                ("source", photos.title),
                ("date", &photo_date(flow_words(language), photos.taken)),
                ("requests", &figure(photos.requests)),
                ("download", &bytes(photos.download)),
            ],
        ),
        Err(why) => phrase(
            language,
            "No photos from the air: {why}. The homes load all the same.",
            &[("why", &say(language, why))],
        ),
    }
}

/// What was shown, as a form that loads it.
pub(crate) fn load_form(view: &AreaFormView<'_>) -> Option<Node> {
    view.plan.as_ref()?;
    Some(
        post("/portal/operator/areas")
            .child(hidden("from", view.at.word()))
            .child(hidden("place", view.place.to_owned()))
            .child(hidden("miles", view.miles.to_owned()))
            .children(view.survey.then(|| hidden("survey", "1")))
            .children(view.photos.then(|| hidden("photos", "1")))
            .child(button("btn ink", "Load these homes").set("aria-describedby", "accepts")),
    )
}

/// Beside another thing to do.
pub(crate) fn other_ways() -> Node {
    card("Have a county’s file?")
        .child(soft(
            "Import addresses, buildings or parcels from a file. What it says wins over an area, field by field.",
        ))
        .child(div("pair").child(link("/portal/operator/imports", "Import a file").set("class", "btn")))
}
