//! How readable a widget's colors are, and the shade visitors see if one is corrected.

use shingle_domain::color::{composite, contrast};
use shingle_domain::widget::Widget;
use shingle_domain::{HexColor, Language};
use shingle_widget::palette::Palette;

use crate::phrase::phrase;

/// For each color field, in a sentence: its contrast, and what visitors see in its place.
pub fn shades(widget: &Widget, language: Language) -> Vec<(&'static str, String)> {
    let palette = Palette::of(widget);
    let rgb = |name: &str| palette.rgb(name).unwrap_or([255; 3]);
    let said = |color: &HexColor, shown: &str, on: &str| {
        let (ground, shown) = (rgb(on), rgb(shown));
        let own = composite(color.rgba(), ground);
        let ratio = |rgb| format!("{:.1}", contrast(rgb, ground));
        if own == shown {
            return phrase(language, "Easy to read, {ratio}:1", &[("ratio", &ratio(own))]);
        }
        let [r, g, b] = shown;
        let fields = [("ratio", ratio(own)), ("shade", format!("#{r:02x}{g:02x}{b:02x}")), ("better", ratio(shown))];
        let fields = fields.each_ref().map(|(name, text)| (*name, text.as_str()));
        phrase(language, "{ratio}:1 is hard to read. Visitors see {shade}, {better}:1. Yours stays saved.", &fields)
    };
    let words = |text: &str, on: &str| {
        let ratio = format!("{:.1}", contrast(rgb(text), rgb(on)));
        phrase(language, "Text on it: {ratio}:1", &[("ratio", &ratio)])
    };
    vec![
        ("primaryColor", said(&widget.primary_color, "--title", "--card")),
        ("secondaryColor", said(&widget.secondary_color, "--on-card-secondary", "--card")),
        ("backgroundColor", words("--text-bg", "--bg")),
        ("cardBackgroundColor", words("--text", "--card")),
        ("textColor", said(&widget.text_color, "--text", "--card")),
        ("linkColor", said(&widget.link_color, "--link", "--card")),
        ("buttonBackgroundColor", words("--btn-text", "--btn-bg")),
        ("buttonTextColor", said(&widget.button_text_color(), "--btn-text", "--btn-bg")),
        ("bannerBackgroundColor", words("--banner-text", "--banner-bg")),
    ]
}
