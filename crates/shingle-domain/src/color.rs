//! Colors as the contract writes them: `#` and 6 or 8 hexadecimal digits.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::address::text_newtype;

/// Stored lower-case with `#`; three- and four-digit forms are expanded, the `#` may be missing on input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HexColor(String);

impl HexColor {
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let full = match digits.len() {
            3 | 4 => digits.chars().flat_map(|c| [c, c]).collect(),
            6 | 8 => digits.to_owned(),
            _ => return None,
        };
        Some(Self(format!("#{}", full.to_ascii_lowercase())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Red, green, blue, alpha.
    pub fn rgba(&self) -> [u8; 4] {
        let digit = |i: usize| self.0.as_bytes().get(i).map_or(15, |b| (*b as char).to_digit(16).unwrap_or(15) as u8);
        let byte = |i: usize| digit(2 * i + 1) << 4 | digit(2 * i + 2);
        [byte(0), byte(1), byte(2), if self.0.len() == 9 { byte(3) } else { 255 }]
    }
}

/// Relative luminance (WCAG 2.2) of an opaque sRGB color: 0 is black, 1 is white.
pub fn luminance(rgb: [u8; 3]) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}

/// Contrast ratio (WCAG 2.2) of two opaque colors: 1 to 21.
pub fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    ratio(luminance(a), luminance(b))
}

fn ratio(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// How light the visible pixels of an image are whose ground shows through: the luminance, of 255, below which a tenth of
/// them lies, three tenths, half, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tones(pub [u8; 5]);

/// The ground that such an image needs of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    Light,
    Dark,
}

impl Tones {
    /// Less than this, and a shape cannot be told from its ground.
    const MIN_CONTRAST: f64 = 1.8;

    /// `None` where most of the image can be told from `behind` as it is.
    pub fn ground(self, behind: [u8; 3]) -> Option<Ground> {
        let lost = |behind: f64| {
            let is_lost = |tone: &&u8| ratio(f64::from(**tone) / 255.0, behind) < Self::MIN_CONTRAST;
            self.0.iter().filter(is_lost).count()
        };
        (lost(luminance(behind)) > 1).then(|| if lost(1.0) <= lost(0.0) { Ground::Light } else { Ground::Dark })
    }
}

/// `over` with its alpha, composited on the opaque `under`.
pub fn composite(over: [u8; 4], under: [u8; 3]) -> [u8; 3] {
    let alpha = f64::from(over[3]) / 255.0;
    let mix = |i: usize| (f64::from(over[i]) * alpha + f64::from(under[i]) * (1.0 - alpha)).round() as u8;
    [mix(0), mix(1), mix(2)]
}

impl HexColor {
    /// Black or white: whichever contrasts more with this color on a white background.
    pub fn black_or_white(&self) -> Self {
        let background = composite(self.rgba(), [255; 3]);
        let white = contrast(background, [255; 3]) >= contrast(background, [0; 3]);
        Self(if white { "#ffffff" } else { "#000000" }.to_owned())
    }
}

text_newtype!(HexColor, "not a hexadecimal color");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_image_gets_a_ground_where_much_of_it_cannot_be_told_from_what_is_behind() {
        let (ink, snow) = (Tones([0, 1, 1, 2, 4]), Tones([240, 250, 255, 255, 255]));
        assert_eq!(ink.ground([255; 3]), None);
        assert_eq!(ink.ground([0x18, 0x1d, 0x22]), Some(Ground::Light));
        assert_eq!(snow.ground([255; 3]), Some(Ground::Dark));
        assert_eq!(snow.ground([0x18, 0x1d, 0x22]), None);
        // Dark words beside a bright sign: the words are what is lost.
        assert_eq!(Tones([0, 1, 2, 90, 95]).ground([0x18, 0x1d, 0x22]), Some(Ground::Light));
    }

    #[test]
    fn contrast_runs_from_one_to_twenty_one() {
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert!((contrast([9; 3], [9; 3]) - 1.0).abs() < 1e-9);
        assert!((contrast([0x77; 3], [255; 3]) - 4.48).abs() < 0.005);
    }

    #[test]
    fn text_on_a_button_is_black_or_white() {
        for (background, text) in [("#ffd54a", "#000000"), ("#0b3d91", "#ffffff"), ("#00000010", "#000000")] {
            assert_eq!(HexColor::parse(background).unwrap().black_or_white().as_str(), text, "{background}");
        }
    }

    #[test]
    fn a_color_is_stored_lower_case_with_its_sign() {
        for (text, stored) in [("0B3D91", "#0b3d91"), ("#abc", "#aabbcc"), ("#ABCD", "#aabbccdd")] {
            assert_eq!(HexColor::parse(text).unwrap().as_str(), stored);
        }
        for text in ["", "#", "red", "#12", "#12345", "#gggggg", "0b3d91ff0", "##abc", "#ab\u{e9}", "\u{ff11}23"] {
            assert_eq!(HexColor::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_color_read_back_is_the_same(text in "#?[0-9a-fA-F]{3,9}") {
            if let Some(color) = HexColor::parse(&text) {
                prop_assert_eq!(HexColor::parse(color.as_str()), Some(color.clone()));
            }
        }

        #[test]
        fn no_text_makes_the_parser_panic(text in any::<String>()) {
            let _ = HexColor::parse(&text);
        }
    }
}
