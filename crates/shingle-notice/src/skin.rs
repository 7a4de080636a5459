//! The colours of a mail, from a widget's: on a light ground and, where the reader's screen is dark, on a dark one.

use shingle_domain::HexColor;
use shingle_domain::widget::Widget;
use shingle_widget::palette::Palette;

/// Colours as they stand in CSS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colors {
    pub page: String,
    pub card: String,
    pub text: String,
    pub muted: String,
    pub title: String,
    pub line: String,
    pub fill: String,
    /// On `fill`.
    pub on_fill: String,
    /// Border and label of an outlined button.
    pub outline: String,
    pub link: String,
}

#[derive(Debug, Clone)]
pub struct Skin {
    pub light: Colors,
    pub dark: Colors,
    /// The whole light palette, for drawings, which stay on a light ground.
    pub palette: Palette,
}

impl Skin {
    pub fn of(widget: &Widget) -> Self {
        let palette = on(widget, "#FFFFFF", "#FFFFFF", None);
        let light = colors(&palette, "--primary", "--on-primary");
        // A brand's dark fill would vanish on a dark card: there its readable shade is the fill.
        let dark = colors(&on(widget, "#1B2026", "#101418", Some(["#E8EAED", "#8FBEF3"])), "--title", "--card");
        Self { light: light.with_page(palette.get("--wash")), dark: dark.with_page(Some("#101418")), palette }
    }
}

impl Colors {
    fn with_page(self, page: Option<&str>) -> Self {
        Self { page: page.map_or(self.page, str::to_owned), ..self }
    }
}

/// The widget's palette as it would be on another card.
fn on(widget: &Widget, card: &str, page: &str, words: Option<[&str; 2]>) -> Palette {
    let mut widget = widget.clone();
    let set = |to: &mut HexColor, text: &str| {
        if let Some(color) = HexColor::parse(text) {
            *to = color;
        }
    };
    set(&mut widget.card_background_color, card);
    set(&mut widget.background_color, page);
    if let Some([text, link]) = words {
        set(&mut widget.text_color, text);
        set(&mut widget.link_color, link);
    }
    Palette::of(&widget)
}

fn colors(palette: &Palette, fill: &str, on_fill: &str) -> Colors {
    let get = |name: &str| palette.get(name).unwrap_or("#777777").to_owned();
    Colors {
        page: get("--bg"),
        card: get("--card"),
        text: get("--text"),
        muted: get("--muted"),
        title: get("--title"),
        line: get("--line"),
        fill: get(fill),
        on_fill: get(on_fill),
        outline: get("--on-card-secondary"),
        link: get("--link"),
    }
}
