//! World files: six lines beside a picture. They are of the centers of pixels.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::matrix::Matrix;
use crate::error::ImageryError;

/// More than six numbers take.
const MOST_BYTES: u64 = 4_096;

/// The file beside a picture, by the names that are in use: `.tfw`, `.tifw`, `.wld`, also in capitals.
pub fn beside(picture: &Path) -> Result<Option<Matrix>, ImageryError> {
    let own = picture.extension().and_then(|e| e.to_str()).unwrap_or("tif").to_owned();
    let mut names = vec!["tfw".to_owned(), format!("{own}w"), "tifw".to_owned(), "wld".to_owned()];
    names.extend(names.clone().into_iter().map(|name| name.to_uppercase()));
    let found = names.iter().map(|name| picture.with_extension(name)).find(|path| path.is_file());
    found.map(|path| read(&path)).transpose()
}

fn read(path: &PathBuf) -> Result<Matrix, ImageryError> {
    let mut text = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES).read_to_end(&mut text)?;
    parse(&String::from_utf8_lossy(&text))
}

fn parse(text: &str) -> Result<Matrix, ImageryError> {
    let wrong = || ImageryError::Placement("its world file does not hold six numbers");
    // Some write a decimal comma.
    let number = |word: &str| word.replace(',', ".").parse::<f64>().map_err(|_| wrong());
    let numbers: Vec<f64> = text.split_whitespace().take(6).map(number).collect::<Result<_, _>>()?;
    let [a, d, b, e, c, f] = <[f64; 6]>::try_from(numbers).map_err(|_| wrong())?;
    Ok(Matrix::new([a, b, c, d, e, f])?.of_centers())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_corner_is_half_a_pixel_before_what_is_written() {
        let matrix = parse("0.5\r\n0\r\n0\r\n-0.5\r\n1000.25\r\n1999.75\r\n").unwrap();
        assert_eq!(matrix.coordinates(0.0, 0.0), (1000.0, 2000.0));
        assert_eq!(parse("0,5 0 0 -0,5 1000,25 1999,75").unwrap(), matrix);
        for text in ["", "1 2 3", "0 0 0 0 5 5", "a b c d e f", "nan 0 0 1 1 1"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
