//! The rules of a widget's configuration: all of it at once (create), or any part of it (update).

use core::str::FromStr;

use super::reader::{FieldReader, Fields, Presence};
use crate::color::HexColor;
use crate::contact::{Email, Phone, SafeUrl};
use crate::host::parse_host;
use crate::id::WidgetId;
use crate::money::Usd;
use crate::violation::{Rule, Violations};
use crate::widget::{ElementLocation, ElementSize, ElementType, StoredImage, Widget, WidgetStatus};

/// What an update changes: `None` keeps what is there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WidgetPatch {
    pub element_type: Option<ElementType>,
    pub element_size: Option<ElementSize>,
    pub element_location: Option<ElementLocation>,
    /// An empty text goes back to the default.
    pub button_text: Option<String>,
    pub button_text_color: Option<HexColor>,
    pub button_background_color: Option<HexColor>,
    /// An empty text removes it.
    pub banner_text: Option<String>,
    pub banner_background_color: Option<HexColor>,
    pub primary_color: Option<HexColor>,
    pub secondary_color: Option<HexColor>,
    pub background_color: Option<HexColor>,
    pub card_background_color: Option<HexColor>,
    pub text_color: Option<HexColor>,
    pub link_color: Option<HexColor>,
    pub footer_company_name: Option<String>,
    pub footer_pirvacy_policy_link: Option<SafeUrl>,
    pub footer_terms_of_use_link: Option<SafeUrl>,
    pub remove_footer_logo: bool,
    pub status: Option<WidgetStatus>,
    pub company_name: Option<String>,
    pub company_phone: Option<Phone>,
    pub company_email: Option<Email>,
    pub company_address: Option<String>,
    pub company_url: Option<SafeUrl>,
    /// An empty list goes back to the host of the company's site.
    pub domains: Option<Vec<String>>,
    pub first_page_title: Option<String>,
    pub installed_price: Option<Usd>,
}

/// A new widget, without its images.
#[derive(Debug, Clone, PartialEq)]
pub struct WidgetDraft {
    pub reference_id: WidgetId,
    required: Required,
    optional: WidgetPatch,
}

#[derive(Debug, Clone, PartialEq)]
struct Required {
    primary_color: HexColor,
    secondary_color: HexColor,
    background_color: HexColor,
    card_background_color: HexColor,
    text_color: HexColor,
    link_color: HexColor,
    footer_company_name: String,
    footer_pirvacy_policy_link: SafeUrl,
    status: WidgetStatus,
    company_name: String,
    company_phone: Phone,
    company_email: Email,
    company_address: String,
    company_url: SafeUrl,
    first_page_title: String,
}

