use std::io::{self, Read, Write};

use proptest::prelude::*;

use crate::{
    ArchiveError, ArchiveWriter, Content, Engine, FORMAT, FileName, Header, Passphrase, SealKey, Visitor, read,
};

fn header() -> Header {
    Header::new("0.1.0", Engine::Postgres, 3, "2026-11-28T21:00:00Z", "check")
}

fn name(text: &str) -> FileName {
    FileName::new(text).unwrap()
}

/// Everything that an archive holds.
#[derive(Default)]
struct Everything {
    header: Option<Header>,
    files: Vec<(String, Vec<u8>)>,
}

impl Visitor for Everything {
    type Error = ArchiveError;

    fn begin(&mut self, header: &Header) -> Result<(), ArchiveError> {
        self.header = Some(header.clone());
        Ok(())
    }

    fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), ArchiveError> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        self.files.push((name.to_string(), bytes));
        Ok(())
    }
}

/// Reads nothing of the files: what is skipped is proved too.
struct Nothing;

impl Visitor for Nothing {
    type Error = ArchiveError;

    fn begin(&mut self, _: &Header) -> Result<(), ArchiveError> {
        Ok(())
    }

    fn file(&mut self, _: &FileName, _: &mut Content<'_>) -> Result<(), ArchiveError> {
        Ok(())
    }
}

/// Bytes that do not shrink.
fn noise(length: usize) -> Vec<u8> {
    noise_of(0, length)
}

fn noise_of(seed: u8, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    blake3::Hasher::new().update(&[seed]).finalize_xof().fill(&mut bytes);
    bytes
}

fn sample() -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new(), header(), None).unwrap();
    archive.add_bytes(&name("database.sqlite"), &noise(70_000)).unwrap();
    archive.add_bytes(&name("storage/photos/a.jpg"), b"").unwrap();
    archive.add_bytes(&name(&format!("property/{}/ME.sqlite", "long".repeat(60))), b"homes").unwrap();
    archive.finish().unwrap().0
}

