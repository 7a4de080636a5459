//! From the colors a contractor configured to the colors a visitor sees: brand colors stay on filled
//! surfaces, text moves to a readable shade of the same hue. Configured values are not changed, only what is
//! shown.
//!
//! | custom property | what it is | contrast (WCAG 2.2) |
//! |---|---|---|
//! | `--scheme` | `light` or `dark`, by the card | |
//! | `--bg` | hosted page | |
//! | `--text-bg`, `--muted-bg`, `--link-bg` | on the hosted page | 7 (else 4.5), 4.5, 4.5 on `--bg` |
//! | `--card` | dialog and card | |
//! | `--text` | words | 7 (else 4.5) on `--card`; 4.5 on every wash and on `--disabled` |
//! | `--muted`, `--link` | quiet words; links and text buttons | 4.5 on `--card`, `--wash` |
//! | `--title`, `--drawn`, `--focus` | titles; drawing lines; focus ring | 4.5 on `--card`, `--wash` |
//! | `--edge` | borders of controls | 3 on `--card` |
//! | `--line`, `--track` | hairlines; unfilled progress | decoration |
//! | `--wash`, `--wash-2`, `--disabled` | tinted surfaces | see `--text` |
//! | `--primary`, `--primary-hover`, `--primary-pressed` | filled buttons | 4.5 under `--on-primary` |
//! | `--primary-edge` | their border | 3 on `--card`, where their fill is close to it |
//! | `--on-primary` | their label | |
//! | `--secondary` | tint only | |
//! | `--on-card-secondary` | label and border of outlined buttons, valley lines | 4.5 on `--card`, `--secondary-wash` |
//! | `--secondary-wash` | outlined button, hovered | |
//! | `--facet-n`, `-w`, `-s`, `-e` | roof planes by aspect | 3 under `--drawn`, `--on-card-secondary` |
//! | `--danger`, `--warn`, `--ok` | state | 4.5 on `--card`, `--wash` and their own wash |
//! | `--danger-wash`, `--warn-wash` | notes | see `--text` |
//! | `--btn-bg`, `--btn-hover`, `--btn-pressed` | launcher | 4.5 under `--btn-text` |
//! | `--btn-text` | its label | |
//! | `--banner-bg`, `--banner-text` | banner | 4.5 |
//!
//! # Decision
//!
//! Text colors are corrected per surface: `--text` on the card, `--text-bg` on the hosted page. Turned down: one
//! shade for both, which may be readable on neither.

mod oklab;

use shingle_domain::HexColor;
use shingle_domain::color::{composite, contrast, luminance};
use shingle_domain::widget::Widget;

use oklab::{Oklab, Rgb, mix};

const WHITE: Rgb = [255; 3];
const BLACK: Rgb = [0; 3];
const MIN_TEXT_CONTRAST: f64 = 4.5;
const MIN_BODY_CONTRAST: f64 = 7.0;
const MIN_SHAPE_CONTRAST: f64 = 3.0;
/// A filled button that stands out less has no shape.
const MIN_EDGE_CONTRAST: f64 = 1.5;

/// The finished colors of one widget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// Custom property and value, in the order of the table above.
    pub properties: Vec<(String, String)>,
    /// Modules of the QR codes, which are always on white: 7:1.
    pub qr: HexColor,
}

impl Palette {
    pub fn of(widget: &Widget) -> Self {
        let bg = over(&widget.background_color, WHITE);
        let card = over(&widget.card_background_color, bg);
        let primary = over(&widget.primary_color, card);
        let secondary = over(&widget.secondary_color, card);
        let text_configured = over(&widget.text_color, card);

        let text = words(text_configured, card);
        let safe = |tint: Rgb, share: f64| {
            tinted(tint, share, card, &[(text, MIN_TEXT_CONTRAST), (black_or_white(card), MIN_TEXT_CONTRAST)])
        };
        let wash = safe(primary, 0.06);
        let wash_2 = safe(primary, 0.12);
        let disabled = safe(text, 0.09);
        let danger_wash = safe([0xb3, 0x26, 0x1e], 0.07);
        let warn_wash = safe([0xc9, 0x8a, 0x00], 0.11);
        let secondary_wash = safe(secondary, 0.09);

        let title = readable(primary, &[card, wash]);
        let edge = fix(mix(text, 0.5, card), &[card], MIN_SHAPE_CONTRAST).unwrap_or(text);
        let on_card_secondary = readable(secondary, &[card, secondary_wash]);
        let facet =
            |share| tinted(title, share, card, &[(title, MIN_SHAPE_CONTRAST), (on_card_secondary, MIN_SHAPE_CONTRAST)]);

        let on_primary = label(None, primary);
        let primary_state = |share| mix(primary, share, away_from(on_primary, primary));
        let button = over(widget.button_background_color(), WHITE);
        let button_text = label(Some(over(&widget.button_text_color(), button)), button);
        let button_state = |share| mix(button, share, away_from(button_text, button));
        let banner = over(widget.banner_background_color(), WHITE);
        let banner_text = label(Some(over(&widget.text_color, banner)), banner);

        let text_bg = words(over(&widget.text_color, bg), bg);
        let scheme = if black_or_white(card) == WHITE { "dark" } else { "light" };
        let mut properties = vec![("--scheme".to_owned(), scheme.to_owned())];
        let colors = [
            ("--bg", bg),
            ("--text-bg", text_bg),
            ("--muted-bg", readable(mix(text_bg, 0.68, bg), &[bg])),
            ("--link-bg", readable(over(&widget.link_color, bg), &[bg])),
            ("--card", card),
            ("--text", text),
            ("--muted", readable(mix(text, 0.68, card), &[card, wash])),
            ("--link", readable(over(&widget.link_color, card), &[card, wash])),
            ("--title", title),
            ("--drawn", title),
            ("--focus", title),
            ("--edge", edge),
            ("--line", mix(text, 0.13, card)),
            ("--track", mix(text, 0.14, card)),
            ("--wash", wash),
            ("--wash-2", wash_2),
            ("--disabled", disabled),
            ("--primary", primary),
            ("--primary-edge", if contrast(primary, card) < MIN_EDGE_CONTRAST { edge } else { primary }),
            ("--primary-hover", primary_state(0.88)),
            ("--primary-pressed", primary_state(0.76)),
            ("--on-primary", on_primary),
            ("--secondary", secondary),
            ("--on-card-secondary", on_card_secondary),
            ("--secondary-wash", secondary_wash),
            ("--facet-n", facet(0.07)),
            ("--facet-w", facet(0.13)),
            ("--facet-s", facet(0.21)),
            ("--facet-e", facet(0.28)),
            ("--danger", readable([0xb3, 0x26, 0x1e], &[card, wash, danger_wash])),
            ("--danger-wash", danger_wash),
            ("--warn", readable([0x8a, 0x5a, 0x00], &[card, wash, warn_wash])),
            ("--warn-wash", warn_wash),
            ("--ok", readable([0x1e, 0x6b, 0x3c], &[card, wash])),
            ("--btn-bg", button),
            ("--btn-hover", button_state(0.84)),
            ("--btn-pressed", button_state(0.70)),
            ("--btn-text", button_text),
            ("--banner-bg", banner),
            ("--banner-text", banner_text),
        ];
        properties.extend(colors.into_iter().map(|(name, rgb)| (name.to_owned(), hex(rgb))));
        let qr = fix(over(&widget.primary_color, WHITE), &[WHITE], MIN_BODY_CONTRAST).unwrap_or(BLACK);
        Self { properties, qr: HexColor::parse(&hex(qr)).unwrap_or_else(|| widget.primary_color.clone()) }
    }

