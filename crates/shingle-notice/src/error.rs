//! Why a notice could not be made.

#[derive(Debug, thiserror::Error)]
pub enum NoticeError {
    /// The font in the program cannot be read.
    #[error("the font could not be read")]
    Font,
    #[error("the drawing could not be made into a picture")]
    Picture(#[from] image::ImageError),
    #[error("the drawing has no size")]
    NoCanvas,
    #[error("the PDF could not be made: {0}")]
    Pdf(String),
}
