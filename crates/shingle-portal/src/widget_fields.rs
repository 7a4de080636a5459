//! The fields of a widget in forms, named as the API names them.

use std::collections::BTreeMap;

use shingle_domain::notice::Weekday;
use shingle_domain::settings::DayPart;
use shingle_domain::{Language, Rule, Violation, Violations};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::catalog::say;
use crate::element::{Under, amount_input, div, el, input, labelled, select};
use crate::logo_field::{logo_hint, logo_input, undrawn};
use crate::phrase::{phrase, translated};

/// What is in the fields, and which rule each breaks.
#[derive(Debug, Clone, Default)]
pub struct WidgetFormValues {
    texts: BTreeMap<String, String>,
    wrong: Vec<(String, String)>,
    /// What somebody else has put there meanwhile.
    others: BTreeMap<&'static str, String>,
    /// What is said of a color: how well it can be read.
    pub(crate) shades: BTreeMap<&'static str, String>,
}

impl WidgetFormValues {
    pub fn set(&mut self, name: &str, text: impl Into<String>) {
        self.texts.insert(name.to_owned(), text.into());
    }

    pub fn get(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    pub fn refuse(&mut self, name: &str, said: impl Into<String>) {
        self.wrong.push((name.to_owned(), said.into()));
    }

    /// What is wrong with each field, by the rules of the API.
    pub fn refuse_all(&mut self, language: Language, violations: &Violations) {
        for violation in &violations.0 {
            self.refuse_rule(language, violation.path.as_str(), violation);
        }
    }

    /// A broken rule at a field of the form.
    pub(crate) fn refuse_rule(&mut self, language: Language, name: &str, violation: &Violation) {
        let rule = violation.rule.of_each();
        let said = match label(name) {
            Some(_) if self.is_refused(name) => return,
            Some(label) => match asked(name, rule, self.get(name).is_empty()) {
                Some(asked) => translated(language, asked).to_owned(),
                None => {
                    let rule = match rule {
                        Rule::LocationFor { .. } | Rule::NoLocationFor { .. } => {
                            translated(language, "must fit what opens it").to_owned()
                        }
                        rule => say(language, rule),
                    };
                    phrase(language, "{field} {rule}.", &[("field", translated(language, label)), ("rule", &rule)])
                }
            },
            None => return self.refuse("", format!("{}.", say(language, violation))),
        };
        self.refuse(name, said);
    }

    pub fn is_refused(&self, name: &str) -> bool {
        self.wrong.iter().any(|(field, _)| field == name)
    }

    /// Says beside each field that differs what is there now.
    pub fn compare(&mut self, now: &Self) {
        for field in all_fields().filter(|field| !matches!(field.control, Control::Picture)) {
            if self.get(field.name) != now.get(field.name) {
                self.others.insert(field.name, now.get(field.name).to_owned());
            }
        }
    }

    /// A rule is broken, or somebody else has put something else there.
    pub(crate) fn needs_look(&self, name: &str) -> bool {
        self.is_refused(name) || self.others.contains_key(name)
    }

    pub fn is_compared(&self) -> bool {
        !self.others.is_empty()
    }

    pub fn set_shades(&mut self, shades: impl IntoIterator<Item = (&'static str, String)>) {
        self.shades.extend(shades);
    }

    /// The fields that break a rule, each with what is said.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        self.wrong.iter().map(|(name, said)| (name.as_str(), said.as_str()))
    }

    pub(crate) fn said(&self, name: &str) -> Option<&str> {
        self.wrong.iter().find(|(field, _)| field == name).map(|(_, said)| said.as_str())
    }

    /// What is wrong with no field of the page.
    pub(crate) fn said_of_none(&self) -> impl Iterator<Item = &str> {
        self.wrong.iter().filter(|(field, _)| label(field).is_none()).map(|(_, said)| said.as_str())
    }
}

/// How a field is filled in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Control {
    /// The kind of the input, and what browsers may fill in.
    Line(&'static str, &'static str),
    /// What its picker is called.
    Color(&'static str),
    /// Some lines of text.
    Lines,
    Check,
    Choice(&'static [(&'static str, &'static str)]),
    Picture,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct WidgetField {
    pub name: &'static str,
    pub label: &'static str,
    pub control: Control,
    pub hint: &'static str,
}

const fn field(name: &'static str, label: &'static str, control: Control, hint: &'static str) -> WidgetField {
    WidgetField { name, label, control, hint }
}

const TEXT: Control = Control::Line("text", "off");
const LINK: Control = Control::Line("url", "off");

pub(crate) static COMPANY: [WidgetField; 6] = [
    field("companyName", "Company name", Control::Line("text", "organization"), ""),
    field("companyPhone", "Phone", Control::Line("tel", "tel"), "Like (207) 555-0143."),
    field("companyEmail", "Email", Control::Line("email", "email"), "Homeowners may see it."),
    field("companyAddress", "Address", Control::Line("text", "street-address"), "Leave blank to show none."),
    field("companyUrl", "Website", Control::Line("url", "url"), "Leave blank if you have none."),
    field("footerPirvacyPolicyLink", "Privacy policy", LINK, "Leave blank to use the page we make for you."),
];
pub(crate) static TEXTS: [WidgetField; 5] = [
    field("firstPageTitle", "Title of the first page", TEXT, ""),
    field("buttonText", "Text on the button", TEXT, "Leave blank for “Get my roof estimate”."),
    field("bannerText", "Text on the banner", TEXT, "Banner only."),
    field("footerCompanyName", "Company name in the footer", TEXT, ""),
    field("footerTermsOfUseLink", "Terms of use", LINK, "The address of the page, if you have one."),
];
pub(crate) static PLACE: [WidgetField; 5] = [
    field(
        "elementType",
        "What opens the estimate",
        Control::Choice(&[("button", "A button"), ("banner", "A banner"), ("custom", "Your own button or link")]),
        "",
    ),
    field("elementSize", "Size", Control::Choice(&[("small", "Small"), ("medium", "Medium"), ("large", "Large")]), ""),
    field(
        "elementLocation",
        "Position",
        Control::Choice(&[
            ("", "Default position"),
            ("bottom_right", "Button: bottom right"),
            ("bottom_left", "Button: bottom left"),
            ("side_right", "Button: right side"),
            ("side_left", "Button: left side"),
            ("top", "Banner: top"),
            ("bottom", "Banner: bottom"),
        ]),
        "",
    ),
    field("domains", "Sites that may run it", TEXT, "Separate with commas. Leave blank for your website only."),
    field(
        "status",
        "State",
        Control::Choice(&[("active", "On"), ("inactive", "Off")]),
        "When off, visitors only see your phone number.",
    ),
];
pub(crate) static COLORS: [WidgetField; 9] = [
    field("primaryColor", "Main color", Control::Color("Pick the main color"), ""),
    field("secondaryColor", "Second color", Control::Color("Pick the second color"), ""),
    field("backgroundColor", "Background", Control::Color("Pick the background"), ""),
    field("cardBackgroundColor", "Cards", Control::Color("Pick the color of cards"), ""),
    field("textColor", "Text", Control::Color("Pick the text color"), ""),
    field("linkColor", "Links", Control::Color("Pick the color of links"), ""),
    field("buttonBackgroundColor", "Button", Control::Color("Pick the color of the button"), ""),
    field("buttonTextColor", "Button text color", Control::Color("Pick the color of the button’s text"), ""),
    field("bannerBackgroundColor", "Banner", Control::Color("Pick the color of the banner"), ""),
];
pub(crate) static PRICE: WidgetField = field(
    "installedPrice",
    "Dollars per square",
    Control::Line("number", "off"),
    "An installed asphalt shingle roof, per 100 square feet.",
);
pub(crate) static PRICES: [WidgetField; 9] = [
    field("prices.metal", "Metal, dollars per square", NUMBER, "Leave blank to estimate it from your asphalt price."),
    field("prices.tile", "Tile, dollars per square", NUMBER, "Leave blank to estimate it from your asphalt price."),
    field("prices.slate", "Slate, dollars per square", NUMBER, "Leave blank to estimate it from your asphalt price."),
    field(
        "prices.lowSlope",
        "Low slope, dollars per square",
        NUMBER,
        "A membrane where the roof is under 2/12. Leave blank to estimate it from your asphalt price.",
    ),
    field(
        "prices.steep",
        "Steep, 8/12 to under 10/12: added dollars per square",
        NUMBER,
        "Only for the facets that a survey measured as steep. Roofers often add 35 to 60. Leave blank to add nothing.",
    ),
    field(
        "prices.verySteep",
        "Very steep, 10/12 and up: added dollars per square",
        NUMBER,
        "Roofers often add 55 to 90. Leave blank to add as much as for steep.",
    ),
    field(
        "prices.twoStories",
        "Two stories: added dollars per square",
        NUMBER,
        "For the house, where the records say how many stories it has. Leave blank to add nothing.",
    ),
    field(
        "prices.threeStories",
        "Three stories or more: added dollars per square",
        NUMBER,
        "Leave blank to add as much as for two.",
    ),
    field(
        "prices.minimum",
        "Minimum for a job, dollars",
        NUMBER,
        "No estimate goes below it. Leave blank if you have none.",
    ),
];
pub(crate) static LOGOS: [WidgetField; 2] = [
    field("headerLogo", "Logo", Control::Picture, ""),
    field("footerLogo", "Small logo in the footer", Control::Picture, ""),
];

const LINES: Control = Control::Lines;
const NUMBER: Control = Control::Line("number", "off");

pub(crate) static SCOPE: [WidgetField; 3] = [
    field("priceIncludes", "The price includes", LINES, "One per line, up to 12: tear-off, permit, haul-away."),
    field("priceExcludes", "It does not include", LINES, "One per line, up to 12."),
    field("license", "License", TEXT, "Shown after the word License."),
];
pub(crate) static MONTHLY: [WidgetField; 4] = [
    field("monthlyPayment.aprPercent", "APR", NUMBER, "Like 8.99. Leave blank for no monthly example."),
    field("monthlyPayment.months", "Number of payments", NUMBER, "1 to 360."),
    field("monthlyPayment.leastAmount", "Minimum price, in dollars", NUMBER, ""),
    field("monthlyPayment.link", "Page about the financing", LINK, ""),
];
pub(crate) static RATING: [WidgetField; 3] = [
    field("rating.value", "Rating out of 5", NUMBER, "Like 4.8. Leave blank to show no rating."),
    field("rating.count", "Number of reviews", NUMBER, ""),
    field("rating.link", "Page with the reviews", LINK, "Add a link to your reviews to show a rating."),
];
pub(crate) static ASKED: [WidgetField; 5] = [
    field("ask.roofAge", "The age of the roof", Control::Check, ""),
    field("ask.leak", "A leak or damage", Control::Check, ""),
    field("ask.planned", "When the work is planned", Control::Check, ""),
    field("ask.contactTime", "How and when to get in touch", Control::Check, ""),
    field("ask.note", "A note", Control::Check, ""),
];
pub(crate) static COPY: WidgetField = field(
    "mail.homeownerCopy",
    "Homeowners get their estimate by email",
    Control::Check,
    "If your notices send these copies.",
);
pub(crate) static ZONE: WidgetField = field(
    "workingHours.timeZone",
    "Time zone",
    TEXT,
    "Like America/New_York. Leave blank to use your notices’ time zone.",
);

pub(crate) static SELF_BOOKING: WidgetField = field(
    "selfBooking.on",
    "Homeowners book a free time themselves",
    Control::Check,
    "They pick a time within your inspection hours, and it is booked at once. You hear of it like of any other inspection.",
);
pub(crate) static BOOKED_TIMES: [WidgetField; 6] = [
    field("selfBooking.minutes", "Length of a visit, in minutes", NUMBER, ""),
    field(
        "selfBooking.travelMinutes",
        "Kept free between two visits, in minutes",
        NUMBER,
        "For the way to the next home.",
    ),
    field("selfBooking.noticeHours", "Shortest notice, in hours", NUMBER, "From the booking to the visit."),
    field("selfBooking.daysAhead", "How many days ahead", NUMBER, "Counted from the first time they can book."),
    field("selfBooking.atOnce", "Visits at the same time", NUMBER, "How many of your people can be out at once."),
    field(
        "selfBooking.daysOff",
        "Days off",
        LINES,
        "One per line, like 2026-12-25. For several days in a row, type the first and the last: 2026-12-24/2027-01-01.",
    ),
];

macro_rules! visits {
    ($($name:literal $morning:literal $afternoon:literal $evening:literal),+ $(,)?) => {
        pub(crate) static VISITS: [WidgetField; 21] = [$(
            field(concat!("visit.", $name, ".morning"), $morning, TEXT, ""),
            field(concat!("visit.", $name, ".afternoon"), $afternoon, TEXT, ""),
            field(concat!("visit.", $name, ".evening"), $evening, TEXT, ""),
        )+];
    };
}
visits!(
    "monday" "Monday, morning" "Monday, afternoon" "Monday, evening",
    "tuesday" "Tuesday, morning" "Tuesday, afternoon" "Tuesday, evening",
    "wednesday" "Wednesday, morning" "Wednesday, afternoon" "Wednesday, evening",
    "thursday" "Thursday, morning" "Thursday, afternoon" "Thursday, evening",
    "friday" "Friday, morning" "Friday, afternoon" "Friday, evening",
    "saturday" "Saturday, morning" "Saturday, afternoon" "Saturday, evening",
    "sunday" "Sunday, morning" "Sunday, afternoon" "Sunday, evening",
);

pub(crate) static ENGLISH: [WidgetField; 7] = [
    field("texts.en.firstPageTitle", "Title of the first page, in English", TEXT, ""),
    field("texts.en.buttonText", "Text on the button, in English", TEXT, ""),
    field("texts.en.bannerText", "Text on the banner, in English", TEXT, ""),
    field("texts.en.priceIncludes", "The price includes, in English", LINES, ""),
    field("texts.en.priceExcludes", "It does not include, in English", LINES, ""),
    field("texts.en.license", "License, in English", TEXT, ""),
    field(
        "texts.en.privacy",
        "Privacy page, in English",
        LINES,
        "Used if you have no privacy policy of your own. Leave blank for ours.",
    ),
];
pub(crate) static SPANISH: [WidgetField; 7] = [
    field("texts.es.firstPageTitle", "Title of the first page, in Spanish", TEXT, ""),
    field("texts.es.buttonText", "Text on the button, in Spanish", TEXT, ""),
    field("texts.es.bannerText", "Text on the banner, in Spanish", TEXT, ""),
    field("texts.es.priceIncludes", "The price includes, in Spanish", LINES, ""),
    field("texts.es.priceExcludes", "It does not include, in Spanish", LINES, ""),
    field("texts.es.license", "License, in Spanish", TEXT, ""),
    field(
        "texts.es.privacy",
        "Privacy page, in Spanish",
        LINES,
        "Used if you have no privacy policy of your own. Leave blank for ours.",
    ),
];
pub(crate) static LAUNCHER: [WidgetField; 3] = [
    field("launcher.offsetX", "Pixels from the side", NUMBER, "0 to 200: how far the button or banner moves inward."),
    field("launcher.offsetY", "Pixels from top or bottom", NUMBER, "0 to 200."),
    field(
        "fetchAhead",
        "When your page loads the estimate",
        Control::Choice(&[
            ("dwell", "After ten seconds on the page"),
            ("intent", "When a pointer comes near"),
            ("idle", "As soon as the page is idle"),
        ]),
        "A tap always loads it. Earlier is faster for visitors, but your page loads more.",
    ),
];

pub(crate) static AERIAL: WidgetField = field(
    "aerialPhotos.show",
    "Show a photo from the air under the drawing",
    Control::Check,
    "Where this server has one. The drawing stays, and people can switch between both.",
);
pub(crate) static AERIAL_AGE: WidgetField = field(
    "aerialPhotos.oldestYears",
    "Oldest photo, in years",
    NUMBER,
    "Older photos are not shown. Leave blank to show photos of any age.",
);

/// The field for the hours of one part of a day.
pub(crate) fn visit_name(day: Weekday, part: DayPart) -> Option<&'static str> {
    let found = VISITS.iter().find(|field| {
        let mut name = field.name.split('.').skip(1);
        (name.next(), name.next()) == (Some(day.as_str()), Some(part.as_str()))
    });
    found.map(|field| field.name)
}

fn of_record() -> impl Iterator<Item = &'static WidgetField> {
    COMPANY.iter().chain(&TEXTS).chain(&PLACE).chain(&COLORS).chain([&PRICE]).chain(&LOGOS)
}

/// What is set beside the record, whose names are those of the API.
pub(crate) fn settings_fields() -> impl Iterator<Item = &'static WidgetField> {
    PRICES
        .iter()
        .chain(&SCOPE)
        .chain(&MONTHLY)
        .chain(&RATING)
        .chain([&ZONE])
        .chain(&ENGLISH)
        .chain(&SPANISH)
        .chain(&LAUNCHER)
        .chain([&AERIAL_AGE])
        .chain(&BOOKED_TIMES)
}

