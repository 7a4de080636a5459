//! Which certificate a client gets, and what an ACME directory gets that looks whether a name is ours.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use rcgen::{CertificateParams, CustomExtension, KeyPair};
use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use crate::certificate::Certificate;
use crate::error::TlsError;

/// What only a directory asks for (RFC 8737).
pub const ACME_PROTOCOL: &[u8] = b"acme-tls/1";

/// Replaced while connections go on: they keep the certificate with which they began.
#[derive(Debug, Default)]
pub struct Certificates {
    current: RwLock<Option<Certificate>>,
    /// By name: of companies' own domains.
    others: RwLock<HashMap<String, Certificate>>,
    /// By name: certificates that prove something to a directory, and serve nobody else.
    proofs: RwLock<HashMap<String, Arc<CertifiedKey>>>,
    /// By token: what a directory finds under `/.well-known/acme-challenge/`.
    answers: RwLock<HashMap<String, String>>,
}

impl Certificates {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    pub fn replace(&self, certificate: Certificate) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(certificate);
    }

    pub fn current(&self) -> Option<Certificate> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn replace_for(&self, host: &str, certificate: Certificate) {
        self.others.write().unwrap_or_else(PoisonError::into_inner).insert(host.to_owned(), certificate);
    }

    pub fn current_for(&self, host: &str) -> Option<Certificate> {
        self.others.read().unwrap_or_else(PoisonError::into_inner).get(host).cloned()
    }

    /// What belongs under `/.well-known/acme-challenge/{token}` now.
    pub fn answer(&self, token: &str) -> Option<String> {
        self.answers.read().unwrap_or_else(PoisonError::into_inner).get(token).cloned()
    }

    /// TLS as the server speaks it.
    ///
    /// # Errors
    /// Where the cryptography lacks a protocol, which no build of ours does.
    pub fn server_config(self: &Arc<Self>) -> Result<Arc<rustls::ServerConfig>, TlsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(TlsError::certificate)?
            .with_no_client_auth()
            .with_cert_resolver(self.clone());
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec(), ACME_PROTOCOL.to_vec()];
        Ok(Arc::new(config))
    }

    pub(crate) fn offer_answer(&self, token: &str, answer: &str) {
        self.answers.write().unwrap_or_else(PoisonError::into_inner).insert(token.to_owned(), answer.to_owned());
    }

    /// A certificate whose one extension is the digest that the directory wants to see.
    pub(crate) fn offer_proof(&self, name: &str, digest: &[u8]) -> Result<(), TlsError> {
        let failed = |e: rcgen::Error| TlsError::certificate(e);
        let mut params = CertificateParams::new([name.to_owned()]).map_err(failed)?;
        params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
        let key = KeyPair::generate().map_err(failed)?;
        let certificate = params.self_signed(&key).map_err(failed)?;
        let der = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let key = any_supported_type(&der).map_err(TlsError::certificate)?;
        let proof = CertifiedKey::new(vec![certificate.der().clone()], key);
        self.proofs.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Arc::new(proof));
        Ok(())
    }

    /// After an order, whatever came of it.
    pub(crate) fn forget_proofs(&self) {
        self.proofs.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.answers.write().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let mut protocols = hello.alpn().into_iter().flatten();
        if protocols.next() == Some(ACME_PROTOCOL) && protocols.next().is_none() {
            let proofs = self.proofs.read().unwrap_or_else(PoisonError::into_inner);
            return proofs.get(hello.server_name()?).cloned();
        }
        let own = hello.server_name().and_then(|name| {
            let others = self.others.read().unwrap_or_else(PoisonError::into_inner);
            others.get(name).map(|certificate| certificate.key.clone())
        });
        let current = || self.current.read().unwrap_or_else(PoisonError::into_inner);
        own.or_else(|| current().as_ref().map(|certificate| certificate.key.clone()))
    }
}
