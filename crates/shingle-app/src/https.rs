//! HTTPS of this program itself: where the certificate comes from, and what keeps it valid.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use shingle_domain::message::ToMessage;
use shingle_domain::{Timestamp, messages};
use shingle_store::Clock;
use shingle_tls::{Acme, AcmeSettings, CertificateFiles, Certificates, LETS_ENCRYPT, Reload, Renewal, TlsError};
use tokio_rustls::TlsAcceptor;

use crate::config::Settings;
use crate::operator_error::OperatorError;
use crate::own_domains::OwnDomains;

/// How often the files are read.
const FILE_INTERVAL: Duration = Duration::from_secs(10);
/// How often it is asked whether a renewal is due.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(3_600);
/// How often the server's own certificate is looked for, before the first of a company's.
const FIRST_LOOK: Duration = Duration::from_millis(200);
/// How often new domains of companies are looked for.
const DOMAINS_INTERVAL: Duration = Duration::from_secs(10);
/// After a first failure; each further one waits three times as long. Directories allow few failures in an hour.
const FIRST_RETRY: Duration = Duration::from_secs(5 * 60);
const LAST_RETRY: Duration = Duration::from_secs(6 * 3_600);
const MICROS_OF_A_DAY: i64 = 86_400_000_000;
/// Before its end a certificate must have been replaced; days.
const LAST_DAYS: i64 = 14;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum CertificateState {
        Missing => "There is no certificate yet",
        Ended { date: String } => "The certificate ended on {date}",
        Ends { days: i64, date: String } => "The certificate ends in {days} {days|day|days}, on {date}",
        Valid { date: String } => "own certificate, valid until {date}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum CertificateFix {
        Start => "Start the server: it asks the directory for one, and its log says what stops it.",
        Replace => "Renew it and replace the files; a running server reads them by itself.",
        ReadLog => "Read in the server's log what stops its renewal.",
        Pem => "Both must be PEM files that this user may read, the certificate with its chain.",
    }
}

enum Source {
    Files(CertificateFiles),
    Acme(Acme),
}

pub struct Https {
    pub certificates: Arc<Certificates>,
    source: Source,
}

impl Https {
    /// `None` where something else ends TLS, or nothing does.
    ///
    /// # Errors
    /// Where files are named that hold no certificate and its key.
    pub fn of(settings: &Settings) -> Result<Option<Self>, OperatorError> {
        let certificates = Certificates::new();
        let source = match (&settings.tls_cert, &settings.tls_key) {
            (Some(certificate), Some(key)) => {
                let mut files = CertificateFiles::new(certificate, key);
                if let Reload::Changed(read) = files.reload().map_err(|e| file_error(&e))? {
                    certificates.replace(read);
                }
                Source::Files(files)
            }
            _ if settings.acme_domains.is_empty() => return Ok(None),
            _ => Source::Acme(
                Acme::new(acme(settings), certificates.clone()).map_err(|e| OperatorError::new(e).at("acme"))?,
            ),
        };
        Ok(Some(Self { certificates, source }))
    }

    pub fn acceptor(&self) -> Result<TlsAcceptor, OperatorError> {
        self.certificates.server_config().map(TlsAcceptor::from).map_err(OperatorError::new)
    }

    /// Goes on as long as the server runs. Nothing that goes wrong here ends what is served.
    pub async fn keep(self, clock: Arc<dyn Clock>, domains: Arc<OwnDomains>) {
        match self.source {
            Source::Files(files) => keep_files(files, &self.certificates).await,
            Source::Acme(acme) => {
                let own = keep_renewed(&acme, &self.certificates, clock.as_ref());
                let companies = keep_companies_renewed(&acme, &self.certificates, &domains, clock.as_ref());
                futures_util::future::join(own, companies).await;
            }
        }
    }

    /// How long the certificate is valid, or what is wrong with it.
    pub fn check(&self, now: Timestamp) -> Result<CertificateState, OperatorError> {
        let Some(certificate) = self.certificates.current() else {
            return Err(OperatorError::new(CertificateState::Missing).at("acme_domains").fix(CertificateFix::Start));
        };
        let (end, days) = (certificate.end(), (certificate.end().micros() - now.micros()).div_euclid(MICROS_OF_A_DAY));
        let fix = match self.source {
            Source::Files(_) => CertificateFix::Replace,
            Source::Acme(_) => CertificateFix::ReadLog,
        };
        let date = end.date().to_string();
        match days {
            ..0 => Err(OperatorError::new(CertificateState::Ended { date }).fix(fix)),
            0..LAST_DAYS => Err(OperatorError::new(CertificateState::Ends { days, date }).fix(fix)),
            _ => Ok(CertificateState::Valid { date }),
        }
    }
}

fn acme(settings: &Settings) -> AcmeSettings {
    AcmeSettings {
        directory: settings.acme_directory.clone().unwrap_or_else(|| LETS_ENCRYPT.to_owned()),
        root: settings.acme_root.clone(),
        email: settings.acme_email.clone(),
        domains: settings.acme_domains.clone(),
        folder: settings.data.join("acme"),
        plain_http: settings.http_listen.is_some(),
    }
}

fn file_error(error: &TlsError) -> OperatorError {
    OperatorError::new(error.to_message()).at("tls_cert, tls_key").fix(CertificateFix::Pem)
}

