//! Certificates from an ACME directory, by default Let's Encrypt.

mod client;
mod folder;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, ChallengeType, Identifier, NewAccount, NewOrder, Order, OrderStatus, RetryPolicy,
};
use shingle_domain::Timestamp;
use shingle_domain::message::ToMessage;
use tokio::sync::Mutex;

use crate::certificate::Certificate;
use crate::error::{TlsError, TlsProblem};
use crate::resolver::Certificates;
use folder::AcmeFolder;

pub const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// How long a directory may take to look at us, and to sign.
const PATIENCE: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(90));

#[derive(Debug, Clone)]
pub struct AcmeSettings {
    pub directory: String,
    /// Root certificates (PEM) of a private directory.
    pub root: Option<PathBuf>,
    /// Who the directory notifies of problems.
    pub email: Option<String>,
    /// What the certificate is for.
    pub domains: Vec<String>,
    /// Where account and certificate are kept.
    pub folder: PathBuf,
    /// Whether port 80 leads to us: then a name is proved over it, else in the handshake on port 443.
    pub plain_http: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Renewal {
    NotDue,
    Done { until: Timestamp },
}

pub struct Acme {
    settings: AcmeSettings,
    folder: AcmeFolder,
    certificates: Arc<Certificates>,
    /// One order at a time: all share the account, and what is proved to the directory.
    turn: Mutex<()>,
}

impl Acme {
    /// Serves the certificate of last time at once, where there is one for these names.
    ///
    /// # Errors
    /// Where the folder can be neither read nor made.
    pub fn new(settings: AcmeSettings, certificates: Arc<Certificates>) -> Result<Self, TlsError> {
        let folder = AcmeFolder::open(&settings.folder)?;
        match folder.certificate() {
            Ok(Some(kept)) if kept.is_for(&settings.domains) => certificates.replace(kept),
            Ok(_) => {}
            // It is ordered again.
            Err(error) => tracing::warn!(%error, "the certificate of last time cannot be used"),
        }
        Ok(Self { settings, folder, certificates, turn: Mutex::new(()) })
    }

    /// Orders a certificate where there is none for these names, or a third of its life is left. What is served goes on
    /// being served until the new one is there.
    ///
    /// # Errors
    /// Why there is no new one.
    pub async fn renew_if_due(&self, now: Timestamp) -> Result<Renewal, TlsError> {
        let current = self.certificates.current();
        if current.is_some_and(|certificate| now < certificate.renewal()) {
            return Ok(Renewal::NotDue);
        }
        let (pem, certificate) = self.order(&self.settings.domains).await?;
        self.folder.keep_certificate(&pem)?;
        let until = certificate.end();
        self.certificates.replace(certificate);
        Ok(Renewal::Done { until })
    }

    /// The same for one name beside the server's own, with a certificate of its own: one name that cannot be proved takes
    /// none of the others with it. `host` is a host name, so it is a file name too.
    ///
    /// # Errors
    /// Why there is no new one.
    pub async fn renew_host_if_due(&self, host: &str, now: Timestamp) -> Result<Renewal, TlsError> {
        let current = match self.certificates.current_for(host) {
            None => match self.folder.certificate_of(host) {
                Ok(kept) => kept.inspect(|kept| self.certificates.replace_for(host, kept.clone())),
                // It is ordered again.
                Err(error) => {
                    tracing::warn!(%error, "the certificate of last time cannot be used");
                    None
                }
            },
            held => held,
        };
        if current.is_some_and(|certificate| now < certificate.renewal()) {
            return Ok(Renewal::NotDue);
        }
        let (pem, certificate) = self.order(&[host.to_owned()]).await?;
        self.folder.keep_certificate_of(host, &pem)?;
        let until = certificate.end();
        self.certificates.replace_for(host, certificate);
        Ok(Renewal::Done { until })
    }

