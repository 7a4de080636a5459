//! The lead widget: what a contractor configures.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::color::HexColor;
use crate::id::WidgetId;
use crate::money::Usd;
use crate::web::{Email, Phone, SafeUrl};

macro_rules! word_enum {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name { $(#[serde(rename = $word)] $variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl FromStr for $name {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok(Self::$variant),)+ _ => Err(()) }
            }
        }
    };
}

word_enum!(ElementType { Button = "button", Banner = "banner", Custom = "custom" });
word_enum!(ElementSize { Small = "small", Medium = "medium", Large = "large" });
word_enum!(ElementLocation {
    BottomRight = "bottom_right",
    BottomLeft = "bottom_left",
    SideRight = "side_right",
    SideLeft = "side_left",
    Top = "top",
    Bottom = "bottom",
});
word_enum!(WidgetStatus { Active = "active", Inactive = "inactive" });

impl ElementType {
    /// Where an element of this type may stand. `custom` opens from the site's own elements.
    pub fn locations(self) -> &'static [ElementLocation] {
        use ElementLocation::*;
        match self {
            Self::Button => &[BottomRight, BottomLeft, SideRight, SideLeft],
            Self::Banner => &[Top, Bottom],
            Self::Custom => &[],
        }
    }
}

/// A widget as it is stored: what was configured, nothing derived. `None` means "the default".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Widget {
    pub reference_id: WidgetId,
    pub element_type: Option<ElementType>,
    pub element_size: Option<ElementSize>,
    pub element_location: Option<ElementLocation>,
    pub button_text: Option<String>,
    pub button_text_color: Option<HexColor>,
    pub button_background_color: Option<HexColor>,
    pub banner_text: Option<String>,
    pub banner_background_color: Option<HexColor>,
    pub primary_color: HexColor,
    pub secondary_color: HexColor,
    pub background_color: HexColor,
    pub card_background_color: HexColor,
    pub text_color: HexColor,
    pub link_color: HexColor,
    pub footer_company_name: String,
    /// Spelled as the contract spells it.
    pub footer_pirvacy_policy_link: SafeUrl,
    pub footer_terms_of_use_link: Option<SafeUrl>,
    /// Name of the stored image, under the storage's root.
    pub footer_logo: Option<StoredImage>,
    pub header_logo: StoredImage,
    pub status: WidgetStatus,
    pub company_name: String,
    pub company_phone: Phone,
    pub company_email: Email,
    pub company_address: String,
    pub company_url: SafeUrl,
    /// Host names on which the script may run; empty means the host of `company_url` and its `www.` twin.
    pub domains: Vec<String>,
    pub first_page_title: String,
    pub installed_price: Option<Usd>,
}

/// An uploaded picture after it was decoded and encoded anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredImage {
    /// Path under the storage's root, made from the content: never reused for other bytes.
    pub path: String,
    pub width: u32,
    pub height: u32,
}

pub const DEFAULT_BUTTON_TEXT: &str = "Get my roof estimate";

impl Widget {
    pub fn element_type(&self) -> ElementType {
        self.element_type.unwrap_or(ElementType::Button)
    }

    pub fn element_size(&self) -> ElementSize {
        self.element_size.unwrap_or(ElementSize::Medium)
    }

    /// `None` for custom elements, which stand where the site puts them.
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

    /// The hosts that may run the script.
    pub fn allowed_hosts(&self) -> Vec<String> {
        if !self.domains.is_empty() {
            return self.domains.clone();
        }
        let host = self.company_url.host();
        let bare = host.strip_prefix("www.").unwrap_or(&host);
        vec![bare.to_owned(), format!("www.{bare}")]
    }

    pub fn is_active(&self) -> bool {
        self.status == WidgetStatus::Active
    }
}

/// The widget record of the contract: the configuration with its defaults filled in, and the links.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WidgetRecord {
    pub reference_id: WidgetId,
    pub element_type: ElementType,
    pub element_size: ElementSize,
    pub element_location: Option<ElementLocation>,
    pub button_text: String,
    pub button_text_color: HexColor,
    pub button_background_color: HexColor,
    pub banner_text: Option<String>,
    pub banner_background_color: HexColor,
    pub primary_color: HexColor,
    pub secondary_color: HexColor,
    pub background_color: HexColor,
    pub card_background_color: HexColor,
    pub text_color: HexColor,
    pub link_color: HexColor,
    pub footer_company_name: String,
    pub footer_pirvacy_policy_link: SafeUrl,
    pub footer_terms_of_use_link: Option<SafeUrl>,
    pub footer_logo_url: Option<String>,
    pub remove_footer_logo: bool,
    pub header_logo_url: String,
    pub status: WidgetStatus,
    pub company_name: String,
    pub company_phone: Phone,
    pub company_email: Email,
    pub company_address: String,
    pub company_url: SafeUrl,
    /// Comma-separated, as it was sent.
    pub domains: String,
    pub first_page_title: String,
    pub installed_price: Usd,
    pub widget_script: String,
    pub widget_qr_code: String,
    pub hosted_qr_code: String,
    pub widget_link: String,
    pub hosted_page_link: String,
}
