//! What one widget takes over from another. A company's name, contact, domains, logos, license and rating are its own and
//! are never copied.

use serde::{Deserialize, Serialize};

use crate::settings::WidgetSettings;
use crate::widget::{Widget, string_enum};

string_enum!(CopiedPart {
    /// Colors, and how and where the launcher is drawn.
    Look = "look",
    /// What a square costs, the additions, and the monthly example.
    Prices = "prices",
    /// The texts of button and banner, what the price includes, in both languages. The title stays: the portal lists the
    /// widget by it.
    Texts = "texts",
    /// What is asked after the estimate.
    Questions = "questions",
    /// When somebody may come by.
    Visits = "visits",
    /// Mail to homeowners, photos from the air, and when the dialog is fetched.
    Rest = "rest",
});

impl CopiedPart {
    /// Writes this part of one widget over that of another.
    pub fn copy(self, (from, set): (&Widget, &WidgetSettings), to: (&mut Widget, &mut WidgetSettings)) {
        let (widget, settings) = to;
        match self {
            Self::Look => {
                widget.element_type = from.element_type;
                widget.element_size = from.element_size;
                widget.element_location = from.element_location;
                widget.button_text_color.clone_from(&from.button_text_color);
                widget.button_background_color.clone_from(&from.button_background_color);
                widget.banner_background_color.clone_from(&from.banner_background_color);
                widget.primary_color.clone_from(&from.primary_color);
                widget.secondary_color.clone_from(&from.secondary_color);
                widget.background_color.clone_from(&from.background_color);
                widget.card_background_color.clone_from(&from.card_background_color);
                widget.text_color.clone_from(&from.text_color);
                widget.link_color.clone_from(&from.link_color);
                settings.launcher = set.launcher;
            }
            Self::Prices => {
                widget.installed_price = from.installed_price;
                settings.prices = set.prices;
                settings.monthly_payment.clone_from(&set.monthly_payment);
            }
            Self::Texts => {
                widget.button_text.clone_from(&from.button_text);
                widget.banner_text.clone_from(&from.banner_text);
                settings.price_includes.clone_from(&set.price_includes);
                settings.price_excludes.clone_from(&set.price_excludes);
                let own = settings.texts.clone();
                settings.texts.clone_from(&set.texts);
                // Who is answerable for a homeowner's data, and the license, are the company's own.
                for (copied, own) in [(&mut settings.texts.en, own.en), (&mut settings.texts.es, own.es)] {
                    copied.first_page_title = own.first_page_title;
                    copied.license = own.license;
                    copied.privacy = own.privacy;
                }
            }
            Self::Questions => settings.questions.clone_from(&set.questions),
            Self::Visits => {
                settings.working_hours.clone_from(&set.working_hours);
                settings.self_booking.clone_from(&set.self_booking);
            }
            Self::Rest => {
                settings.mail = set.mail;
                settings.fetch_ahead = set.fetch_ahead;
                settings.aerial_photos = set.aerial_photos;
            }
        }
    }
}