pub(crate) fn all_fields() -> impl Iterator<Item = &'static WidgetField> {
    of_record().chain(settings_fields()).chain(&ASKED).chain([&COPY, &AERIAL, &SELF_BOOKING]).chain(&VISITS)
}

/// Names of the fields for what is set beside the record.
pub fn setting_field_names() -> impl Iterator<Item = &'static str> {
    settings_fields().chain(&ASKED).chain([&COPY, &AERIAL, &SELF_BOOKING]).chain(&VISITS).map(|field| field.name)
}

fn label(name: &str) -> Option<&'static str> {
    all_fields().find(|field| field.name == name).map(|field| field.label)
}

/// Names of the texts that a form of a widget may change.
pub fn widget_field_names() -> impl Iterator<Item = &'static str> {
    of_record().filter(|field| !matches!(field.control, Control::Picture)).map(|field| field.name)
}

/// What to type, where the rule is one for programs. The contract fixes the words of the API.
fn asked(name: &str, rule: &Rule, is_empty: bool) -> Option<&'static str> {
    Some(match (name, rule) {
        ("companyName", _) if is_empty => "Please type your company’s name.",
        ("companyPhone", _) if is_empty => "Please type your phone number.",
        ("companyEmail", _) if is_empty => "Please type your email address.",
        ("companyAddress", _) if is_empty => "Please type your company’s address.",
        ("companyUrl", _) if is_empty => "Please type your website.",
        ("footerPirvacyPolicyLink", _) if is_empty => "Please type the address of your privacy policy.",
        (name, Rule::LaterThanFrom) if name.starts_with("visit.") => {
            "These hours end before they begin. Please choose a later end."
        }
        (name, Rule::TimeOfDay) if name.starts_with("visit.") => {
            "Please choose both when these hours begin and when they end."
        }
        ("prices.minimum", _) => "Please type an amount in dollars, like 4500.",
        ("installedPrice" | "prices.metal" | "prices.tile" | "prices.slate" | "prices.lowSlope", _) => {
            "Please type a price in dollars, like 650."
        }
        ("prices.steep" | "prices.verySteep" | "prices.twoStories" | "prices.threeStories", _) => {
            "Please type an amount in dollars, like 40."
        }
        ("selfBooking.daysOff", Rule::VisitDay) => "Please type days like 2026-12-25, one per line.",
        (_, Rule::Color) => "Please type a color like #14365C.",
        (_, Rule::Text | Rule::NotEmpty) => "Please fill this in.",
        ("companyPhone", _) => "Please type a US phone number, like (207) 555-0143.",
        (_, Rule::Email) => "Please type an email address, like tomas@example.com.",
        (_, Rule::Url) => "Please type a web address, like https://quarry.example.",
        _ => return None,
    })
}

