//! The encodings of text in tables: those of `encoding_rs`, and the two of DOS that dBASE files still have.
//!
//! # Decision
//!
//! A dBASE file's encoding comes from the mapping, then `.cpg`, then the header, except for 0x03 and 0x57, which
//! every program writes.

use std::borrow::Cow;
use std::io::{self, Read};

use encoding_rs::{Decoder, Encoding};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Charset {
    Known(&'static Encoding),
    /// One byte, one letter: the 128 above ASCII.
    Dos(&'static str),
}

/// Code page 437, of the United States.
const DOS_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
    áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
    └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";
/// Code page 850, of Western Europe.
const DOS_850: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ\
    áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐\
    └┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀\
    ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}";

impl Charset {
    /// By the names that mappings and `.cpg` files use: `UTF-8`, `1252`, `ANSI 1252`, `88591`, `OEM 437`.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().trim_matches('\u{feff}').to_ascii_lowercase();
        if let Some(known) = Encoding::for_label(name.as_bytes()) {
            return Some(Self::Known(known));
        }
        let letters = |c: char| matches!(c, ' ' | '_' | '-' | ':');
        let bare: String = name.chars().filter(|c| !letters(*c)).collect();
        let number = bare.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        Some(match number {
            "437" => Self::Dos(DOS_437),
            "850" => Self::Dos(DOS_850),
            "65001" => Self::Known(encoding_rs::UTF_8),
            "1200" => Self::Known(encoding_rs::UTF_16LE),
            "1201" => Self::Known(encoding_rs::UTF_16BE),
            "10000" => Self::Known(encoding_rs::MACINTOSH),
            "8" if bare == "utf8" => Self::Known(encoding_rs::UTF_8),
            "88591" | "28591" => Self::Known(encoding_rs::WINDOWS_1252),
            "885915" | "28605" => Self::Known(encoding_rs::ISO_8859_15),
            other if other.len() == 4 && other.starts_with("125") => {
                Self::Known(Encoding::for_label(format!("windows-{other}").as_bytes())?)
            }
            _ => return None,
        })
    }

    /// As the header of a dBASE file says it in its byte 29; `None` where it says nothing, or what everybody writes.
    pub fn of_dbase(language: u8) -> Option<Self> {
        Some(match language {
            0x01 => Self::Dos(DOS_437),
            0x02 | 0x37 | 0x1d | 0x10 | 0x12 | 0x14 | 0x1a | 0x25 => Self::Dos(DOS_850),
            0x04 => Self::Known(encoding_rs::MACINTOSH),
            0xc8 => Self::Known(encoding_rs::WINDOWS_1250),
            0xc9 => Self::Known(encoding_rs::WINDOWS_1251),
            0x26 | 0x65 => Self::Known(encoding_rs::IBM866),
            _ => return None,
        })
    }

    pub fn is_utf_8(self) -> bool {
        matches!(self, Self::Known(known) if known == encoding_rs::UTF_8)
    }

    pub fn is_utf_16(self) -> bool {
        self.utf_16_name().is_some()
    }

    /// As a mapping calls it, if it is one of UTF-16.
    pub fn utf_16_name(self) -> Option<&'static str> {
        match self {
            Self::Known(known) if known == encoding_rs::UTF_16LE => Some("utf-16le"),
            Self::Known(known) if known == encoding_rs::UTF_16BE => Some("utf-16be"),
            _ => None,
        }
    }

    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            _ if bytes.is_ascii() && !self.is_utf_16() => String::from_utf8_lossy(bytes),
            Self::Known(known) => known.decode_without_bom_handling(bytes).0,
            Self::Dos(upper) => Cow::Owned(bytes.iter().map(|b| dos_letter(upper, *b)).collect()),
        }
    }
}

fn dos_letter(upper: &str, byte: u8) -> char {
    match byte.checked_sub(128) {
        None => char::from(byte),
        Some(at) => upper.chars().nth(usize::from(at)).unwrap_or('\u{fffd}'),
    }
}

/// Text in another encoding as UTF-8, a block at a time.
pub(crate) struct RecodingReader<R> {
    inner: R,
    decoding: Decoding,
    raw: Vec<u8>,
    text: Vec<u8>,
    sent: usize,
    done: bool,
}

enum Decoding {
    Known(Decoder),
    Dos(&'static str),
}

impl<R: Read> RecodingReader<R> {
    pub fn new(inner: R, charset: Charset) -> Self {
        let decoding = match charset {
            Charset::Known(known) => Decoding::Known(known.new_decoder_with_bom_removal()),
            Charset::Dos(upper) => Decoding::Dos(upper),
        };
        Self { inner, decoding, raw: vec![0; 16 * 1024], text: Vec::new(), sent: 0, done: false }
    }
}

impl<R: Read> Read for RecodingReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.sent == self.text.len() && !self.done {
            let n = self.inner.read(&mut self.raw)?;
            self.done = n == 0;
            match &mut self.decoding {
                Decoding::Known(decoder) => {
                    self.text.resize(decoder.max_utf8_buffer_length(n).unwrap_or(3 * n + 16), 0);
                    let (_, _, written, _) = decoder.decode_to_utf8(&self.raw[..n], &mut self.text, self.done);
                    self.text.truncate(written);
                }
                Decoding::Dos(upper) => {
                    let text: String = self.raw[..n].iter().map(|b| dos_letter(upper, *b)).collect();
                    self.text = text.into_bytes();
                }
            }
            self.sent = 0;
        }
        let n = into.len().min(self.text.len() - self.sent);
        into[..n].copy_from_slice(&self.text[self.sent..self.sent + n]);
        self.sent += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_dos_have_their_letters() {
        assert_eq!([DOS_437, DOS_850].map(|page| page.chars().count()), [128; 2]);
        for (name, bytes, text) in [
            ("437", &b"PE\xa5A"[..], "PEÑA"),
            ("OEM 437", b"CA\xa5ON", "CAÑON"),
            ("cp850", b"PE\xa5A \xd6 \xb5", "PEÑA Í Á"),
            ("IBM850", b"Jos\x82", "José"),
            ("ANSI 1252", b"Jos\xe9", "José"),
            ("88591", b"Jos\xe9", "José"),
            ("ISO-8859-1", b"Jos\xe9", "José"),
            ("ISO 8859-1", b"Jos\xe9", "José"),
            ("1252", b"Jos\xe9", "José"),
            ("UTF-8", "José".as_bytes(), "José"),
            ("65001", "José".as_bytes(), "José"),
            ("macintosh", b"Jos\x8e", "José"),
        ] {
            assert_eq!(Charset::named(name).map(|c| c.decode(bytes).into_owned()).as_deref(), Some(text), "{name}");
        }
        for name in ["", "town", "4370", "cp", "99999"] {
            assert!(Charset::named(name).is_none(), "{name}");
        }
    }
}
