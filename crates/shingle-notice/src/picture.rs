//! The drawing in a mail: the picture, its words, and what it is based on.

use shingle_domain::Language;
use shingle_domain::mail::MailPicture;
use shingle_domain::roof::{DrawingBasis, RoofDrawing};
use shingle_domain::widget::Widget;
use shingle_widget::palette::Palette;
use shingle_widget::words::{flow_words, w};

use crate::drawing::figure::{self, PhotoUnder};
use crate::drawing::png::{self, Painted};
use crate::error::NoticeError;
use crate::facts;
use crate::letter::{Block, Span};
use crate::skin::{dark_palette, light_palette};
use crate::words::words;

/// A content id is unique in one mail, which is all it has to be.
pub const DRAWING: &str = "roof";

/// Nothing for a drawing without outline.
pub fn of(
    drawing: &RoofDrawing,
    photo: Option<&PhotoUnder>,
    address: &str,
    widget: &Widget,
    language: Language,
) -> Result<(Vec<Block>, Vec<MailPicture>), NoticeError> {
    let Some(painted) = image_of(drawing, photo, address, widget, language)? else {
        return Ok((Vec::new(), Vec::new()));
    };
    let alt = facts::plan_name(drawing, address, language, words(language));
    let mut blocks = vec![Block::Picture { content_id: DRAWING.to_owned(), alt }];
    blocks.extend(basis(drawing, language).map(|text| Block::Small(vec![Span::plain(text)])));
    Ok((
        blocks,
        vec![MailPicture { content_id: DRAWING.to_owned(), media_type: painted.media_type, bytes: painted.bytes }],
    ))
}

/// The drawing as an image, on the photograph if there is one; none of a drawing without outline.
pub fn image_of(
    drawing: &RoofDrawing,
    photo: Option<&PhotoUnder>,
    address: &str,
    widget: &Widget,
    language: Language,
) -> Result<Option<Painted>, NoticeError> {
    painted(drawing, photo, address, &light_palette(widget), language)
}

/// Width and height of that picture.
pub fn size_of(drawing: &RoofDrawing, language: Language) -> Option<(u32, u32)> {
    facts::is_drawable(drawing).then(|| figure::size(drawing, language))
}

/// For a screen that is dark.
pub fn image_on_dark(
    drawing: &RoofDrawing,
    photo: Option<&PhotoUnder>,
    address: &str,
    widget: &Widget,
    language: Language,
) -> Result<Option<Painted>, NoticeError> {
    painted(drawing, photo, address, &dark_palette(widget), language)
}

fn painted(
    drawing: &RoofDrawing,
    photo: Option<&PhotoUnder>,
    address: &str,
    palette: &Palette,
    language: Language,
) -> Result<Option<Painted>, NoticeError> {
    if !facts::is_drawable(drawing) {
        return Ok(None);
    }
    let number = facts::house_number(address);
    png::paint(&figure::figure(drawing, photo, &number, palette, language)?).map(Some)
}

/// What of the drawing was not measured.
pub fn basis(drawing: &RoofDrawing, language: Language) -> Option<&'static str> {
    let word = match drawing.basis {
        DrawingBasis::Measured => return None,
        DrawingBasis::Modelled => w::TAG_MODELLED,
        DrawingBasis::Outline => w::TAG_OUTLINE,
    };
    Some(flow_words(language).text(word))
}