    /// One color, as light.
    pub fn rgb(&self, name: &str) -> Option<[u8; 3]> {
        let [r, g, b, _] = HexColor::parse(self.get(name)?)?.rgba();
        Some([r, g, b])
    }

    /// The value of one custom property.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// `fg` itself when it stands out enough from every background; else its hue, lighter or darker by the smallest step
/// that does. `None` when even black or white does not.
fn fix(fg: Rgb, backgrounds: &[Rgb], target: f64) -> Option<Rgb> {
    let passes = |rgb: Rgb| backgrounds.iter().all(|background| contrast(rgb, *background) >= target);
    if passes(fg) {
        return Some(fg);
    }
    let worst =
        |rgb: Rgb| backgrounds.iter().map(|background| contrast(rgb, *background)).fold(f64::INFINITY, f64::min);
    let step = if worst(WHITE) > worst(BLACK) { 0.005 } else { -0.005 };
    let mut color = Oklab::from_rgb(fg);
    loop {
        color.l += step;
        if !(0.0..=1.0).contains(&color.l) {
            let end = if step > 0.0 { WHITE } else { BLACK };
            return passes(end).then_some(end);
        }
        let rgb = loop {
            match color.to_rgb() {
                Some(rgb) => break rgb,
                None if color.chroma() <= 0.004 => break color.with_chroma(0.0).to_rgb_clamped(),
                None => color = color.with_chroma(color.chroma() - 0.004),
            }
        };
        if passes(rgb) {
            return Some(rgb);
        }
    }
}

/// Body text: comfortable where the background allows it.
fn words(fg: Rgb, background: Rgb) -> Rgb {
    fix(fg, &[background], MIN_BODY_CONTRAST).unwrap_or_else(|| readable(fg, &[background]))
}

/// On any one background black or white is readable; backgrounds given together are tints of one that stay so.
fn readable(fg: Rgb, backgrounds: &[Rgb]) -> Rgb {
    fix(fg, backgrounds, MIN_TEXT_CONTRAST)
        .unwrap_or_else(|| black_or_white(backgrounds.first().copied().unwrap_or(WHITE)))
}

/// The color of a label on a filled surface: the configured one if it is readable, else white, else a near-black of
/// the surface's hue.
fn label(configured: Option<Rgb>, fill: Rgb) -> Rgb {
    if let Some(configured) = configured.into_iter().chain([WHITE]).find(|l| contrast(*l, fill) >= MIN_TEXT_CONTRAST) {
        return configured;
    }
    let hue = Oklab::from_rgb(fill);
    let ink = Oklab { l: 0.22, ..hue }.with_chroma(hue.chroma().min(0.04));
    readable(ink.to_rgb_clamped(), &[fill])
}

/// `share` of `tint` on `background`, or as much less as it takes for every word on it to keep its contrast.
fn tinted(tint: Rgb, share: f64, background: Rgb, on_it: &[(Rgb, f64)]) -> Rgb {
    let steps = (1..=8).rev().map(|eighths| mix(tint, share * f64::from(eighths) / 8.0, background));
    steps
        .into_iter()
        .find(|surface| on_it.iter().all(|(word, target)| contrast(*word, *surface) >= *target))
        .unwrap_or(background)
}

/// Black or white: whichever contrasts more.
fn black_or_white(background: Rgb) -> Rgb {
    if contrast(WHITE, background) > contrast(BLACK, background) { WHITE } else { BLACK }
}

/// Where a fill moves under the pointer: away from its label, so contrast only grows.
fn away_from(label: Rgb, fill: Rgb) -> Rgb {
    if luminance(label) > luminance(fill) { BLACK } else { WHITE }
}

fn over(color: &HexColor, background: Rgb) -> Rgb {
    composite(color.rgba(), background)
}

fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