async fn keep_files(mut files: CertificateFiles, certificates: &Certificates) {
    let mut told = None;
    loop {
        tokio::time::sleep(FILE_INTERVAL).await;
        match files.reload() {
            Ok(Reload::Unchanged) => {}
            Ok(Reload::Changed(certificate)) => {
                tracing::info!("serving a new certificate, valid until {}", certificate.end());
                certificates.replace(certificate);
                told = None;
            }
            Err(error) => {
                let error = error.to_string();
                if told.as_ref() != Some(&error) {
                    tracing::warn!(error, "new certificate rejected; still serving the previous one");
                    told = Some(error);
                }
            }
        }
    }
}

async fn keep_renewed(acme: &Acme, certificates: &Certificates, clock: &dyn Clock) {
    let mut failures = 0;
    loop {
        if certificates.current().is_none() && failures == 0 {
            tracing::info!("asking for a certificate; until it is there nobody can connect");
        }
        let wait = match acme.renew_if_due(clock.now()).await {
            Ok(renewal) => {
                if let Renewal::Done { until } = renewal {
                    tracing::info!("serving a new certificate, valid until {until}");
                }
                failures = 0;
                RENEWAL_INTERVAL
            }
            Err(error) => {
                let wait = retry_after(failures);
                failures += 1;
                let until = certificates.current().map(|certificate| certificate.end().to_string());
                tracing::error!(%error, until, "there is no new certificate; it is tried again in {} minutes", wait.as_secs() / 60);
                wait
            }
        };
        tokio::time::sleep(wait).await;
    }
}

/// Companies' own domains, each with a certificate of its own.
async fn keep_companies_renewed(acme: &Acme, certificates: &Certificates, domains: &OwnDomains, clock: &dyn Clock) {
    let mut failed: HashMap<String, (u32, Timestamp)> = HashMap::new();
    // The server's own certificate comes first: without it nobody reaches anything.
    while certificates.current().is_none() {
        tokio::time::sleep(FIRST_LOOK).await;
    }
    loop {
        let hosts = domains.certified();
        failed.retain(|host, _| hosts.contains(host));
        for host in hosts {
            let now = clock.now();
            let (failures, next) = failed.get(&host).copied().unwrap_or((0, now));
            if now < next {
                continue;
            }
            match acme.renew_host_if_due(&host, now).await {
                Ok(renewal) => {
                    if let Renewal::Done { until } = renewal {
                        tracing::info!(host, "serving a new certificate, valid until {until}");
                    }
                    failed.remove(&host);
                }
                Err(error) => {
                    let wait = retry_after(failures);
                    let micros = i64::try_from(wait.as_micros()).unwrap_or(i64::MAX);
                    let next = Timestamp::from_micros(now.micros().saturating_add(micros));
                    failed.insert(host.clone(), (failures + 1, next));
                    tracing::error!(%error, host, "there is no certificate for a company's own domain; it is tried again in {} minutes", wait.as_secs() / 60);
                }
            }
        }
        tokio::time::sleep(DOMAINS_INTERVAL).await;
    }
}

fn retry_after(failures: u32) -> Duration {
    FIRST_RETRY.saturating_mul(3_u32.saturating_pow(failures)).min(LAST_RETRY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_tried_again_ever_later_and_never_too_often() {
        let minutes: Vec<u64> = (0..6).map(|n| retry_after(n).as_secs() / 60).collect();
        assert_eq!(minutes, [5, 15, 45, 135, 360, 360]);
        assert_eq!(retry_after(u32::MAX), LAST_RETRY);
    }

    #[test]
    fn the_end_of_a_certificate_is_told_before_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let key = rcgen::KeyPair::generate().unwrap();
        let mut params = rcgen::CertificateParams::new(["a.example.com".to_owned()]).unwrap();
        (params.not_before, params.not_after) = (rcgen::date_time_ymd(2026, 1, 1), rcgen::date_time_ymd(2026, 4, 1));
        std::fs::write(path("chain.pem"), params.self_signed(&key).unwrap().pem()).unwrap();
        std::fs::write(path("key.pem"), key.serialize_pem()).unwrap();
        let settings =
            Settings { tls_cert: Some(path("chain.pem")), tls_key: Some(path("key.pem")), ..Settings::default() };
        let https = Https::of(&settings).unwrap().unwrap();
        let end = https.certificates.current().unwrap().end().micros();
        let before =
            |days: i64| https.check(Timestamp::from_micros(end - days * MICROS_OF_A_DAY)).map_err(|e| e.to_string());
        assert_eq!(before(31).unwrap().to_string(), "own certificate, valid until 2026-04-01");
        assert!(before(7).unwrap_err().contains("ends in 7 days"));
        assert!(before(-1).unwrap_err().contains("ended on 2026-04-01"));
        std::fs::write(path("key.pem"), rcgen::KeyPair::generate().unwrap().serialize_pem()).unwrap();
        let error = Https::of(&settings).err().unwrap().to_string();
        assert!(error.contains("key.pem") && error.contains("tls_cert"), "{error}");

        let acme = Settings { acme_domains: vec!["a.example.com".into()], data: path("data"), ..Settings::default() };
        let none = Https::of(&acme).unwrap().unwrap().check(Timestamp::from_micros(0)).unwrap_err().to_string();
        assert!(none.contains("no certificate yet"), "{none}");
    }
}
