//! A certificate chain with its key and validity.

use std::sync::Arc;

use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use shingle_domain::Timestamp;
use shingle_domain::message::ToMessage;
use x509_parser::prelude::{FromDer, GeneralName, X509Certificate};

use crate::error::{TlsError, TlsProblem};

const MICROS: i64 = 1_000_000;

#[derive(Debug, Clone)]
pub struct Certificate {
    pub(crate) key: Arc<CertifiedKey>,
    names: Vec<String>,
    begin: Timestamp,
    end: Timestamp,
}

impl Certificate {
    /// Both may be in one text.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, TlsError> {
        let unreadable = |e: rustls::pki_types::pem::Error| TlsError::certificate(e);
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(chain).collect::<Result<_, _>>().map_err(unreadable)?;
        let key = PrivateKeyDer::from_pem_slice(key).map_err(TlsError::private_key)?;
        let Some(own) = chain.first() else {
            return Err(TlsError::Certificate { reason: TlsProblem::Empty.to_message() });
        };
        let (_, read) = X509Certificate::from_der(own).map_err(TlsError::certificate)?;
        let names = read
            .subject_alternative_name()
            .ok()
            .flatten()
            .into_iter()
            .flat_map(|names| &names.value.general_names)
            .filter_map(|name| match name {
                GeneralName::DNSName(name) => Some((*name).to_owned()),
                _ => None,
            })
            .collect();
        let at = |time: x509_parser::time::ASN1Time| Timestamp::from_micros(time.timestamp().saturating_mul(MICROS));
        let (begin, end) = (at(read.validity().not_before), at(read.validity().not_after));
        let key = any_supported_type(&key).map_err(TlsError::private_key)?;
        let key = CertifiedKey::new(chain, key);
        key.keys_match().map_err(|_| TlsError::KeyMismatch)?;
        Ok(Self { key: Arc::new(key), names, begin, end })
    }

    pub fn end(&self) -> Timestamp {
        self.end
    }

    /// When it is time for the next one: a third of its life is left then.
    pub fn renewal(&self) -> Timestamp {
        let life = self.end.micros().saturating_sub(self.begin.micros());
        Timestamp::from_micros(self.end.micros() - life / 3)
    }

    pub(crate) fn is_for(&self, names: &[String]) -> bool {
        names.iter().all(|name| self.names.iter().any(|own| own.eq_ignore_ascii_case(name)))
    }
}
