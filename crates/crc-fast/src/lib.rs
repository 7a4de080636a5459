//! The checksums that `object_store` and `s3s` take from the crate `crc-fast`, by the crate `crc`.
//!
//! # Decision
//!
//! `crc-fast` links the tables of a hundred checksums into a program, 690 kB, whichever of them is used; ours asks S3 for
//! SHA-256 and uses none. `[patch]` in the workspace's manifest puts this crate in its place. Turned down: an older
//! `object_store`, which brings a second `reqwest`.

use crc::{CRC_32_ISCSI, CRC_32_ISO_HDLC, CRC_64_NVME, Crc, Table};

static ISO_HDLC: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISO_HDLC);
static ISCSI: Crc<u32, Table<1>> = Crc::<u32, Table<1>>::new(&CRC_32_ISCSI);
static NVME: Crc<u64, Table<1>> = Crc::<u64, Table<1>>::new(&CRC_64_NVME);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrcAlgorithm {
    Crc32IsoHdlc,
    Crc32Iscsi,
    Crc64Nvme,
}

/// A checksum that is being computed.
#[derive(Clone)]
pub struct Digest(State);

#[derive(Clone)]
enum State {
    Narrow(crc::Digest<'static, u32, Table<1>>),
    Wide(crc::Digest<'static, u64, Table<1>>),
}

impl Digest {
    pub fn new(algorithm: CrcAlgorithm) -> Self {
        Self(match algorithm {
            CrcAlgorithm::Crc32IsoHdlc => State::Narrow(ISO_HDLC.digest()),
            CrcAlgorithm::Crc32Iscsi => State::Narrow(ISCSI.digest()),
            CrcAlgorithm::Crc64Nvme => State::Wide(NVME.digest()),
        })
    }

    pub fn update(&mut self, data: &[u8]) {
        match &mut self.0 {
            State::Narrow(digest) => digest.update(data),
            State::Wide(digest) => digest.update(data),
        }
    }

    pub fn finalize(&self) -> u64 {
        match self.0.clone() {
            State::Narrow(digest) => digest.finalize().into(),
            State::Wide(digest) => digest.finalize(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_checksum_has_its_published_check_value() {
        for (algorithm, check) in [
            (CrcAlgorithm::Crc32IsoHdlc, 0xcbf4_3926),
            (CrcAlgorithm::Crc32Iscsi, 0xe306_9283),
            (CrcAlgorithm::Crc64Nvme, 0xae8b_1486_0a79_9888),
        ] {
            let mut digest = Digest::new(algorithm);
            digest.update(b"1234");
            digest.update(b"56789");
            assert_eq!(digest.finalize(), check, "{algorithm:?}");
        }
    }
}