    async fn order(&self, names: &[String]) -> Result<(String, Certificate), TlsError> {
        let _turn = self.turn.lock().await;
        let ordered = self.ordered(names).await;
        self.certificates.forget_proofs();
        let pem = ordered?;
        let certificate = Certificate::from_pem(pem.as_bytes(), pem.as_bytes())?;
        Ok((pem, certificate))
    }

    /// The key and the chain, in one text.
    async fn ordered(&self, names: &[String]) -> Result<String, TlsError> {
        let account = self.account().await?;
        let named = names.join(", ");
        let names: Vec<Identifier> = names.iter().cloned().map(Identifier::Dns).collect();
        let mut order = account.new_order(&NewOrder::new(&names)).await.map_err(|e| self.refused(e))?;
        self.prove(&mut order).await?;
        match order.poll_ready(&PATIENCE).await {
            Ok(OrderStatus::Ready | OrderStatus::Valid) => {}
            Ok(_) | Err(instant_acme::Error::Api(_)) => return Err(not_verified(&mut order, named).await),
            Err(error) => return Err(self.refused(error)),
        }
        let key = order.finalize().await.map_err(|e| self.refused(e))?;
        let chain = order.poll_certificate(&PATIENCE).await.map_err(|e| self.refused(e))?;
        Ok(format!("{key}{chain}"))
    }

    /// Puts what the directory wants to see where it looks, and tells it to look.
    async fn prove(&self, order: &mut Order) -> Result<(), TlsError> {
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(|e| self.refused(e))?;
            if authorization.status == AuthorizationStatus::Valid {
                continue;
            }
            let name = authorization.identifier().to_string();
            let kind = if self.settings.plain_http { ChallengeType::Http01 } else { ChallengeType::TlsAlpn01 };
            let over_http = self.settings.plain_http;
            let Some(mut challenge) = authorization.challenge(kind) else { return Err(TlsError::NoChallenge { name }) };
            let answer = challenge.key_authorization();
            if over_http {
                self.certificates.offer_answer(&challenge.token, answer.as_str());
            } else {
                self.certificates.offer_proof(&name, answer.digest().as_ref())?;
            }
            challenge.set_ready().await.map_err(|e| self.refused(e))?;
        }
        Ok(())
    }

    /// The account of last time, or a new one.
    async fn account(&self) -> Result<Account, TlsError> {
        let client = client::client(self.settings.root.as_deref())?;
        let builder = Account::builder_with_http(client);
        if let Some(credentials) = self.folder.account(&self.settings.directory)? {
            return builder.from_credentials(credentials).await.map_err(|e| self.refused(e));
        }
        let contact = self.settings.email.as_ref().map(|email| format!("mailto:{email}"));
        let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
        let new = NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) =
            builder.create(&new, self.settings.directory.clone(), None).await.map_err(|e| self.refused(e))?;
        self.folder.keep_account(&self.settings.directory, &credentials)?;
        Ok(account)
    }

    fn refused(&self, error: instant_acme::Error) -> TlsError {
        let directory = self.settings.directory.clone();
        match error {
            instant_acme::Error::Other(reason) => TlsError::Unreachable { directory, reason: reason.to_string() },
            error => TlsError::Directory { directory, reason: error.to_string() },
        }
    }
}

/// Which name it is, and what the directory met there.
async fn not_verified(order: &mut Order, named: String) -> TlsError {
    let mut authorizations = order.authorizations();
    while let Some(Ok(authorization)) = authorizations.next().await {
        if authorization.status == AuthorizationStatus::Valid {
            continue;
        }
        let met = authorization.challenges.iter().find_map(|challenge| challenge.error.as_ref());
        let reason = met.map_or_else(|| TlsProblem::NoReason.to_message(), |error| error.to_string().to_message());
        return TlsError::NotVerified { name: authorization.identifier().to_string(), reason };
    }
    TlsError::NotVerified { name: named, reason: TlsProblem::NoName.to_message() }
}
