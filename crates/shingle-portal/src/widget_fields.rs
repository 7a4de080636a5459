//! The fields of a widget in forms, named as the API names them.

use std::collections::BTreeMap;

use shingle_domain::{Email, SafeUrl};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{div, el, select};

/// What stands in the fields, and which rule each breaks.
#[derive(Debug, Clone, Default)]
pub struct WidgetFormValues {
    texts: BTreeMap<String, String>,
    wrong: Vec<(String, String)>,
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

    /// The rules of the API, which begin with a field's name.
    pub fn refuse_all(&mut self, violations: &[String]) {
        for said in violations {
            let (name, rest) = said.split_once(' ').unwrap_or(("", said));
            match label(name) {
                Some(label) if !self.is_refused(name) => self.refuse(name, format!("{label} {rest}.")),
                Some(_) => {}
                None => self.refuse("", format!("{said}.")),
            }
        }
    }

    pub fn is_refused(&self, name: &str) -> bool {
        self.wrong.iter().any(|(field, _)| field == name)
    }

    pub fn is_any_refused(&self) -> bool {
        !self.wrong.is_empty()
    }

    fn said(&self, name: &str) -> Option<&str> {
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
    Color,
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

pub(crate) const COMPANY: [WidgetField; 6] = [
    field("companyName", "Company name", Control::Line("text", "organization"), ""),
    field("companyPhone", "Telephone", Control::Line("tel", "tel"), "Like (207) 555-0143."),
    field("companyEmail", "Email", Control::Line("email", "email"), "Homeowners may see it."),
    field("companyAddress", "Address", Control::Line("text", "street-address"), ""),
    field("companyUrl", "Website", Control::Line("url", "url"), ""),
    field("footerPirvacyPolicyLink", "Privacy policy", LINK, "The address of the page on your site."),
];
pub(crate) const TEXTS: [WidgetField; 5] = [
    field("firstPageTitle", "Title of the first page", TEXT, ""),
    field("buttonText", "Text on the button", TEXT, "Empty: Get my roof estimate."),
    field("bannerText", "Text on the banner", TEXT, "A banner alone shows it."),
    field("footerCompanyName", "Company name in the footer", TEXT, ""),
    field("footerTermsOfUseLink", "Terms of use", LINK, "The address of the page, if you have one."),
];
pub(crate) const PLACE: [WidgetField; 5] = [
    field(
        "elementType",
        "What opens it",
        Control::Choice(&[("button", "A button"), ("banner", "A banner"), ("custom", "An element of your own")]),
        "",
    ),
    field("elementSize", "Size", Control::Choice(&[("small", "Small"), ("medium", "Medium"), ("large", "Large")]), ""),
    field(
        "elementLocation",
        "Where it stands",
        Control::Choice(&[
            ("", "Where it usually stands"),
            ("bottom_right", "Button: bottom right"),
            ("bottom_left", "Button: bottom left"),
            ("side_right", "Button: right side"),
            ("side_left", "Button: left side"),
            ("top", "Banner: top"),
            ("bottom", "Banner: bottom"),
        ]),
        "",
    ),
    field("domains", "Sites that may run it", TEXT, "With commas between. Empty: your website alone."),
    field(
        "status",
        "State",
        Control::Choice(&[("active", "On"), ("inactive", "Off")]),
        "Off, visitors see your telephone number alone.",
    ),
];
pub(crate) const COLORS: [WidgetField; 9] = [
    field("primaryColor", "Main color", Control::Color, ""),
    field("secondaryColor", "Second color", Control::Color, ""),
    field("backgroundColor", "Background", Control::Color, ""),
    field("cardBackgroundColor", "Cards", Control::Color, ""),
    field("textColor", "Text", Control::Color, ""),
    field("linkColor", "Links", Control::Color, ""),
    field("buttonBackgroundColor", "Button", Control::Color, ""),
    field("buttonTextColor", "Words on the button", Control::Color, ""),
    field("bannerBackgroundColor", "Banner", Control::Color, ""),
];
pub(crate) const PRICE: WidgetField = field(
    "installedPrice",
    "Dollars per square",
    Control::Line("number", "off"),
    "An installed asphalt shingle roof, per 100 square feet. Other materials follow from it.",
);
pub(crate) const LOGOS: [WidgetField; 2] = [
    field("headerLogo", "Logo", Control::Picture, "PNG, JPEG or WebP, 1 MB at most."),
    field("footerLogo", "Small logo in the footer", Control::Picture, "PNG, JPEG or WebP, 1 MB at most."),
];

fn all() -> impl Iterator<Item = &'static WidgetField> {
    COMPANY.iter().chain(&TEXTS).chain(&PLACE).chain(&COLORS).chain([&PRICE]).chain(&LOGOS)
}

fn label(name: &str) -> Option<&'static str> {
    all().find(|field| field.name == name).map(|field| field.label)
}

