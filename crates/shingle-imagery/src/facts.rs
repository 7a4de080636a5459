//! What is known of a picture.

/// How the file says which of its pixels show nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// It does not: all of them show something.
    Whole,
    Mask,
    Alpha,
    /// One value means nothing.
    NoData,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    pub width: u32,
    pub height: u32,
    pub bands: usize,
    /// Of each band.
    pub bits: u32,
    /// In the middle of the picture.
    pub meters_per_pixel: f64,
    /// Degrees: west, south, east, north.
    pub bounds: [f64; 4],
    /// When the picture was taken, as the file writes it. Few files say.
    pub taken: Option<String>,
    /// When the file was made, as it writes it (TIFFTAG_DATETIME): often years after the flight.
    pub processed: Option<String>,
    pub compression: &'static str,
    pub coverage: Coverage,
    /// Smaller copies of the picture, in the file or beside it.
    pub overviews: usize,
}
