//! The OKLab color space (Björn Ottosson, 2020) and its polar form, to and from 8-bit sRGB.

/// An opaque sRGB color.
pub type Rgb = [u8; 3];

/// Lightness 0 to 1, and two opponent axes.
#[derive(Debug, Clone, Copy)]
pub struct Oklab {
    pub l: f64,
    pub a: f64,
    pub b: f64,
}

impl Oklab {
    pub fn from_rgb(rgb: Rgb) -> Self {
        let [r, g, b] = rgb.map(|c| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b).cbrt();
        let m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b).cbrt();
        let s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b).cbrt();
        Self {
            l: 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            a: 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            b: 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
        }
    }

    /// `None` when the color is outside sRGB.
    pub fn to_rgb(self) -> Option<Rgb> {
        // Half a step of 8 bits: what rounds into range is in range.
        const SLACK: f64 = 0.5 / 255.0;
        let channels = self.to_srgb();
        channels.iter().all(|c| (-SLACK..=1.0 + SLACK).contains(c)).then(|| quantize(channels))
    }

    pub fn to_rgb_clamped(self) -> Rgb {
        quantize(self.to_srgb())
    }

    fn to_srgb(self) -> [f64; 3] {
        let Self { l, a, b } = self;
        let cube = |x: f64| x * x * x;
        let (l, m, s) = (
            cube(l + 0.3963377774 * a + 0.2158037573 * b),
            cube(l - 0.1055613458 * a - 0.0638541728 * b),
            cube(l - 0.0894841775 * a - 1.2914855480 * b),
        );
        [
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
        ]
        .map(|c| if c <= 0.0031308 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
    }

    pub fn chroma(self) -> f64 {
        self.a.hypot(self.b)
    }

    /// The same lightness and hue with this chroma.
    pub fn with_chroma(self, chroma: f64) -> Self {
        let now = self.chroma();
        let scale = if now > 0.0 { chroma / now } else { 0.0 };
        Self { a: self.a * scale, b: self.b * scale, ..self }
    }
}

fn quantize(channels: [f64; 3]) -> Rgb {
    channels.map(|c| (c * 255.0).round().clamp(0.0, 255.0) as u8)
}

/// `share` (0 to 1) of `a`, the rest of `b`, mixed in OKLab.
pub fn mix(a: Rgb, share: f64, b: Rgb) -> Rgb {
    let (x, y) = (Oklab::from_rgb(a), Oklab::from_rgb(b));
    let blend = |p: f64, q: f64| p * share + q * (1.0 - share);
    Oklab { l: blend(x.l, y.l), a: blend(x.a, y.a), b: blend(x.b, y.b) }.to_rgb_clamped()
}