impl WidgetPatch {
    /// The form of an update: nothing is required, a field that is sent must be valid.
    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let patch = Self::read(&mut reader, Presence::Optional);
        reader.violations.or(patch)
    }

    /// Names that were sent and are no field of a widget: they are dropped.
    pub fn ignored<'f>(fields: &'f Fields<'_>) -> Vec<&'f str> {
        fields.names().filter(|name| !NAMES.contains(name)).collect()
    }

    /// The widget with these changes. Fails when the requested location does not exist for the resulting element type;
    /// a stored location of another type is removed.
    pub fn apply(&self, widget: &Widget) -> Result<Widget, Violations> {
        let mut new = widget.clone();
        set_some(&mut new.element_type, &self.element_type);
        set_some(&mut new.element_size, &self.element_size);
        set_some(&mut new.element_location, &self.element_location);
        set_some(&mut new.button_text_color, &self.button_text_color);
        set_some(&mut new.button_background_color, &self.button_background_color);
        set_some(&mut new.banner_background_color, &self.banner_background_color);
        set_some(&mut new.footer_terms_of_use_link, &self.footer_terms_of_use_link);
        set_some(&mut new.installed_price, &self.installed_price);
        set_text(&mut new.button_text, &self.button_text);
        set_text(&mut new.banner_text, &self.banner_text);
        set(&mut new.primary_color, &self.primary_color);
        set(&mut new.secondary_color, &self.secondary_color);
        set(&mut new.background_color, &self.background_color);
        set(&mut new.card_background_color, &self.card_background_color);
        set(&mut new.text_color, &self.text_color);
        set(&mut new.link_color, &self.link_color);
        set(&mut new.footer_company_name, &self.footer_company_name);
        set(&mut new.footer_pirvacy_policy_link, &self.footer_pirvacy_policy_link);
        set(&mut new.status, &self.status);
        set(&mut new.company_name, &self.company_name);
        set(&mut new.company_phone, &self.company_phone);
        set(&mut new.company_email, &self.company_email);
        set(&mut new.company_address, &self.company_address);
        set(&mut new.company_url, &self.company_url);
        set(&mut new.domains, &self.domains);
        set(&mut new.first_page_title, &self.first_page_title);
        if self.remove_footer_logo {
            new.footer_logo = None;
        }
        let allowed = new.element_type().locations();
        if let Some(location) = new.element_location
            && !allowed.contains(&location)
        {
            if self.element_location.is_some() {
                return Err(Violations::one("elementLocation", misplaced(new.element_type())));
            }
            new.element_location = None;
        }
        Ok(new)
    }

    fn read(reader: &mut FieldReader<'_>, presence: Presence) -> Self {
        let color = HexColor::parse;
        Self {
            element_type: word(reader, "elementType", Presence::Optional, ElementType::ALL, ElementType::as_str),
            element_size: word(reader, "elementSize", Presence::Optional, ElementSize::ALL, ElementSize::as_str),
            element_location: word(
                reader,
                "elementLocation",
                Presence::Optional,
                ElementLocation::ALL,
                ElementLocation::as_str,
            ),
            button_text: reader.free_text("buttonText").map(str::to_owned),
            button_text_color: reader.optional("buttonTextColor", color, Rule::Color),
            button_background_color: reader.optional("buttonBackgroundColor", color, Rule::Color),
            banner_text: reader.free_text("bannerText").map(str::to_owned),
            banner_background_color: reader.optional("bannerBackgroundColor", color, Rule::Color),
            primary_color: reader.formatted("primaryColor", presence, color, Rule::Color),
            secondary_color: reader.formatted("secondaryColor", presence, color, Rule::Color),
            background_color: reader.formatted("backgroundColor", presence, color, Rule::Color),
            card_background_color: reader.formatted("cardBackgroundColor", presence, color, Rule::Color),
            text_color: reader.formatted("textColor", presence, color, Rule::Color),
            link_color: reader.formatted("linkColor", presence, color, Rule::Color),
            footer_company_name: reader.text("footerCompanyName", presence).map(str::to_owned),
            footer_pirvacy_policy_link: reader.formatted(
                "footerPirvacyPolicyLink",
                presence,
                SafeUrl::parse,
                Rule::Url,
            ),
            footer_terms_of_use_link: reader.optional("footerTermsOfUseLink", SafeUrl::parse, Rule::Url),
            remove_footer_logo: reader.boolean("removeFooterLogo").unwrap_or(false),
            status: word(reader, "status", presence, WidgetStatus::ALL, WidgetStatus::as_str),
            company_name: reader.text("companyName", presence).map(str::to_owned),
            company_phone: reader.formatted("companyPhone", presence, Phone::parse, Rule::PhonePattern),
            company_email: reader.formatted("companyEmail", presence, Email::parse, Rule::Email),
            company_address: reader.block("companyAddress", presence).map(str::to_owned),
            company_url: reader.formatted("companyUrl", presence, SafeUrl::parse, Rule::Url),
            domains: domains(reader),
            first_page_title: reader.text("firstPageTitle", presence).map(str::to_owned),
            installed_price: reader.price("installedPrice"),
        }
    }
}

impl WidgetDraft {
    /// The form of a new widget. A missing header logo is reported once all fields are right, as files are
    /// checked after fields.
    pub fn parse(fields: &Fields<'_>, has_header_logo: bool) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let reference_id = reader.formatted("referenceId", Presence::Required, WidgetId::parse, Rule::Uuid);
        let optional = WidgetPatch::read(&mut reader, Presence::Required);
        let required = Required::from_patch(&optional);
        let (Some(reference_id), Some(required)) = (reference_id, required) else {
            return Err(reader.violations);
        };
        let element_type = optional.element_type.unwrap_or(ElementType::Button);
        if optional.element_location.is_some_and(|l| !element_type.locations().contains(&l)) {
            reader.violate("elementLocation", misplaced(element_type));
        }
        if reader.violations.0.is_empty() && !has_header_logo {
            reader.violate("headerLogo", Rule::NotEmpty);
        }
        reader.violations.or(Self { reference_id, required, optional })
    }

