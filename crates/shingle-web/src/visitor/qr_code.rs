//! QR codes of a widget's links: PNG for print, SVG for the screen.
//!
//! # Decision
//!
//! QR codes are drawn on request, not stored: a changed color or base address leaves no stale picture. Logos are
//! stored, under the hash of our own encoding.

use std::io::Cursor;
use std::sync::Arc;

use fast_qr::{ECL, QRBuilder, QRCode};
use image::{ImageFormat, Rgb, RgbImage};

/// Codes by widget, version, and whether they lead to the hosted page; some 10 kB each.
pub type QrCodes = Arc<quick_cache::sync::Cache<(String, u64), Arc<QrImages>>>;
pub const MAX_QR_CODES: usize = 1_000;

/// Light modules around the code, which scanners need (ISO/IEC 18004).
const QUIET_ZONE: usize = 4;
/// Pixels of a module in the PNG: large enough to print.
const MODULE_PIXELS: u32 = 10;

#[derive(Debug, thiserror::Error)]
pub enum QrError {
    #[error("the link is too long for a QR code")]
    TooLong,
    #[error("the QR code could not be drawn")]
    Draw(#[from] image::ImageError),
}

/// Both images of one link.
#[derive(Debug, Clone)]
pub struct QrImages {
    pub png: Vec<u8>,
    pub svg: String,
}

/// Draws dark modules in `colour` on white.
pub fn draw(link: &str, colour: [u8; 3]) -> Result<QrImages, QrError> {
    let code = QRBuilder::new(link).ecl(ECL::M).build().map_err(|_| QrError::TooLong)?;
    Ok(QrImages { png: png(&code, colour)?, svg: svg(&code, colour) })
}

fn png(code: &QRCode, colour: [u8; 3]) -> Result<Vec<u8>, QrError> {
    let side = (code.size + 2 * QUIET_ZONE) as u32 * MODULE_PIXELS;
    let image = RgbImage::from_fn(side, side, |x, y| {
        let module = |at: u32| (at / MODULE_PIXELS) as usize;
        let inside = |at: usize| (QUIET_ZONE..QUIET_ZONE + code.size).contains(&at);
        let (column, row) = (module(x), module(y));
        let dark = inside(column) && inside(row) && code[row - QUIET_ZONE][column - QUIET_ZONE].value();
        Rgb(if dark { colour } else { [255; 3] })
    });
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png)?;
    Ok(out.into_inner())
}

fn svg(code: &QRCode, [r, g, b]: [u8; 3]) -> String {
    let side = code.size + 2 * QUIET_ZONE;
    let mut dark = String::new();
    for row in 0..code.size {
        let mut column = 0;
        while column < code.size {
            let run = (column..code.size).take_while(|c| code[row][*c].value()).count();
            if run > 0 {
                dark.push_str(&format!("M{} {}h{run}v1h-{run}z", column + QUIET_ZONE, row + QUIET_ZONE));
            }
            column += run.max(1);
        }
    }
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#{r:02x}{g:02x}{b:02x}" d="{dark}"/></svg>"##
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "https://roofs.example.com/go/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11?via=qr";

    #[test]
    fn the_image_is_read_back_as_its_link() {
        let images = draw(LINK, [0x0b, 0x3d, 0x91]).unwrap();
        let image = image::load_from_memory(&images.png).unwrap().into_luma8();
        let mut scan = rqrr::PreparedImage::prepare(image);
        let codes = scan.detect_grids();
        assert_eq!(codes.len(), 1);
        assert_eq!(codes[0].decode().unwrap().1, LINK);
    }

    #[test]
    fn both_images_show_the_same_modules() {
        let images = draw(LINK, [0, 0, 0]).unwrap();
        let image = image::load_from_memory(&images.png).unwrap().into_luma8();
        let side = image.width() / MODULE_PIXELS;
        let mut modules = vec![vec![false; side as usize]; side as usize];
        let path = images.svg.rsplit_once("d=\"").unwrap().1.split_once('"').unwrap().0;
        for run in path.split('M').skip(1) {
            let (x, rest) = run.split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let length: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            modules[y][x..x + length].fill(true);
        }
        for y in 0..side {
            for x in 0..side {
                let dark = image.get_pixel(x * MODULE_PIXELS + 1, y * MODULE_PIXELS + 1).0[0] < 128;
                assert_eq!(dark, modules[y as usize][x as usize], "module {x}, {y}");
            }
        }
    }

    #[test]
    fn four_light_modules_surround_the_code() {
        let images = draw(LINK, [0, 0, 0]).unwrap();
        let image = image::load_from_memory(&images.png).unwrap().into_luma8();
        let border = QUIET_ZONE as u32 * MODULE_PIXELS;
        let side = image.width();
        let quiet =
            image.enumerate_pixels().filter(|(x, y, _)| [x, y].iter().any(|at| **at < border || **at >= side - border));
        assert!(quiet.into_iter().all(|(_, _, pixel)| pixel.0[0] == 255));
    }
}
