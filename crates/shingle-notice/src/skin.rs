//! The colors of a mail, from a widget's: on a light ground and, where the reader's screen is dark, on a dark one.

use shingle_domain::HexColor;
use shingle_domain::widget::Widget;
use shingle_widget::palette::Palette;

/// Colors as they are in CSS.
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skin {
    pub light: Colors,
    pub dark: Colors,
}

impl Skin {
    /// Without a widget: the service's own colors.
    pub fn of(widget: Option<&Widget>) -> Self {
        let Some(widget) = widget else { return Self::neutral() };
        let palette = light_palette(widget);
        let light = colors(&palette, "--primary", "--on-primary");
        // A brand's dark fill would vanish on a dark card: there its readable shade is the fill.
        let dark = colors(&dark_palette(widget), "--title", "--card");
        Self { light: light.with_page(palette.get("--wash")), dark: dark.with_page(Some("#101418")) }
    }

    fn neutral() -> Self {
        let of = |[page, card, text, muted, title, line, on_fill, outline, link]: [&str; 9]| Colors {
            page: page.to_owned(),
            card: card.to_owned(),
            text: text.to_owned(),
            muted: muted.to_owned(),
            title: title.to_owned(),
            line: line.to_owned(),
            fill: title.to_owned(),
            on_fill: on_fill.to_owned(),
            outline: outline.to_owned(),
            link: link.to_owned(),
        };
        Self {
            light: of([
                "#F2F4F6", "#FFFFFF", "#1E2329", "#5A6067", "#1F3A52", "#DADDE0", "#FFFFFF", "#2F5062", "#1A5A9E",
            ]),
            dark: of([
                "#101418", "#1B2026", "#E8EAED", "#AEB5BC", "#9FC3E0", "#38404A", "#101418", "#B9CFDC", "#8FBEF3",
            ]),
        }
    }
}

/// For the drawings of mails, which stay on a light ground whatever the reader's screen.
pub fn light_palette(widget: &Widget) -> Palette {
    on(widget, "#FFFFFF", "#FFFFFF", None)
}

pub fn dark_palette(widget: &Widget) -> Palette {
    on(widget, "#1B2026", "#101418", Some(["#E8EAED", "#8FBEF3"]))
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

#[cfg(test)]
mod tests {
    use shingle_domain::color::contrast;

    use super::*;
    use crate::sample;

    fn rgb(text: &str) -> [u8; 3] {
        let [r, g, b, _] = HexColor::parse(text).unwrap().rgba();
        [r, g, b]
    }

    #[test]
    fn every_word_can_be_read_in_light_and_in_dark() {
        let mut yellow = sample::widget().unwrap();
        yellow.primary_color = HexColor::parse("#FFE14A").unwrap();
        yellow.secondary_color = HexColor::parse("#FFFFFF").unwrap();
        let mut night = sample::widget().unwrap();
        night.card_background_color = HexColor::parse("#000000").unwrap();
        night.text_color = HexColor::parse("#EEEEEE").unwrap();
        night.primary_color = HexColor::parse("#111111").unwrap();
        let widgets = [None, Some(sample::widget().unwrap()), Some(yellow), Some(night)];
        for skin in widgets.iter().map(|widget| Skin::of(widget.as_ref())) {
            for c in [&skin.light, &skin.dark] {
                let on_card = [&c.text, &c.muted, &c.title, &c.outline, &c.link].map(|word| (word, &c.card));
                let others = [(&c.on_fill, &c.fill), (&c.muted, &c.page), (&c.link, &c.page)];
                for (word, ground) in on_card.into_iter().chain(others) {
                    let ratio = contrast(rgb(word), rgb(ground));
                    assert!(ratio >= 4.5, "{word} on {ground}: {ratio:.2} in {c:?}");
                }
            }
        }
    }
}