    pub fn into_widget(self, header_logo: StoredImage, footer_logo: Option<StoredImage>) -> Widget {
        let Self { reference_id, required, optional } = self;
        Widget {
            reference_id,
            link_id: None,
            element_type: optional.element_type,
            element_size: optional.element_size,
            element_location: optional.element_location,
            button_text: optional.button_text.filter(|t| !t.is_empty()),
            button_text_color: optional.button_text_color,
            button_background_color: optional.button_background_color,
            banner_text: optional.banner_text.filter(|t| !t.is_empty()),
            banner_background_color: optional.banner_background_color,
            primary_color: required.primary_color,
            secondary_color: required.secondary_color,
            background_color: required.background_color,
            card_background_color: required.card_background_color,
            text_color: required.text_color,
            link_color: required.link_color,
            footer_company_name: required.footer_company_name,
            footer_pirvacy_policy_link: required.footer_pirvacy_policy_link,
            footer_terms_of_use_link: optional.footer_terms_of_use_link,
            footer_logo,
            header_logo,
            status: required.status,
            company_name: required.company_name,
            company_phone: required.company_phone,
            company_email: required.company_email,
            company_address: required.company_address,
            company_url: required.company_url,
            domains: optional.domains.unwrap_or_default(),
            first_page_title: required.first_page_title,
            installed_price: optional.installed_price,
        }
    }
}

/// The fields of a form, and those of the record that a form cannot set: a whole record may be sent back.
const NAMES: [&str; 37] = [
    "referenceId",
    "elementType",
    "elementSize",
    "elementLocation",
    "buttonText",
    "buttonTextColor",
    "buttonBackgroundColor",
    "bannerText",
    "bannerBackgroundColor",
    "primaryColor",
    "secondaryColor",
    "backgroundColor",
    "cardBackgroundColor",
    "textColor",
    "linkColor",
    "footerCompanyName",
    "footerPirvacyPolicyLink",
    "footerTermsOfUseLink",
    "footerLogo",
    "footerLogoUrl",
    "removeFooterLogo",
    "headerLogo",
    "headerLogoUrl",
    "status",
    "companyName",
    "companyPhone",
    "companyEmail",
    "companyAddress",
    "companyUrl",
    "domains",
    "firstPageTitle",
    "installedPrice",
    "widgetScript",
    "widgetQrCode",
    "hostedQrCode",
    "widgetLink",
    "hostedPageLink",
];

impl Required {
    fn from_patch(patch: &WidgetPatch) -> Option<Self> {
        Some(Self {
            primary_color: patch.primary_color.clone()?,
            secondary_color: patch.secondary_color.clone()?,
            background_color: patch.background_color.clone()?,
            card_background_color: patch.card_background_color.clone()?,
            text_color: patch.text_color.clone()?,
            link_color: patch.link_color.clone()?,
            footer_company_name: patch.footer_company_name.clone()?,
            footer_pirvacy_policy_link: patch.footer_pirvacy_policy_link.clone()?,
            status: patch.status?,
            company_name: patch.company_name.clone()?,
            company_phone: patch.company_phone.clone()?,
            company_email: patch.company_email.clone()?,
            company_address: patch.company_address.clone()?,
            company_url: patch.company_url.clone()?,
            first_page_title: patch.first_page_title.clone()?,
        })
    }
}

fn set<T: Clone>(to: &mut T, from: &Option<T>) {
    if let Some(value) = from {
        to.clone_from(value);
    }
}

fn set_some<T: Clone>(to: &mut Option<T>, from: &Option<T>) {
    if from.is_some() {
        to.clone_from(from);
    }
}

fn set_text(to: &mut Option<String>, from: &Option<String>) {
    if let Some(text) = from {
        *to = Some(text.clone()).filter(|t| !t.is_empty());
    }
}

fn word<T: FromStr + Copy>(
    reader: &mut FieldReader<'_>,
    name: &str,
    presence: Presence,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Option<T> {
    let words: Vec<&'static str> = all.iter().map(|w| as_str(*w)).collect();
    reader.word(name, presence, |t| t.parse().ok(), &words)
}

/// Characters of the list of domains.
const MAX_DOMAINS: usize = 4_000;

/// The list as it was sent, split at its commas; every entry names a host.
fn domains(reader: &mut FieldReader<'_>) -> Option<Vec<String>> {
    let text = reader.free_text_of("domains", MAX_DOMAINS)?;
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let entries: Vec<&str> = text.trim_end_matches([',', ' ']).split(',').collect();
    if entries.iter().any(|e| parse_host(e).is_none()) {
        reader.violate("domains", Rule::Domains);
        return None;
    }
    Some(entries.into_iter().map(str::to_owned).collect())
}

fn misplaced(element_type: ElementType) -> Rule {
    let words: Vec<&'static str> = element_type.locations().iter().map(|l| l.as_str()).collect();
    let kind = element_type.as_str();
    if words.is_empty() { Rule::NoLocationFor { kind } } else { Rule::LocationFor { kind, words } }
}
