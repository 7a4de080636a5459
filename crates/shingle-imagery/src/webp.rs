//! Cuts as WebP.

use webp::{Encoder, WebPConfig};

use crate::error::ImageryError;
use crate::view::Cut;

/// Better ones cost bytes that nobody sees.
const BEST: u32 = 90;

impl Cut {
    /// WebP of at most so many bytes: the best quality that fits.
    pub fn webp(&self, most: usize) -> Result<Vec<u8>, ImageryError> {
        if self.rgb.len() != self.wide as usize * self.high as usize * 3 || self.rgb.is_empty() {
            return Err(ImageryError::Webp("it has no pixels".to_owned()));
        }
        let (mut fits, mut low, mut high) = (None, 0, BEST + 1);
        // All below `low` fit, `high` and above do not.
        let mut quality = BEST;
        while low < high {
            let bytes = self.encode(quality)?;
            if bytes.len() <= most {
                fits = Some(bytes);
                low = quality + 1;
            } else {
                high = quality;
            }
            quality = (low + high) / 2;
        }
        fits.ok_or(ImageryError::TooManyBytes { most })
    }

    fn encode(&self, quality: u32) -> Result<Vec<u8>, ImageryError> {
        let mut config = WebPConfig::new().map_err(|()| ImageryError::Webp("no settings".to_owned()))?;
        config.method = 4;
        #[allow(clippy::cast_precision_loss, reason = "at most 100")]
        let quality = quality as f32;
        config.quality = quality;
        let encoder = Encoder::from_rgb(&self.rgb, self.wide, self.high);
        let encoded = encoder.encode_advanced(&config).map_err(|e| ImageryError::Webp(format!("{e:?}")))?;
        Ok(encoded.to_vec())
    }
}
