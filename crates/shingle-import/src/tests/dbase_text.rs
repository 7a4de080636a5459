//! The text of dBASE tables: by the mapping, by `.cpg`, by the language in the header, else found out cell by cell.

use super::files::*;

const MAP: &str = r#"
dataset = "t"
[address]
number = "NUM"
street = "STREET"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { constant = "43099" }
"#;

/// A table of a number and a street.
fn dbf(language: u8, width: u8, streets: &[&[u8]]) -> Vec<u8> {
    let fields = [(&b"NUM"[..], 6_u8), (b"STREET", width)];
    let record = 1 + fields.iter().map(|f| usize::from(f.1)).sum::<usize>();
    let header = 32 + 32 * fields.len() + 1;
    let mut out = vec![3, 125, 1, 1];
    out.extend((streets.len() as u32).to_le_bytes());
    out.extend((header as u16).to_le_bytes());
    out.extend((record as u16).to_le_bytes());
    out.resize(32, 0);
    out[29] = language;
    for (name, width) in fields {
        let start = out.len();
        out.extend(name);
        out.resize(start + 32, 0);
        out[start + 11] = b'C';
        out[start + 16] = width;
    }
    out.push(0x0d);
    for (n, street) in (1..).zip(streets) {
        out.push(b' ');
        out.extend(format!("{:<6}", n * 2).bytes());
        let start = out.len();
        out.extend(street.iter().take(usize::from(width)));
        out.resize(start + usize::from(width), b' ');
    }
    out.push(0x1a);
    out
}

/// The street of the first home, as it was read.
fn read(language: u8, width: u8, cpg: Option<&str>, stated: Option<&str>, streets: &[&[u8]]) -> String {
    let town = Town::new();
    if let Some(cpg) = cpg {
        town.write("t.cpg", cpg);
    }
    let file = town.write("t.dbf", dbf(language, width, streets));
    let stated = stated.map(|name| format!("[table]\nencoding = \"{name}\"\n")).unwrap_or_default();
    let mapping = crate::Mapping::from_toml(&format!("{MAP}{stated}"), "m.toml").unwrap();
    let wanted = crate::PreviewRows { skip: 0, most: 10, only_problems: false };
    let preview = crate::preview(&[file], &mapping, wanted).unwrap();
    preview.rows[0].street.trim_start_matches("2 ").to_owned()
}

#[test]
fn the_encoding_is_the_mappings_then_that_of_the_file_beside_it_then_the_headers() {
    let (utf_8, latin, dos, dos_850) =
        ("PEÑA ST".as_bytes(), &b"PE\xd1A ST"[..], &b"PE\xa5A ST"[..], &b"PE\xa5\xb5A ST"[..]);
    for (language, cpg, stated, bytes, street) in [
        (0x01, None, None, dos, "PEÑA ST"),
        (0x02, None, None, dos_850, "PEÑÁA ST"),
        (0x00, Some("437"), None, dos, "PEÑA ST"),
        (0x00, Some("OEM 850\r\n"), None, dos_850, "PEÑÁA ST"),
        (0x00, None, Some("cp437"), dos, "PEÑA ST"),
        (0x00, None, Some("cp850"), dos_850, "PEÑÁA ST"),
        // The one before wins.
        (0x01, Some("1252"), None, latin, "PEÑA ST"),
        (0x01, Some("UTF-8"), None, utf_8, "PEÑA ST"),
        (0x01, Some("UTF-8"), Some("windows-1252"), latin, "PEÑA ST"),
        (0x57, Some("437"), None, dos, "PEÑA ST"),
        (0x02, None, Some("utf-8"), utf_8, "PEÑA ST"),
        // What everybody writes into the header says nothing.
        (0x57, None, None, utf_8, "PEÑA ST"),
        (0x57, None, None, latin, "PEÑA ST"),
        (0x03, None, None, latin, "PEÑA ST"),
        (0x00, None, None, utf_8, "PEÑA ST"),
        (0x00, None, None, latin, "PEÑA ST"),
        (0x00, Some("nonsense"), None, utf_8, "PEÑA ST"),
        (0xc8, None, None, b"\xa3\xd3D\x8f ST", "ŁÓDŹ ST"),
    ] {
        let found = read(language, 30, cpg, stated, &[bytes]);
        assert_eq!(found.to_uppercase(), street, "{language:#x} {cpg:?} {stated:?}");
    }
}

#[test]
fn half_a_letter_is_dropped_and_the_rest_stays() {
    let names = ["CAÑADA DEL NIÑO ÑU", "AVENIDA JOSÉ MARTÍ", "日本通り", "ÑÑÑÑÑÑÑÑ", "CALLE ÁÉÍÓÚ", "ʻĀINA ST ʻĪ"];
    for name in names {
        for width in 2..name.len() as u8 {
            let cut = &name.as_bytes()[..usize::from(width)];
            let whole = (0..=cut.len()).rev().find_map(|end| std::str::from_utf8(&cut[..end]).ok()).unwrap();
            if whole.trim().is_empty() || whole.len() < 2 {
                continue;
            }
            let other = "PEÑA ST".as_bytes();
            // Stated beside it; and by other cells of the table.
            for (cpg, streets) in [(Some("UTF-8"), vec![name.as_bytes()]), (None, vec![other, name.as_bytes()])] {
                let found = match cpg {
                    Some(_) => read(0, width, cpg, None, &streets),
                    None if width < 9 => continue,
                    None => {
                        let town = Town::new();
                        let file = town.write("t.dbf", dbf(0, width, &streets));
                        let mapping = crate::Mapping::from_toml(MAP, "m.toml").unwrap();
                        let wanted = crate::PreviewRows { skip: 1, most: 1, only_problems: false };
                        crate::preview(&[file], &mapping, wanted).unwrap().rows[0]
                            .street
                            .trim_start_matches("4 ")
                            .to_owned()
                    }
                };
                assert_eq!(found.to_uppercase(), whole.trim(), "{name} in {width} bytes, {cpg:?}");
            }
        }
    }
    // In another encoding the last letter is whole.
    assert_eq!(read(0, 4, None, None, &[b"JOS\xc9"]).to_uppercase(), "JOSÉ");
    assert_eq!(read(0, 4, Some("1252"), None, &[b"JOS\xc3"]).to_uppercase(), "JOSÃ");
}
