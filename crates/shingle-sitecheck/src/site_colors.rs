//! A company's colors from the style that is in its page: custom properties that say what they are for, and its buttons.

use shingle_domain::HexColor;

/// Declarations that are read.
const MAX_DECLARATIONS: usize = 4_000;

/// What a color is for, as its name says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Primary,
    Second,
    Button,
}

/// The first of each purpose.
#[derive(Debug, Default)]
pub struct SiteColors {
    found: Vec<(Purpose, HexColor)>,
    read: usize,
}

impl SiteColors {
    /// The text of a `<style>`.
    pub fn style(&mut self, css: &str) {
        let mut selector = "";
        for part in css.split_inclusive(['{', '}', ';']) {
            match part.strip_suffix('{') {
                Some(before) => selector = before,
                None => self.declaration(selector, part.trim_end_matches(['}', ';'])),
            }
            if self.read >= MAX_DECLARATIONS {
                return;
            }
        }
    }

    fn declaration(&mut self, selector: &str, text: &str) {
        let Some((name, value)) = text.split_once(':') else { return };
        self.read += 1;
        let name = name.trim().to_ascii_lowercase();
        let purpose = match name.strip_prefix("--") {
            Some(name) => of_name(name),
            None if matches!(name.as_str(), "background" | "background-color") && is_button(selector) => {
                Some(Purpose::Button)
            }
            None => None,
        };
        if let Some((purpose, color)) = purpose.zip(color_of(value))
            && self.found.iter().all(|(known, _)| *known != purpose)
        {
            self.found.push((purpose, color));
        }
    }

    fn of(&self, purpose: Purpose) -> Option<&HexColor> {
        self.found.iter().find(|(known, _)| *known == purpose).map(|(_, color)| color)
    }

    pub fn main(&self) -> Option<&HexColor> {
        self.of(Purpose::Primary).or_else(|| self.of(Purpose::Button))
    }

    /// Another one than the main color.
    pub fn second(&self, main: Option<&HexColor>) -> Option<&HexColor> {
        let others = [Purpose::Second, Purpose::Button, Purpose::Primary];
        others.into_iter().filter_map(|purpose| self.of(purpose)).find(|color| main.is_some_and(|main| main != *color))
    }
}

/// `primary`, `brand-color`, `e-global-color-accent`; not `primary-hover` or `text-on-accent`. Bootstrap's are the same on
/// every site.
fn of_name(name: &str) -> Option<Purpose> {
    const SHADES: [&str; 17] = [
        "hover",
        "dark",
        "light",
        "text",
        "bg",
        "background",
        "border",
        "shadow",
        "contrast",
        "on",
        "foreground",
        "rgb",
        "gradient",
        "font",
        "link",
        "active",
        "focus",
    ];
    let words: Vec<&str> = name.split(['-', '_']).collect();
    let says = |any: &[&str]| words.iter().any(|word| any.contains(word));
    match () {
        () if words.first() == Some(&"bs") || says(&SHADES) => None,
        () if words.last().is_some_and(|last| last.chars().all(|c| c.is_ascii_digit())) => None,
        () if says(&["secondary", "accent"]) => Some(Purpose::Second),
        () if says(&["primary", "brand"]) => Some(Purpose::Primary),
        () => None,
    }
}

fn is_button(selector: &str) -> bool {
    let selector = selector.to_ascii_lowercase();
    [".btn", ".button", "button", "__button"].iter().any(|name| selector.contains(name)) && !selector.contains(':')
}

/// `#a1301f`, `#a31`, `rgb(161, 48, 31)`; no grey.
fn color_of(value: &str) -> Option<HexColor> {
    let value = value.trim().trim_end_matches("!important").trim();
    let value = match value.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')) {
        Some(parts) => {
            let parts: Vec<u8> = parts.split([',', ' ']).filter_map(|part| part.trim().parse().ok()).collect();
            let [r, g, b] = parts.try_into().ok()?;
            format!("#{r:02x}{g:02x}{b:02x}")
        }
        None => value.to_owned(),
    };
    opaque(&value)
}

/// White, black and greys are the grounds of pages and of phones' bars, not a company's color.
pub fn opaque(text: &str) -> Option<HexColor> {
    let color = HexColor::parse(text.trim()).filter(|_| text.trim().starts_with('#'))?;
    let [r, g, b, a] = color.rgba();
    let (least, most) = (r.min(g).min(b), r.max(g).max(b));
    (a == 255 && most - least >= 24).then_some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(css: &str) -> (Option<String>, Option<String>) {
        let mut colors = SiteColors::default();
        colors.style(css);
        let text = |color: Option<&HexColor>| color.map(|color| color.as_str().to_owned());
        (text(colors.main()), text(colors.second(colors.main())))
    }

    fn both(main: &str, second: &str) -> (Option<String>, Option<String>) {
        (Some(main.to_owned()), Some(second.to_owned()))
    }

    #[test]
    fn colors_are_found_by_what_their_names_say() {
        for (css, found) in [
            (":root{--primary:#7a1f1f;--primary-hover:#000001;--accent : #0b7a3c}", both("#7a1f1f", "#0b7a3c")),
            (
                ":root{--e-global-color-primary:#7A1F1F;--e-global-color-secondary:rgb(11, 122, 60)}",
                both("#7a1f1f", "#0b7a3c"),
            ),
            ("body{--brand-color:#a31 !important}.btn{background:#0b7a3c}", both("#aa3311", "#0b7a3c")),
            (".cta .button{color:#fff;background-color:#7a1f1f}:root{--accent:#0b7a3c}", both("#7a1f1f", "#0b7a3c")),
        ] {
            assert_eq!(read(css), found, "{css}");
        }
        for css in [
            "",
            "{{{",
            ":root{--primary:#222;--accent:var(--x);--bs-primary:#0d6efd;--text-primary:#7a1f1f;--primary-500:#7a1f1f}",
            ".btn:hover{background:#7a1f1f}.card{background:#7a1f1f}",
            ":root{--primary:rgb(1,2);--accent:#7a1f1f00}",
        ] {
            assert_eq!(read(css), (None, None), "{css}");
        }
        let same = ":root{--primary:#7a1f1f;--accent:#7a1f1f}";
        assert_eq!(read(same), (Some("#7a1f1f".to_owned()), None), "a second one is another one");
    }

    #[test]
    fn a_style_of_any_length_is_read_to_a_bound() {
        let late = format!("{}:root{{--primary:#7a1f1f}}", "a{b:c}".repeat(MAX_DECLARATIONS));
        assert_eq!(read(&late), (None, None));
    }
}