/// An archive of these files in tar and zstd, as anybody can make one.
fn made_by_hand(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    for (name, bytes) in files {
        let mut entry = tar::Header::new_gnu();
        entry.set_size(bytes.len() as u64);
        // As it is: `set_path` refuses what a hostile archive has.
        let field = &mut entry.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        entry.set_cksum();
        tar.append(&entry, *bytes).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

#[test]
fn what_was_written_is_read() {
    let bytes = sample();
    let mut all = Everything::default();
    let totals = read(&bytes[..], &mut all).unwrap();
    assert_eq!((totals.files, totals.bytes), (3, 70_005));
    assert_eq!(all.header.unwrap(), header());
    assert_eq!(all.files[0], ("database.sqlite".to_owned(), noise(70_000)));
    assert!(all.files[2].0.ends_with("/ME.sqlite") && all.files[2].0.len() > 200);
    assert_eq!(read(&bytes[..], &mut Nothing).unwrap(), totals);
}

#[test]
fn an_archive_that_is_cut_anywhere_is_refused_as_cut_short() {
    let bytes = sample();
    for at in (0..bytes.len()).step_by(997).chain([1, bytes.len() - 1]) {
        let fault = read(&bytes[..at], &mut Nothing).unwrap_err();
        assert_eq!(fault, ArchiveError::CutShort, "cut at {at} of {}", bytes.len());
    }
}

proptest! {
    #[test]
    fn a_changed_byte_is_noticed(at in any::<prop::sample::Index>(), by in 1_u8..) {
        let mut bytes = sample();
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        let mut all = Everything::default();
        if read(&bytes[..], &mut all).is_ok() {
            // A bit of the compressed form may be without a meaning; then nothing was changed.
            prop_assert_eq!(all.files[0].1.clone(), noise(70_000));
        }
    }
}

#[test]
fn other_files_are_no_backup() {
    for other in [&b"not a backup, but somebody's notes"[..], &[0; 4_096], &[0x28, 0xB5, 0x2F, 0xFD, 1]] {
        let fault = read(other, &mut Nothing).unwrap_err();
        assert!(matches!(fault, ArchiveError::NotABackup | ArchiveError::CutShort), "{fault}");
    }
    let fault = read(&made_by_hand(&[("notes.txt", b"hello")])[..], &mut Nothing).unwrap_err();
    assert_eq!(fault, ArchiveError::NotABackup);
}

#[test]
fn a_backup_of_a_newer_version_is_refused_with_its_format() {
    let newer = format!(r#"{{"format":{}, "anything": "else"}}"#, FORMAT + 1);
    let fault = read(&made_by_hand(&[("backup.json", newer.as_bytes())])[..], &mut Nothing).unwrap_err();
    assert_eq!(fault, ArchiveError::NewerFormat { found: FORMAT + 1, known: FORMAT });
}

#[test]
fn no_name_leads_out_of_a_folder() {
    let header = serde_json::to_vec(&header()).unwrap();
    for bad in ["../secret", "/etc/passwd", "data/../../x", "a\\b", "data//x", "."] {
        let bytes = made_by_hand(&[("backup.json", &header), (bad, b"x")]);
        let mut all = Everything::default();
        let fault = read(&bytes[..], &mut all).unwrap_err();
        assert!(matches!(fault, ArchiveError::FileName { .. }) && all.files.is_empty(), "{bad}: {fault}");
    }
}

#[test]
fn a_manifest_that_lists_other_files_is_noticed() {
    let header = serde_json::to_vec(&header()).unwrap();
    let listed = |name: &str, text: &[u8]| {
        let digest = blake3::hash(text);
        format!(r#"{{"files":[{{"name":"{name}","size":{},"blake3":"{digest}"}}]}}"#, text.len())
    };
    let fault = |manifest: &str, after: &[(&str, &[u8])]| {
        let mut files = vec![("backup.json", &header[..]), ("data/a", b"text"), ("manifest.json", manifest.as_bytes())];
        files.extend(after);
        read(&made_by_hand(&files)[..], &mut Nothing)
    };
    assert!(fault(&listed("data/a", b"text"), &[]).is_ok());
    let file = || "data/a".to_owned();
    assert_eq!(fault(&listed("data/a", b"tent"), &[]).unwrap_err(), ArchiveError::Damaged { file: file() });
    assert_eq!(fault(&listed("data/b", b"text"), &[]).unwrap_err(), ArchiveError::Missing { file: "data/b".into() });
    assert_eq!(fault(r#"{"files":[]}"#, &[]).unwrap_err(), ArchiveError::NotListed { file: file() });
    let after = fault(&listed("data/a", b"text"), &[("data/late", b"x")]).unwrap_err();
    assert_eq!(after, ArchiveError::NotListed { file: "data/late".into() });
}

/// Opens what is sealed.
struct Opened(Passphrase, Option<SealKey>, Vec<u8>);

impl Visitor for Opened {
    type Error = ArchiveError;

    fn begin(&mut self, header: &Header) -> Result<(), ArchiveError> {
        self.1 = Some(header.key(&self.0)?);
        Ok(())
    }

    fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), ArchiveError> {
        self.2 = self.1.as_ref().unwrap().open(name, &content.small(name)?)?;
        Ok(())
    }
}

#[test]
fn what_is_sealed_is_opened_by_its_passphrase_alone() {
    let passphrase = Passphrase::new("correct horse battery").unwrap();
    let mut archive = ArchiveWriter::new(Vec::new(), header(), Some(&passphrase)).unwrap();
    archive.add_sealed(&FileName::sealed("secret").unwrap(), b"of the house").unwrap();
    let bytes = archive.finish().unwrap().0;
    let mut all = Everything::default();
    read(&bytes[..], &mut all).unwrap();
    assert!(!all.files[0].1.windows(5).any(|part| part == b"house"), "it is not readable");
    let opened = |text: &str| {
        let mut opened = Opened(Passphrase::new(text).unwrap(), None, Vec::new());
        read(&bytes[..], &mut opened).map(|_| opened.2)
    };
    assert_eq!(opened("correct horse battery").unwrap(), b"of the house");
    assert_eq!(opened("correct horse batterz").unwrap_err(), ArchiveError::WrongPassphrase);
    assert_eq!(Passphrase::new("short").unwrap_err(), ArchiveError::ShortPassphrase { min: 12 });
    assert_eq!(format!("{passphrase:?}"), "Passphrase([redacted])");
    let mut plain = Opened(passphrase, None, Vec::new());
    assert_eq!(read(&sample()[..], &mut plain).unwrap_err(), ArchiveError::NotSealed);
}

/// A disk with so much room.
struct Disk(usize);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let written = bytes.len().min(self.0);
        self.0 -= written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_wherever_it_comes() {
    let write = |room: usize| {
        let mut archive = ArchiveWriter::new(Disk(room), header(), None)?;
        for file in 0..4 {
            archive.add_bytes(&name(&format!("data/{file}")), &noise_of(file, 200_000))?;
        }
        archive.finish().map(|_| ())
    };
    for room in [0, 100, 1_000, 250_000, 500_000] {
        assert_eq!(write(room), Err(ArchiveError::DiskFull), "{room}");
    }
    write(2_000_000).unwrap();
}

#[test]
fn a_file_that_shrinks_meanwhile_is_named_and_one_that_grows_is_taken_as_it_was() {
    let mut archive = ArchiveWriter::new(Vec::new(), header(), None).unwrap();
    archive.add(&name("data/grows"), 3, &mut &b"abcdef"[..]).unwrap();
    let fault = archive.add(&name("data/shrinks"), 9, &mut &b"abcdef"[..]).unwrap_err();
    assert_eq!(fault, ArchiveError::Shrunk { file: "data/shrinks".into() });
}
