//! QR codes of a widget's links: a picture for paper and one for the screen.

use std::io::Cursor;

use fast_qr::{ECL, QRBuilder, QRCode};
use image::{ImageFormat, Rgb, RgbImage};

/// Light modules around the code, without which scanners do not find it (ISO/IEC 18004).
const QUIET: usize = 4;
/// Pixels a module has in the PNG: large enough to print.
const SCALE: u32 = 10;

#[derive(Debug, thiserror::Error)]
pub enum QrError {
    #[error("the link is too long for a QR code")]
    TooLong,
    #[error("the QR code could not be drawn")]
    Draw(#[from] image::ImageError),
}

/// Both drawings of one link.
#[derive(Debug, Clone)]
pub struct Drawn {
    pub png: Vec<u8>,
    pub svg: String,
}

/// Dark modules in the colour given, on white.
pub fn draw(link: &str, colour: [u8; 3]) -> Result<Drawn, QrError> {
    let code = QRBuilder::new(link).ecl(ECL::M).build().map_err(|_| QrError::TooLong)?;
    Ok(Drawn { png: png(&code, colour)?, svg: svg(&code, colour) })
}

fn png(code: &QRCode, colour: [u8; 3]) -> Result<Vec<u8>, QrError> {
    let side = (code.size + 2 * QUIET) as u32 * SCALE;
    let picture = RgbImage::from_fn(side, side, |x, y| {
        let module = |at: u32| (at / SCALE) as usize;
        let inside = |at: usize| (QUIET..QUIET + code.size).contains(&at);
        let (column, row) = (module(x), module(y));
        let dark = inside(column) && inside(row) && code[row - QUIET][column - QUIET].value();
        Rgb(if dark { colour } else { [255; 3] })
    });
    let mut out = Cursor::new(Vec::new());
    picture.write_to(&mut out, ImageFormat::Png)?;
    Ok(out.into_inner())
}

fn svg(code: &QRCode, [r, g, b]: [u8; 3]) -> String {
    let side = code.size + 2 * QUIET;
    let mut dark = String::new();
    for row in 0..code.size {
        let mut column = 0;
        while column < code.size {
            let run = (column..code.size).take_while(|c| code[row][*c].value()).count();
            if run > 0 {
                dark.push_str(&format!("M{} {}h{run}v1h-{run}z", column + QUIET, row + QUIET));
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
    fn the_picture_is_read_back_as_the_link_it_carries() {
        let drawn = draw(LINK, [0x0b, 0x3d, 0x91]).unwrap();
        let picture = image::load_from_memory(&drawn.png).unwrap().into_luma8();
        let mut scan = rqrr::PreparedImage::prepare(picture);
        let codes = scan.detect_grids();
        assert_eq!(codes.len(), 1);
        assert_eq!(codes[0].decode().unwrap().1, LINK);
    }

    #[test]
    fn both_drawings_show_the_same_modules() {
        let drawn = draw(LINK, [0, 0, 0]).unwrap();
        let picture = image::load_from_memory(&drawn.png).unwrap().into_luma8();
        let side = picture.width() / SCALE;
        let mut modules = vec![vec![false; side as usize]; side as usize];
        let path = drawn.svg.rsplit_once("d=\"").unwrap().1.split_once('"').unwrap().0;
        for run in path.split('M').skip(1) {
            let (x, rest) = run.split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let length: usize = rest.split_once('v').unwrap().0.parse().unwrap();
            let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
            modules[y][x..x + length].fill(true);
        }
        for y in 0..side {
            for x in 0..side {
                let dark = picture.get_pixel(x * SCALE + 1, y * SCALE + 1).0[0] < 128;
                assert_eq!(dark, modules[y as usize][x as usize], "module {x}, {y}");
            }
        }
    }

    #[test]
    fn four_light_modules_surround_the_code() {
        let drawn = draw(LINK, [0, 0, 0]).unwrap();
        let picture = image::load_from_memory(&drawn.png).unwrap().into_luma8();
        let border = QUIET as u32 * SCALE;
        let side = picture.width();
        let quiet = picture
            .enumerate_pixels()
            .filter(|(x, y, _)| [x, y].iter().any(|at| **at < border || **at >= side - border));
        assert!(quiet.into_iter().all(|(_, _, pixel)| pixel.0[0] == 255));
    }
}
