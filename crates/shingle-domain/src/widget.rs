//! The lead widget: what a contractor configures.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::color::{HexColor, Tones};
use crate::contact::{Email, Phone, SafeUrl};
use crate::host::{host_matches, parse_host};
use crate::id::{Environment, LinkId, WidgetId};
use crate::money::Usd;

macro_rules! string_enum {
    ($name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        pub enum $name { $($(#[$doc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl core::str::FromStr for $name {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok(Self::$variant),)+ _ => Err(()) }
            }
        }
    };
}
pub(crate) use string_enum;

string_enum!(ElementType { Button = "button", Banner = "banner", Custom = "custom" });
string_enum!(ElementSize { Small = "small", Medium = "medium", Large = "large" });
string_enum!(ElementLocation {
    BottomRight = "bottom_right",
    BottomLeft = "bottom_left",
    SideRight = "side_right",
    SideLeft = "side_left",
    Top = "top",
    Bottom = "bottom",
});
string_enum!(WidgetStatus { Active = "active", Inactive = "inactive" });

impl ElementType {
    /// The locations of this element type. `custom` opens from the site's own elements.
    pub fn locations(self) -> &'static [ElementLocation] {
        use ElementLocation::*;
        match self {
            Self::Button => &[BottomRight, BottomLeft, SideRight, SideLeft],
            Self::Banner => &[Top, Bottom],
            Self::Custom => &[],
        }
    }
}