impl WidgetField {
    pub fn node(&self, values: &WidgetFormValues) -> Node {
        let value = values.get(self.name);
        let wrong = values.said(self.name);
        let control = match self.control {
            Control::Choice(options) => {
                let options = options.iter().map(|(value, said)| ((*value).to_owned(), *said));
                select(self.name, self.name, options, value)
            }
            Control::Line("number", _) => amount_input(self.name, value),
            Control::Line(kind, autocomplete) => {
                input(self.name, kind).set("autocomplete", autocomplete).set("value", value.to_owned())
            }
            Control::Lines => el("textarea")
                .set("id", self.name)
                .set("name", self.name)
                .set("class", "in")
                .set("rows", "3")
                .text(value.to_owned()),
            Control::Check => return self.check(values),
            Control::Color(_) => {
                let hex = input(self.name, "text").set("autocomplete", "off").set("spellcheck", "false");
                hex.set("maxlength", "9").set("value", value.get(..7).unwrap_or(value).to_owned())
            }
            Control::Picture => logo_input(self.name),
        };
        let under = match (wrong, self.control) {
            (Some(wrong), _) => Some(Under::Wrong(wrong.to_owned().into())),
            (None, Control::Picture) => Some(Under::Hint(logo_hint(None))),
            (None, _) => (!self.hint.is_empty()).then(|| Under::Hint(Node::classed("p", "hint").text(self.hint))),
        };
        let shade = matches!(self.control, Control::Color(_)).then(|| {
            let said = values.shades.get(self.name).cloned().unwrap_or_default();
            Node::classed("p", "hint shade").set("data-shade", self.name).text(said)
        });
        // The browser's picker beside the field. A script keeps both the same.
        let well = match self.control {
            Control::Color(named) => Some(
                el("input")
                    .set("type", "color")
                    .set("class", "in color")
                    .set("data-well", self.name)
                    .set("aria-label", named)
                    .set("value", value.get(..7).unwrap_or("#000000").to_owned())
                    .set("hidden", ""),
            ),
            _ => None,
        };
        let drawn = matches!(self.control, Control::Picture).then(undrawn);
        let field = labelled(self.label, self.name, control, under).children(drawn).children(shade);
        field.children(self.other(values)).children(well)
    }

