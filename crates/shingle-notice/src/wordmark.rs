//! A logo for a company that has sent none: its name in letters, beside a roof.
//!
//! # Decision
//!
//! A company without a logo gets its name in the mails' font beside a roof. It is here because the font is. Turned
//! down: a generic picture.

use unicode_normalization::UnicodeNormalization as _;

use crate::drawing::font::{Face, SEMIBOLD};
use crate::drawing::png;
use crate::drawing::shape::{Figure, Rgb, Shape, Step, Style};
use crate::error::NoticeError;

const HEIGHT: f32 = 120.0;
/// As wide as logos are stored.
const MAX_WIDTH: f32 = 600.0;
const ROOF: [f32; 2] = [96.0, 64.0];
const MARGIN: f32 = 12.0;
const GAP: f32 = 20.0;

/// Whether [`wordmark`] shows the name.
pub fn shows_name(name: &str) -> Result<bool, NoticeError> {
    let name: String = name.trim().nfc().collect();
    Ok(!name.is_empty() && Face::of(&SEMIBOLD)?.has_all(&name))
}

/// As PNG, in one color on another. A name of which the font lacks a letter is left out whole; the roof is always
/// there.
pub fn wordmark(name: &str, color: Rgb, ground: Rgb) -> Result<Vec<u8>, NoticeError> {
    let face = Face::of(&SEMIBOLD)?;
    let [roof, ridge] = ROOF;
    let room = MAX_WIDTH - 2.0 * MARGIN - roof - GAP;
    let name: String = if shows_name(name)? { name.trim().nfc().take(80).collect() } else { String::new() };
    let size = (room / face.width(&name, 1.0).max(0.1)).min(56.0);
    let text = face.width(&name, size);
    let base = HEIGHT / 2.0 + size * 0.36;
    let left = MARGIN + roof + GAP;
    let letters = face.outlines(&name, size).into_iter().map(|step| step.map(|[x, y]| [left + x, base + y])).collect();
    let at = |x: f32, y: f32| [MARGIN + x * roof, (HEIGHT - ridge) / 2.0 + y * ridge];
    let lines = vec![
        Step::Move(at(0.0, 0.62)),
        Step::Line(at(0.5, 0.0)),
        Step::Line(at(1.0, 0.62)),
        Step::Move(at(0.17, 0.45)),
        Step::Line(at(0.17, 1.0)),
        Step::Line(at(0.83, 1.0)),
        Step::Line(at(0.83, 0.45)),
    ];
    let width = if name.is_empty() { left - GAP + MARGIN } else { left + text + MARGIN };
    let shapes = vec![
        Shape { path: lines, color, style: Style::Stroke { width: 9.0, dash: None } },
        Shape { path: letters, color, style: Style::Fill },
    ];
    let figure = Figure { width: width.ceil().min(MAX_WIDTH), height: HEIGHT, ground, photo: None, shapes };
    png::paint(&figure).map(|painted| painted.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(name: &str) -> (u32, u32) {
        let image = image::load_from_memory(&wordmark(name, [31, 78, 121], [255; 3]).unwrap()).unwrap();
        (image.width(), image.height())
    }

    #[test]
    fn a_name_of_any_length_fits_and_one_without_letters_of_ours_is_a_roof() {
        for left_out in ["李", "", " ", "Kim 김 Roofing", "سقف", "गृह छत", "李 Roofing", "屋根", "🏠 Roofs", "หลังคา"]
        {
            assert_eq!(size(left_out), (120, 120), "{left_out}");
            assert!(!shows_name(left_out).unwrap(), "{left_out}");
        }
        for shown in ["Mái Nhà Nguyễn", "Ma\u{301}i Nhà", "Στέγη", "Крыши", "Dach Wrocław", "Þak & Gler"]
        {
            assert!(shows_name(shown).unwrap() && size(shown).0 > 200, "{shown}");
        }
        let (short, long) = (size("Oak"), size("The Very Long-Winded Roofing and Guttering Company of Chesapeake"));
        assert!(short.0 > 200 && short.0 < 300, "{short:?}");
        assert!(long.0 > 560 && long.0 <= 600, "{long:?}");
    }
}