macro_rules! stored_widget {
    ($($(#[$doc:meta])* $field:ident $name:literal $kind:ident $hold:ident: $type:ty),+ $(,)?) => {
        /// A widget as it is stored: what was configured, nothing derived. `None` means "the default".
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct Widget {
            pub reference_id: WidgetId,
            /// `None` while the links hold the `referenceId`: somebody else was first with it otherwise.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub link_id: Option<LinkId>,
            $(#[serde(rename = $name)] pub $field: held_type!($hold, $type),)+
            pub header_logo: StoredImage,
            pub footer_logo: Option<StoredImage>,
        }
    };
}

widget_fields!(stored_widget);

/// An uploaded image after it was decoded and encoded again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredImage {
    /// Path under the storage's root, made from the content: never reused for other bytes.
    pub path: String,
    pub width: u32,
    pub height: u32,
    /// `None` where the image covers its ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tones: Option<Tones>,
}

pub const DEFAULT_BUTTON_TEXT: &str = "Get my roof estimate";
/// The title that a widget gets where its owner wrote none.
pub const DEFAULT_FIRST_PAGE_TITLE: &str = "See what a new roof would cost";

/// Stored as the site of a company without one: the hosted page stands in. Nobody can have such a host.
pub const HOSTED_SITE: &str = "https://hosted-page.invalid/";
/// Stored as the privacy policy of a company without one: this server's page about it stands in.
pub const HOSTED_PRIVACY: &str = "https://hosted-page.invalid/privacy";
/// Of the hosted page, where that page is.
pub const PRIVACY_PAGE: &str = "/privacy";

/// Hosts of pages on the local machine; the empty one is that of a page opened from a file.
const LOCAL_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", ""];

impl Widget {
    pub fn element_type(&self) -> ElementType {
        self.element_type.unwrap_or(ElementType::Button)
    }

    pub fn element_size(&self) -> ElementSize {
        self.element_size.unwrap_or(ElementSize::Medium)
    }

    /// `None` for custom elements, which the site places itself.
    pub fn element_location(&self) -> Option<ElementLocation> {
        match self.element_type() {
            ElementType::Button => Some(self.element_location.unwrap_or(ElementLocation::BottomRight)),
            ElementType::Banner => Some(self.element_location.unwrap_or(ElementLocation::Bottom)),
            ElementType::Custom => None,
        }
    }

    pub fn button_text(&self) -> &str {
        self.button_text.as_deref().filter(|t| !t.is_empty()).unwrap_or(DEFAULT_BUTTON_TEXT)
    }

    pub fn button_background_color(&self) -> &HexColor {
        self.button_background_color.as_ref().unwrap_or(&self.primary_color)
    }

    /// As configured, or black or white: whichever contrasts more with the button.
    pub fn button_text_color(&self) -> HexColor {
        self.button_text_color.clone().unwrap_or_else(|| self.button_background_color().black_or_white())
    }

    pub fn banner_background_color(&self) -> &HexColor {
        self.banner_background_color.as_ref().unwrap_or(&self.primary_color)
    }

    /// The hosts that may run the script, lower-case; `*.` stands for any name below.
    pub fn allowed_hosts(&self) -> Vec<String> {
        let hosts: Vec<String> = self.domains.iter().filter_map(|d| parse_host(d)).collect();
        if !hosts.is_empty() {
            return hosts;
        }
        if !self.has_site() {
            return Vec::new();
        }
        let host = self.company_url.host();
        let bare = host.strip_prefix("www.").unwrap_or(&host);
        vec![bare.to_owned(), format!("www.{bare}")]
    }

    /// The hosts of [`Self::allowed_hosts`]; for a sandbox widget, whose homes are invented, also the local machine.
    pub fn page_hosts(&self, environment: Environment) -> Vec<String> {
        let mut hosts = self.allowed_hosts();
        if environment == Environment::Sandbox {
            let own: Vec<&str> = LOCAL_HOSTS.into_iter().filter(|local| !hosts.iter().any(|h| h == local)).collect();
            hosts.extend(own.into_iter().map(str::to_owned));
        }
        hosts
    }

    /// Whether a page on `host` (without port) may run the script.
    pub fn allows_page(&self, host: &str, environment: Environment) -> bool {
        self.page_hosts(environment).iter().any(|pattern| host_matches(pattern, host))
    }

    /// Whether the company has a site; else the hosted page is all it has.
    pub fn has_site(&self) -> bool {
        !self.is_hosted(&self.company_url, HOSTED_SITE, "")
    }

    /// Whether the company has a privacy policy of its own.
    pub fn has_privacy_policy(&self) -> bool {
        !self.is_hosted(&self.footer_pirvacy_policy_link, HOSTED_PRIVACY, PRIVACY_PAGE)
    }

    /// A record that was read and sent back has the address in place of the mark.
    fn is_hosted(&self, link: &SafeUrl, mark: &str, page: &str) -> bool {
        link.as_str() == mark || link.as_str().ends_with(&format!("/w/{}{page}", self.link_id()))
    }

    /// The company's site, or the hosted page at the address that holds now.
    pub fn site(&self, links: &WidgetLinks<'_>) -> SafeUrl {
        if self.has_site() {
            return self.company_url.clone();
        }
        SafeUrl::of_this_server(links.hosted_page(self.link_id()))
    }

    /// The company's privacy policy, or the page of this server about it.
    pub fn privacy_policy(&self, links: &WidgetLinks<'_>) -> SafeUrl {
        if self.has_privacy_policy() {
            return self.footer_pirvacy_policy_link.clone();
        }
        SafeUrl::of_this_server(links.hosted_page(self.link_id()) + PRIVACY_PAGE)
    }

    /// What its public addresses hold.
    pub fn link_id(&self) -> LinkId {
        self.link_id.unwrap_or(LinkId::from(self.reference_id))
    }

    pub fn is_active(&self) -> bool {
        self.status == WidgetStatus::Active
    }

    /// Path of the QR code that opens this widget on the company's site. It contains everything the image depends on,
    /// so a new image has a new path. The SVG version differs in its extension.
    pub fn widget_qr_path(&self) -> String {
        self.qr_path("site")
    }

    /// As [`Self::widget_qr_path`], for the hosted page.
    pub fn hosted_qr_path(&self) -> String {
        self.qr_path("hosted")
    }

    fn qr_path(&self, what: &str) -> String {
        format!("qr/{}-{what}-{}.png", self.link_id(), self.primary_color.as_str().trim_start_matches('#'))
    }

    /// The record of the contract. `default_price` is what the reference table says of an asphalt square.
    pub fn record(&self, links: &WidgetLinks<'_>, default_price: Usd) -> WidgetRecord {
        let stored = |path: &str| format!("{}/{path}", links.storage_url.trim_end_matches('/'));
        WidgetRecord {
            reference_id: self.reference_id,
            element_type: self.element_type(),
            element_size: self.element_size(),
            element_location: self.element_location(),
            button_text: self.button_text().to_owned(),
            button_text_color: self.button_text_color(),
            button_background_color: self.button_background_color().clone(),
            banner_text: self.banner_text.clone(),
            banner_background_color: self.banner_background_color().clone(),
            primary_color: self.primary_color.clone(),
            secondary_color: self.secondary_color.clone(),
            background_color: self.background_color.clone(),
            card_background_color: self.card_background_color.clone(),
            text_color: self.text_color.clone(),
            link_color: self.link_color.clone(),
            footer_company_name: self.footer_company_name.clone(),
            footer_pirvacy_policy_link: self.privacy_policy(links),
            footer_terms_of_use_link: self.footer_terms_of_use_link.clone(),
            footer_logo_url: self.footer_logo.as_ref().map(|i| stored(&i.path)),
            remove_footer_logo: false,
            header_logo_url: stored(&self.header_logo.path),
            status: self.status,
            company_name: self.company_name.clone(),
            company_phone: self.company_phone.clone(),
            company_email: self.company_email.clone(),
            company_address: self.company_address.clone(),
            company_url: self.site(links),
            domains: self.domains.join(","),
            first_page_title: self.first_page_title.clone(),
            installed_price: self.installed_price.unwrap_or(default_price),
            widget_script: links.script(self.link_id()),
            widget_qr_code: stored(&self.widget_qr_path()),
            hosted_qr_code: stored(&self.hosted_qr_path()),
            widget_link: links.redirect(self.link_id()),
            hosted_page_link: links.hosted_page(self.link_id()),
        }
    }
}

/// Where the service and its stored pictures are reached: origin and path prefix.
#[derive(Debug, Clone)]
pub struct WidgetLinks<'a> {
    pub base_url: &'a str,
    /// Of pages that a company's people and homeowners see: its own domain, if it has one.
    pub pages_url: Cow<'a, str>,
    pub storage_url: &'a str,
}

impl WidgetLinks<'_> {
    /// The tag that a site carries.
    pub fn script(&self, id: LinkId) -> String {
        format!(r#"<script async src="{}/w/{id}.js"></script>"#, self.base())
    }

    /// Sends a visitor to the company's site, with the widget open.
    pub fn redirect(&self, id: LinkId) -> String {
        format!("{}/go/{id}", self.pages())
    }

    pub fn hosted_page(&self, id: LinkId) -> String {
        format!("{}/w/{id}", self.pages())
    }

    fn pages(&self) -> &str {
        self.pages_url.trim_end_matches('/')
    }

    fn base(&self) -> &str {
        self.base_url.trim_end_matches('/')
    }
}

/// The widget record of the contract: the configuration with its defaults filled in, and the links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct WidgetRecord {
    /// Your own id of the widget: a UUID that no other of your widgets has in this environment. It cannot be changed. The
    /// links hold it too, unless somebody was first with it. Example: `7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub reference_id: WidgetId,
    /// What opens it on the page; `custom` opens from elements that the page marks itself. By default `button`.
    /// Example: `button`
    pub element_type: ElementType,
    /// How large that is. By default `medium`. Example: `medium`
    pub element_size: ElementSize,
    /// Where it stands: a `button` at `bottom_right` (the default), `bottom_left`, `side_right` or `side_left`; a
    /// `banner` at `top` or `bottom` (the default). Null for `custom`, which its page places. Example: `bottom_right`
    pub element_location: Option<ElementLocation>,
    /// Text on the button. By default "Get my roof estimate". Example: `Get my roof estimate`
    pub button_text: String,
    /// Color of that text. By default black or white, whichever can be read better. Example: `#ffffff`
    pub button_text_color: HexColor,
    /// Color of the button. By default `primaryColor`. Example: `#0b3d91`
    pub button_background_color: HexColor,
    /// Text on the banner, beside the button. Null without one. Example: `A new roof before the winter?`
    pub banner_text: Option<String>,
    /// Color of the banner. By default `primaryColor`. Example: `#0b3d91`
    pub banner_background_color: HexColor,
    /// Color of primary buttons, QR codes and titles. Example: `#0b3d91`
    pub primary_color: HexColor,
    /// Color of secondary buttons. Example: `#e8eef8`
    pub secondary_color: HexColor,
    /// Color behind the hosted widget. Example: `#f5f7fa`
    pub background_color: HexColor,
    /// Color of the cards. Example: `#ffffff`
    pub card_background_color: HexColor,
    /// Color of texts. Example: `#1f2937`
    pub text_color: HexColor,
    /// Color of links. Example: `#0b3d91`
    pub link_color: HexColor,
    /// Company name in the footer. Example: `Oak Roofing`
    pub footer_company_name: String,
    /// Privacy policy, a link. The name is spelled as the API spells it. Example: `https://oak.example.com/privacy`
    pub footer_pirvacy_policy_link: SafeUrl,
    /// Terms of use, a link. Null where there are none. Example: `https://oak.example.com/terms`
    pub footer_terms_of_use_link: Option<SafeUrl>,
    /// Link to the stored logo of the footer. Null without one. Example:
    /// `https://api.example.com/storage/logos/5d41.png`
    pub footer_logo_url: Option<String>,
    /// Sent as `true`, it removes the footer's logo. In answers always `false`. Example: `false`
    pub remove_footer_logo: bool,
    /// Link to the stored logo at the top. Example: `https://api.example.com/storage/logos/7c21.png`
    pub header_logo_url: String,
    /// Whether visitors see it. Example: `active`
    pub status: WidgetStatus,
    /// Name of the company. Example: `Oak Roofing`
    pub company_name: String,
    /// Its telephone number, in the form `(XXX) XXX-XXXX`. Example: `(207) 555-0163`
    pub company_phone: Phone,
    /// Its e-mail address. New leads are mailed there as long as no notices are set. Example: `office@oak.example.com`
    pub company_email: Email,
    /// Its postal address. Example: `5 Quay Street, Portland, ME 04101`
    pub company_address: String,
    /// Its website. QR code and link of the widget lead there. Example: `https://oak.example.com/`
    pub company_url: SafeUrl,
    /// Sites that may show the widget, with commas between; `*.` stands for any name below. Empty: the host of
    /// `companyUrl` and its `www.` twin. Example: `oak.example.com,www.oak.example.com`
    pub domains: String,
    /// Title of the first step. Example: `See what a new roof would cost`
    pub first_page_title: String,
    /// Installed price of one square of asphalt shingle, in US dollars, greater than 0 and with at most two decimals.
    /// By default that of the reference table. Example: `525`
    pub installed_price: Usd,
    /// The element for the company's pages. Example: `<script async
    /// src="https://api.example.com/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11.js"></script>`
    pub widget_script: String,
    /// Link to a QR code that opens the widget on the company's site. Example:
    /// `https://api.example.com/storage/qr/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11-site-0b3d91.png`
    pub widget_qr_code: String,
    /// Link to a QR code that opens the hosted page. Example:
    /// `https://api.example.com/storage/qr/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11-hosted-0b3d91.png`
    pub hosted_qr_code: String,
    /// Link that opens the widget on the company's site. Example:
    /// `https://api.example.com/go/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub widget_link: String,
    /// Link to the hosted page, which needs no site. Example:
    /// `https://api.example.com/w/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub hosted_page_link: String,
}