    /// What somebody else has put there meanwhile.
    pub(crate) fn other(&self, values: &WidgetFormValues) -> Option<Node> {
        let other = values.others.get(self.name)?;
        let said = if other.is_empty() { el("i").text("nothing") } else { el("b").text(other.clone()) };
        let said = match self.control {
            Control::Check => el("b").text(if other.is_empty() { "no" } else { "yes" }),
            _ => said,
        };
        Some(Node::classed("p", "hint other").text("Saved now: ").child(said))
    }

    fn check(&self, values: &WidgetFormValues) -> Node {
        let mut input =
            el("input").set("id", self.name).set("name", self.name).set("type", "checkbox").set("value", "on");
        if !values.get(self.name).is_empty() {
            input = input.set("checked", "");
        }
        let hint = (!self.hint.is_empty()).then(|| {
            let id = format!("{}-said", self.name);
            Node::classed("p", "hint").set("id", id).text(self.hint)
        });
        if hint.is_some() {
            input = input.set("aria-describedby", format!("{}-said", self.name));
        }
        let label =
            el("label").set("for", self.name).set("class", "box").child(input).child(el("span").text(self.label));
        div("field").child(label).children(hint).children(self.other(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_stands_at_its_field_and_no_rule_is_lost() {
        let mut values = WidgetFormValues::default();
        values.set("companyPhone", "12");
        let mut broken = Violations::one("companyPhone", Rule::PhonePattern);
        broken.push("referenceId", Rule::Uuid);
        broken.push("companyUrl", Rule::Text);
        values.refuse_all(Language::English, &broken);
        let phone = "Please type a US phone number, like (207) 555-0143.";
        assert_eq!(values.said("companyPhone"), Some(phone));
        assert_eq!(values.said("companyUrl"), Some("Please type your website."));
        assert_eq!(values.said_of_none().collect::<Vec<_>>(), ["referenceId must be a UUID."]);
        let page = COMPANY[1].node(&values);
        let html = shingle_widget::ssr::document(page, shingle_widget::words::flow_words(Language::English));
        assert!(html.contains("aria-invalid=\"true\"") && html.contains(phone), "{html}");
    }
}
