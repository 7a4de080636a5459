//! The rules of a widget's configuration: all of it at once (create), or any part of it (update). The table
//! of fields (`widget_fields.rs`) says of each how it is read, whether a new widget needs it, and so what a change does to it.

use core::str::FromStr;

use super::reader::{FieldReader, Fields, Presence};
use crate::color::HexColor;
use crate::contact::{Email, Phone, SafeUrl};
use crate::host::parse_host;
use crate::id::WidgetId;
use crate::money::Usd;
use crate::violation::{Rule, Violations};
use crate::widget::{ElementLocation, ElementSize, ElementType, StoredImage, Widget, WidgetStatus};

/// A field of the form by which a widget is made or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WidgetField {
    /// As the contract spells it.
    pub name: &'static str,
    pub kind: WidgetFieldKind,
    /// Whether a new widget needs it.
    pub required: bool,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WidgetFieldKind {
    /// One of a few words.
    Word,
    /// One line that may be empty.
    FreeText,
    /// One line that says something.
    Line,
    /// A text with line breaks.
    Block,
    Color,
    Link,
    Phone,
    Email,
    Price,
    /// Host names, with commas between them.
    Domains,
}

/// How a field is read. A field that a new widget needs is only optional in an update.
macro_rules! read {
    (Word, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        word($reader, $name, $presence, <$type>::ALL, <$type>::as_str)
    };
    (FreeText, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        $reader.free_text($name).map(str::to_owned)
    };
    (Line, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        $reader.text($name, $presence.unwrap_or(Presence::Optional)).map(str::to_owned)
    };
    (Block, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        $reader.block($name, $presence.unwrap_or(Presence::Optional)).map(str::to_owned)
    };
    (Color, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        formatted($reader, $name, $presence, HexColor::parse, Rule::Color)
    };
    (Link, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        formatted($reader, $name, $presence, SafeUrl::parse, Rule::Url)
    };
    (Phone, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        formatted($reader, $name, $presence, Phone::parse, Rule::PhonePattern)
    };
    (Email, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        formatted($reader, $name, $presence, Email::parse, Rule::Email)
    };
    (Price, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        $reader.price($name)
    };
    (Domains, $type:ty, $reader:ident, $name:literal, $presence:expr) => {
        domains($reader)
    };
}

/// `None`: the field may always be left out.
macro_rules! presence {
    (needed, $presence:ident) => {
        Some($presence)
    };
    ($other:ident, $presence:ident) => {
        None
    };
}

macro_rules! needed {
    (needed) => {
        true
    };
    ($other:ident) => {
        false
    };
}

/// The value of a new widget.
macro_rules! held {
    (needed, $value:expr) => {
        $value?
    };
    (kept, $value:expr) => {
        $value
    };
    (removable, $value:expr) => {
        $value.filter(|text| !text.is_empty())
    };
    (listed, $value:expr) => {
        $value.unwrap_or_default()
    };
}

/// What a change does to a widget's value.
macro_rules! change {
    (kept, $to:expr, $value:expr) => {
        $to = Some($value)
    };
    (removable, $to:expr, $value:expr) => {
        $to = Some($value).filter(|text| !text.is_empty())
    };
    ($other:ident, $to:expr, $value:expr) => {
        $to = $value
    };
}