/// Names of the texts that a form of a widget may change.
pub fn widget_field_names() -> impl Iterator<Item = &'static str> {
    all().filter(|field| !matches!(field.control, Control::Picture)).map(|field| field.name)
}

impl WidgetField {
    pub fn node(&self, values: &WidgetFormValues) -> Node {
        let value = values.get(self.name);
        let wrong = values.said(self.name);
        let mut control = match self.control {
            Control::Choice(options) => {
                let options = options.iter().map(|(value, said)| ((*value).to_owned(), (*said).to_owned()));
                select(self.name, self.name, options, value)
            }
            Control::Line(kind, autocomplete) => {
                let input = el("input").set("id", self.name).set("name", self.name).set("class", "in");
                let input = if kind == "number" {
                    input.set("type", "text").set("inputmode", "decimal")
                } else {
                    input.set("type", kind)
                };
                input.set("autocomplete", autocomplete).set("value", value.to_owned())
            }
            Control::Color => el("input")
                .set("id", self.name)
                .set("name", self.name)
                .set("class", "in color")
                .set("type", "color")
                .set("value", value.get(..7).unwrap_or("#000000").to_owned()),
            Control::Picture => el("input")
                .set("id", self.name)
                .set("name", self.name)
                .set("class", "in")
                .set("type", "file")
                .set("accept", "image/png,image/jpeg,image/webp"),
        };
        let mut field = div("field").child(el("label").set("for", self.name).text(self.label));
        let described = match wrong {
            Some(wrong) => {
                control = control.set("aria-invalid", "true");
                Some(Node::classed("p", "wrong").set("role", "alert").text(wrong.to_owned()))
            }
            None => (!self.hint.is_empty()).then(|| Node::classed("p", "hint").text(self.hint)),
        };
        if let Some(described) = described {
            let id = format!("{}-said", self.name);
            field = field.child(control.set("aria-describedby", id.clone())).child(described.set("id", id));
            return field;
        }
        field = field.child(control);
        field
    }
}

/// What a link or an address looks like to the rules, however it was typed.
pub fn tidied(name: &str, text: &str) -> String {
    let text = text.trim();
    match name {
        "companyUrl" | "footerPirvacyPolicyLink" | "footerTermsOfUseLink"
            if !text.is_empty() && !text.contains("://") && SafeUrl::parse(&format!("https://{text}")).is_some() =>
        {
            format!("https://{text}")
        }
        "companyPhone" => shingle_domain::Phone::parse_loosely(text)
            .map_or_else(|| text.to_owned(), |phone| phone.as_str().to_owned()),
        "companyEmail" => Email::parse(text).map_or_else(|| text.to_owned(), |email| email.as_str().to_owned()),
        "installedPrice" => text.trim_start_matches('$').replace(',', ""),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_type_is_put_in_the_form_of_the_rules() {
        for (name, typed, read) in [
            ("companyUrl", " oak.example.com ", "https://oak.example.com"),
            ("companyUrl", "javascript:alert(1)", "javascript:alert(1)"),
            ("companyUrl", "", ""),
            ("companyPhone", "207.555.0143", "(207) 555-0143"),
            ("companyPhone", "555", "555"),
            ("installedPrice", "$1,234.50", "1234.50"),
            ("buttonText", " Go ", "Go"),
        ] {
            assert_eq!(tidied(name, typed), read);
        }
    }

    #[test]
    fn each_rule_stands_at_its_field_and_no_rule_is_lost() {
        let mut values = WidgetFormValues::default();
        values.refuse_all(&["companyPhone must be a phone number".into(), "referenceId must be a UUID".into()]);
        assert_eq!(values.said("companyPhone"), Some("Telephone must be a phone number."));
        assert_eq!(values.said_of_none().collect::<Vec<_>>(), ["referenceId must be a UUID."]);
        let page = COMPANY[1].node(&values);
        let html = shingle_widget::ssr::document(page, shingle_widget::words::Language::English.words());
        assert!(html.contains("aria-invalid=\"true\"") && html.contains("Telephone must be a phone number."), "{html}");
    }
}
