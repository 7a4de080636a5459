//! WebAssembly's sections, as far as needed to leave out what a browser never reads.

use anyhow::{Context, Result, bail};

/// What compilers leave for debuggers and later tools.
const UNREAD: [&str; 3] = ["name", "producers", "target_features"];

/// The module without the custom sections no browser looks at.
pub fn strip(module: &[u8]) -> Result<Vec<u8>> {
    let Some((magic, mut rest)) = module.split_at_checked(8).filter(|(magic, _)| magic.starts_with(b"\0asm")) else {
        bail!("not a WebAssembly module");
    };
    let mut kept = magic.to_vec();
    while let Some((&id, after_id)) = rest.split_first() {
        let (length, after_length) = leb128(after_id).context("a section without a length")?;
        let (body, next) = after_length.split_at_checked(length).context("a section longer than the module")?;
        if id != 0 || !UNREAD.contains(&name(body).context("a custom section without a name")?) {
            let whole = rest.len() - next.len();
            kept.extend_from_slice(rest.get(..whole).unwrap_or_default());
        }
        rest = next;
    }
    Ok(kept)
}

fn name(body: &[u8]) -> Option<&str> {
    let (length, rest) = leb128(body)?;
    core::str::from_utf8(rest.get(..length)?).ok()
}

/// An unsigned number of seven bits a byte, and what follows it.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().take(5).enumerate() {
        value |= usize::from(byte & 0x7f).checked_shl(u32::try_from(7 * at).ok()?)?;
        if byte & 0x80 == 0 {
            return Some((value, bytes.get(at + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::strip;

    const EMPTY: &[u8] = b"\0asm\x01\0\0\0";

    fn custom(name: &str, body: &[u8]) -> Vec<u8> {
        let mut section =
            vec![0, u8::try_from(1 + name.len() + body.len()).unwrap(), u8::try_from(name.len()).unwrap()];
        section.extend_from_slice(name.as_bytes());
        section.extend_from_slice(body);
        section
    }

    #[test]
    fn names_and_producers_go_and_the_rest_stays_in_order() {
        let types: &[u8] = &[1, 4, 1, 0x60, 0, 0];
        let module = [EMPTY, &custom("producers", b"x"), types, &custom("mine", b"y"), &custom("name", b"z")].concat();
        assert_eq!(strip(&module).unwrap(), [EMPTY, types, &custom("mine", b"y")].concat());
    }

    #[test]
    fn a_module_cut_short_is_refused() {
        let module = [EMPTY, &custom("name", b"z")].concat();
        for end in (0..module.len()).filter(|end| *end != EMPTY.len()) {
            assert!(strip(&module[..end]).is_err(), "cut at {end}");
        }
        assert!(strip(b"<!doctype html>").is_err());
    }
}