macro_rules! widget_form {
    ($($(#[$doc:meta])* $field:ident $name:literal $kind:ident $hold:ident: $type:ty),+ $(,)?) => {
        /// The fields of the form, in the order of the contract. Files and the flag that removes one are apart.
        pub const WIDGET_FIELDS: &[WidgetField] = &[$(WidgetField {
            name: $name,
            kind: WidgetFieldKind::$kind,
            required: needed!($hold),
        }),+];

        /// What an update changes: `None` keeps what is there.
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct WidgetPatch {
            $($(#[$doc])* pub $field: Option<$type>,)+
            pub remove_footer_logo: bool,
        }

        impl WidgetPatch {
            fn read(reader: &mut FieldReader<'_>, presence: Presence) -> Self {
                Self {
                    $($field: read!($kind, $type, reader, $name, presence!($hold, presence)),)+
                    remove_footer_logo: reader.boolean(REMOVE_FOOTER_LOGO).unwrap_or(false),
                }
            }

            fn set(&self, widget: &mut Widget) {
                $(if let Some(value) = &self.$field {
                    change!($hold, widget.$field, value.clone());
                })+
                if self.remove_footer_logo {
                    widget.footer_logo = None;
                }
            }
        }

        /// The values of a new widget.
        #[derive(Debug, Clone, PartialEq)]
        struct WidgetValues {
            $($field: held_type!($hold, $type),)+
        }

        impl WidgetValues {
            /// `None`: one that a new widget needs is missing.
            fn of(patch: WidgetPatch) -> Option<Self> {
                Some(Self { $($field: held!($hold, patch.$field),)+ })
            }

            fn into_widget(self, id: WidgetId, header_logo: StoredImage, footer_logo: Option<StoredImage>) -> Widget {
                Widget { reference_id: id, link_id: None, header_logo, footer_logo, $($field: self.$field,)+ }
            }
        }
    };
}

widget_fields!(widget_form);

const REMOVE_FOOTER_LOGO: &str = "removeFooterLogo";

/// Members of the record that a form cannot set, and files: a whole record may be sent back.
const BESIDE: [&str; 11] = [
    "referenceId",
    "footerLogo",
    "footerLogoUrl",
    REMOVE_FOOTER_LOGO,
    "headerLogo",
    "headerLogoUrl",
    "widgetScript",
    "widgetQrCode",
    "hostedQrCode",
    "widgetLink",
    "hostedPageLink",
];

/// A new widget, without its images.
#[derive(Debug, Clone, PartialEq)]
pub struct WidgetDraft {
    pub reference_id: WidgetId,
    values: WidgetValues,
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
        let is_known = |name: &str| BESIDE.contains(&name) || WIDGET_FIELDS.iter().any(|field| field.name == name);
        fields.names().filter(|name| !is_known(name)).collect()
    }

    /// The widget with these changes. Fails when the requested location does not exist for the resulting element type;
    /// a stored location of another type is removed.
    pub fn apply(&self, widget: &Widget) -> Result<Widget, Violations> {
        let mut new = widget.clone();
        self.set(&mut new);
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
}

impl WidgetDraft {
    /// The form of a new widget. A missing header logo is reported once all fields are right, as files are
    /// checked after fields.
    pub fn parse(fields: &Fields<'_>, has_header_logo: bool) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let reference_id = reader.formatted("referenceId", Presence::Required, WidgetId::parse, Rule::Uuid);
        let patch = WidgetPatch::read(&mut reader, Presence::Required);
        let (element_type, location) = (patch.element_type.unwrap_or(ElementType::Button), patch.element_location);
        let (Some(reference_id), Some(values)) = (reference_id, WidgetValues::of(patch)) else {
            return Err(reader.violations);
        };
        if location.is_some_and(|location| !element_type.locations().contains(&location)) {
            reader.violate("elementLocation", misplaced(element_type));
        }
        if reader.violations.0.is_empty() && !has_header_logo {
            reader.violate("headerLogo", Rule::NotEmpty);
        }
        reader.violations.or(Self { reference_id, values })
    }

    pub fn into_widget(self, header_logo: StoredImage, footer_logo: Option<StoredImage>) -> Widget {
        self.values.into_widget(self.reference_id, header_logo, footer_logo)
    }
}

/// `None`: it may be left out, and an empty text is judged like any other.
fn formatted<T>(
    reader: &mut FieldReader<'_>,
    name: &str,
    presence: Option<Presence>,
    parse: fn(&str) -> Option<T>,
    rule: Rule,
) -> Option<T> {
    match presence {
        Some(presence) => reader.formatted(name, presence, parse, rule),
        None => reader.optional(name, parse, rule),
    }
}

fn word<T: FromStr + Copy>(
    reader: &mut FieldReader<'_>,
    name: &str,
    presence: Option<Presence>,
    all: &[T],
    as_str: fn(T) -> &'static str,
) -> Option<T> {
    let words: Vec<&'static str> = all.iter().map(|w| as_str(*w)).collect();
    reader.word(name, presence.unwrap_or(Presence::Optional), |t| t.parse().ok(), &words)
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
