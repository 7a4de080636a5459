//! Settings: built-in values, then `shingle.toml`, then files that `SHINGLE_…_FILE` variables name, then `SHINGLE_…`
//! variables, then flags; later ones win.

pub mod api_key;
mod bucket;
mod limits;
mod source;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use ipnet::IpNet;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde::{Deserialize, Serialize};

use shingle_deliver::mail::{MailError, MailSettings};
use shingle_domain::{Email, messages};

use crate::answers::ReplyAddress;
use crate::operator_error::OperatorError;
use crate::secret_text::SecretText;
use crate::setting_values::{domains, networks, text_or_number};

use source::Sources;

pub(crate) use bucket::no_bucket_key;
pub use bucket::{BucketSettingFault, BucketSettingFix, S3Access};
pub use limits::LimitSettings;

/// The settings file, unless another one is named.
pub(crate) const USUAL_FILE: &str = "shingle.toml";

/// All settings. Paths are relative to the working folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Address and port to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The data folder.
    pub data: PathBuf,
    /// `sqlite://PATH` or `postgres://…`; a file in the data folder unless set.
    pub database: Option<String>,
    /// Where logos and photographs are stored: a folder, or `s3://BUCKET/FOLDER`; a folder in the data folder unless set.
    pub storage: Option<String>,
    /// The URL by which visitors' browsers reach this server; the listening address unless set.
    pub base_url: Option<String>,
    /// The folder of the property index; in the data folder unless set.
    pub property: Option<PathBuf>,
    /// Through which several servers share the homes: `s3://BUCKET/FOLDER`.
    pub property_bucket: Option<String>,
    /// A file with the installation's secret, the same on every node; created in the data folder unless set.
    pub secret_file: Option<PathBuf>,
    /// Networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.
    #[serde(deserialize_with = "networks")]
    pub trusted_proxy: Vec<IpNet>,
    /// Certificate chain and key (PEM), to serve HTTPS without a proxy.
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    /// What a certificate is fetched for from an ACME directory, and renewed: the domains by which visitors reach this
    /// server.
    #[serde(deserialize_with = "domains")]
    pub acme_domains: Vec<String>,
    /// Let's Encrypt unless set; for one of your own also its root certificates (PEM).
    pub acme_directory: Option<String>,
    pub acme_root: Option<PathBuf>,
    /// Who the directory notifies of problems.
    pub acme_email: Option<String>,
    /// Where plain HTTP is answered with the way to HTTPS, and the directory may ask for its proof: `0.0.0.0:80`.
    pub http_listen: Option<SocketAddr>,
    /// Private networks that outgoing requests (webhooks, the check of a site) may reach.
    #[serde(deserialize_with = "networks")]
    pub egress_allow: Vec<IpNet>,
    /// Whether outgoing requests may use plain HTTP; for development.
    pub egress_http: bool,
    /// Certificate authorities (PEM) that webhooks, the check of a site and mail trust besides the public ones.
    pub egress_ca_file: Option<PathBuf>,
    /// Seconds between the attempts of a delivery that fails.
    pub retry_seconds: Vec<u32>,
    /// The server that takes our mail: `smtps://user:password@host`, `smtp+starttls://…` or `smtp://…`. No mail goes out
    /// unless it is set.
    pub smtp_url: Option<SecretText>,
    /// Who our mail is from: `Shingle <leads@example.com>`, or the address alone.
    pub mail_from: Option<String>,
    /// Where homeowners' answers go: `reply@in.example.com`, of a mailbox or domain whose emails reach `shingle mail receive`, or
    /// are posted here. Answers go to the company's own address unless it is set.
    pub reply_address: Option<String>,
    /// Domains that companies may send from, besides that of `mail_from`.
    #[serde(deserialize_with = "domains")]
    pub sender_domains: Vec<String>,
    /// Name of the DKIM key in DNS, and the file with the private key (PEM).
    #[serde(deserialize_with = "text_or_number")]
    pub dkim_selector: Option<String>,
    pub dkim_key_file: Option<PathBuf>,
    /// Allows reading `/metrics` from elsewhere, sent as `Authorization: Bearer …`; at least 16 characters.
    pub metrics_key: Option<SecretText>,
    /// A collector of OpenTelemetry that gets a span for each request, over OTLP in HTTP: `http://127.0.0.1:4318`. Programs
    /// that are built with the feature `otel` have this. Which share of requests is traced, and with which headers spans
    /// are sent, is said by the usual variables `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG` and
    /// `OTEL_EXPORTER_OTLP_HEADERS`.
    pub otlp_url: Option<String>,
    /// What a look-up costs a prepaid account, in cents.
    pub lookup_cents: i64,
    /// What the log contains, in the syntax of `tracing`: `info`, `shingle_web=debug`.
    pub log: String,
    /// Of the files of one import that an operator uploads in the portal, in million bytes.
    pub max_import_megabytes: u32,
    /// How far an area may reach around a ZIP or a town, in miles.
    pub area_miles: u32,
    /// What locks the secret in backups; at least 12 characters. Needed to restore one.
    pub backup_passphrase: Option<SecretText>,
    /// A folder that a backup is taken into while the server runs; none are taken unless set.
    pub backup_folder: Option<PathBuf>,
    /// The same into a bucket: `s3://BUCKET/FOLDER`.
    pub backup_bucket: Option<String>,
    /// Hours from one backup to the next.
    pub backup_hours: u32,
    /// How many of them are kept.
    pub backups_kept: u32,
    /// The server of the bucket: `https://s3.example.com`; Amazon's unless set.
    pub s3_endpoint: Option<String>,
    /// `us-east-1` unless set.
    pub s3_region: Option<String>,
    /// What opens the bucket.
    pub s3_key: Option<SecretText>,
    pub s3_secret: Option<SecretText>,
    /// Whether the bucket is named by the path of a request and not by its host; so it is if `s3_endpoint` is set.
    pub s3_path_style: Option<bool>,
    pub limits: LimitSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: PathBuf::from("shingle-data"),
            database: None,
            storage: None,
            base_url: None,
            property: None,
            property_bucket: None,
            secret_file: None,
            trusted_proxy: Vec::new(),
            tls_cert: None,
            tls_key: None,
            acme_domains: Vec::new(),
            acme_directory: None,
            acme_root: None,
            acme_email: None,
            http_listen: None,
            egress_allow: Vec::new(),
            egress_http: false,
            egress_ca_file: None,
            retry_seconds: vec![5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400],
            smtp_url: None,
            mail_from: None,
            reply_address: None,
            sender_domains: Vec::new(),
            dkim_selector: None,
            dkim_key_file: None,
            metrics_key: None,
            otlp_url: None,
            lookup_cents: 10,
            log: "info".into(),
            max_import_megabytes: 2_000,
            area_miles: 60,
            backup_passphrase: None,
            backup_folder: None,
            backup_bucket: None,
            backup_hours: 24,
            backups_kept: 7,
            s3_endpoint: None,
            s3_region: None,
            s3_key: None,
            s3_secret: None,
            s3_path_style: None,
            limits: LimitSettings::default(),
        }
    }
}

impl Settings {
    /// Reads all sources. `flags` holds only what the command line names. The second part are variables that begin like a
    /// setting's but are not one.
    pub fn read(file: Option<&Path>, flags: impl Serialize) -> Result<(Self, Vec<String>), OperatorError> {
        if let Some(file) = file
            && !file.is_file()
        {
            return Err(OperatorError::new("The settings file does not exist")
                .at(file.display())
                .fix("Check the path after --config, or omit --config."));
        }
        let file = file.unwrap_or(Path::new(USUAL_FILE));
        let mut sources = Sources::<Self>::default();
        if file.exists() {
            sources.file(file)?;
        }
        sources.variables(std::env::vars_os())?;
        sources.flags(flags)?;
        let unknown = core::mem::take(&mut sources.unknown_variables);
        Ok((sources.settings()?.validated()?, unknown))
    }

    fn validated(self) -> Result<Self, OperatorError> {
        if let Some(base) = &self.base_url {
            let valid = url::Url::parse(base).is_ok_and(|u| {
                let is_plain = u.query().is_none() && u.fragment().is_none() && u.username().is_empty();
                matches!(u.scheme(), "http" | "https") && u.has_host() && is_plain && u.password().is_none()
            });
            if !valid {
                return Err(OperatorError::new("The base URL is not a web address")
                    .at(format!("base_url = {base:?}"))
                    .fix("Write it like https://roofs.example.com, without query or fragment."));
            }
            if url::Url::parse(base).is_ok_and(|url| url.path() != "/") {
                return Err(OperatorError::new("The base URL has a path, and pages of the server link to its root")
                    .at(format!("base_url = {base:?}"))
                    .fix("Give the server a name of its own, like https://roofs.example.com."));
            }
        }
        // An empty variable is how Compose files leave one out.
        if let Some(url) = self.otlp_url.as_ref().filter(|url| !url.is_empty()) {
            let valid = url::Url::parse(url).is_ok_and(|u| matches!(u.scheme(), "http" | "https") && u.has_host());
            if !valid {
                return Err(OperatorError::new("The collector's address is not a web address")
                    .at("otlp_url")
                    .fix("Write it like http://127.0.0.1:4318; /v1/traces is added to it."));
            }
        }
        if self.lookup_cents < 0 {
            return Err(OperatorError::new("The price of a look-up cannot be negative")
                .at(format!("lookup_cents = {}", self.lookup_cents))
                .fix("Use whole cents, 0 or more."));
        }
        if self.tls_cert.is_some() != self.tls_key.is_some() {
            return Err(OperatorError::new("A TLS certificate and its key must be set together")
                .at("tls_cert, tls_key")
                .fix("Set both, or neither."));
        }
        if self.tls_cert.is_some() && !self.acme_domains.is_empty() {
            return Err(OperatorError::new(
                "The certificate can come from files or from an ACME directory, not from both",
            )
            .at("tls_cert, acme_domains")
            .fix("Set one of them."));
        }
        if self.http_listen.is_some() && !self.has_own_https() {
            return Err(OperatorError::new("Plain HTTP leads to HTTPS, which is not set")
                .at("http_listen")
                .fix("Set acme_domains, or tls_cert and tls_key."));
        }
        if self.dkim_selector.is_some() != self.dkim_key_file.is_some() {
            return Err(OperatorError::new("The DKIM selector and its key must be set together")
                .at("dkim_selector, dkim_key_file")
                .fix("Set both, or neither."));
        }
        self.unsigned_mail()?;
        self.answers()?;
        self.buckets_are_whole()?;
        Ok(self)
    }

    /// As it may be shown: passwords in addresses are left out too.
    #[must_use]
    pub fn without_passwords(&self) -> Self {
        let shown = |address: &Option<String>| address.as_deref().map(shingle_store::redact_password);
        let otlp_url = shown(&self.otlp_url);
        Self { database: shown(&self.database), storage: shown(&self.storage), otlp_url, ..self.clone() }
    }

    pub fn property(&self) -> PathBuf {
        self.property.clone().unwrap_or_else(|| self.data.join("property"))
    }

    /// The folder of reference tables that replace the built-in ones.
    pub fn reference(&self) -> PathBuf {
        self.data.join("reference")
    }

    /// The folder of descriptions that replace those of the built-in sources.
    pub fn sources(&self) -> PathBuf {
        self.data.join("sources")
    }

    pub fn secret_file(&self) -> PathBuf {
        self.secret_file.clone().unwrap_or_else(|| self.data.join("secret"))
    }

    /// What browsers reach this server by, without a slash at the end.
    pub fn base_url(&self, listening: SocketAddr) -> String {
        // A browser cannot open "any address".
        let listening = match listening.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, listening.port())),
            IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, listening.port())),
            _ => listening,
        };
        let own = || match self.acme_domains.first() {
            Some(domain) if listening.port() == 443 => format!("https://{domain}"),
            Some(domain) => format!("https://{domain}:{}", listening.port()),
            None if self.has_own_https() => format!("https://{listening}"),
            // Browsers make passkeys for this name, and none for the number.
            None if listening.ip() == IpAddr::V4(Ipv4Addr::LOCALHOST) => {
                format!("http://localhost:{}", listening.port())
            }
            None => format!("http://{listening}"),
        };
        self.base_url.clone().unwrap_or_else(own).trim_end_matches('/').to_owned()
    }

    /// Whether this program itself ends TLS.
    pub fn has_own_https(&self) -> bool {
        self.tls_cert.is_some() || !self.acme_domains.is_empty()
    }

    /// Bytes of one import that is uploaded.
    pub fn max_import_bytes(&self) -> u64 {
        u64::from(self.max_import_megabytes) * 1_000_000
    }

    /// The operator's own certificate authorities.
    pub fn authorities(&self) -> Result<Vec<CertificateDer<'static>>, OperatorError> {
        // An empty variable is how Compose files leave one out.
        let Some(file) = self.egress_ca_file.as_ref().filter(|file| !file.as_os_str().is_empty()) else {
            return Ok(Vec::new());
        };
        let wrong = |what: SettingsFault| {
            OperatorError::new(what).at(format!("egress_ca_file = {}", file.display())).fix(SettingsFix::Authorities)
        };
        let read = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let found = read.map_err(|e| wrong(SettingsFault::Authorities { why: e.to_string() }))?;
        if found.is_empty() { Err(wrong(SettingsFault::NoCertificate)) } else { Ok(found) }
    }

    /// Where outgoing requests may connect to.
    pub fn egress(&self) -> shingle_deliver::EgressPolicy {
        shingle_deliver::EgressPolicy { allowed_networks: self.egress_allow.clone(), allow_http: self.egress_http }
    }

    /// How events are delivered.
    pub fn engine(&self) -> shingle_deliver::EngineSettings {
        shingle_deliver::EngineSettings {
            schedule: shingle_deliver::RetrySchedule::of_seconds(&self.retry_seconds),
            ..shingle_deliver::EngineSettings::default()
        }
    }

    /// How mail goes out, with the key that signs it; `None` when no mail is sent.
    pub fn mail(&self) -> Result<Option<MailSettings>, OperatorError> {
        let Some(mail) = self.unsigned_mail()? else { return Ok(None) };
        let mail = mail.with_roots(self.authorities()?);
        let (Some(selector), Some(file)) = (&self.dkim_selector, &self.dkim_key_file) else { return Ok(Some(mail)) };
        let key = std::fs::read_to_string(file).map_err(|e| {
            OperatorError::new(SettingsFault::DkimFile { why: e.to_string() })
                .at(format!("dkim_key_file = {}", file.display()))
                .fix(SettingsFix::Path)
        })?;
        mail.with_dkim(selector, &key).map(Some).map_err(mail_error)
    }

    fn unsigned_mail(&self) -> Result<Option<MailSettings>, OperatorError> {
        // An empty variable is how Compose files leave one out.
        let Some(url) = self.smtp_url.as_ref().filter(|url| !url.reveal().is_empty()) else { return Ok(None) };
        let Some(from) = &self.mail_from else {
            return Err(OperatorError::new(SettingsFault::NoSender).at("mail_from").fix(SettingsFix::SetSender));
        };
        MailSettings::new(url.reveal(), from).map(Some).map_err(mail_error)
    }

    /// Where answers of homeowners go, if they come here.
    pub fn answers(&self) -> Result<Option<ReplyAddress>, OperatorError> {
        // An empty variable is how Compose files leave one out.
        let Some(text) = self.reply_address.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
        ReplyAddress::parse(text).map(Some).ok_or_else(|| {
            OperatorError::new(SettingsFault::ReplyAddress)
                .at(format!("reply_address = {text:?}"))
                .fix(SettingsFix::ReplyAddress)
        })
    }

    /// The address of `mail_from`.
    pub fn own_sender(&self) -> Option<Email> {
        let text = self.mail_from.as_deref()?.trim();
        let bare = text.rsplit_once('<').map_or(text, |(_, address)| address.trim_end_matches('>'));
        Email::parse(bare.trim())
    }

    /// Whether emails may be from this address: the operator has set up its domain.
    pub fn may_send_as(&self, email: &Email) -> bool {
        let host = email.as_str().rsplit_once('@').map_or("", |(_, host)| host);
        self.sender_domains.iter().any(|domain| domain.eq_ignore_ascii_case(host))
    }

    pub fn trusts(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.trusted_proxy.iter().any(|net| net.contains(&peer))
    }
}

messages! {
    /// What is wrong with the settings of mail and certificates.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SettingsFault {
        Authorities { why: String } => "The certificate authorities cannot be read: {why}",
        NoCertificate => "The file holds no certificate",
        DkimFile { why: String } => "The DKIM key cannot be read: {why}",
        NoSender => "A mail server is set, but not who the emails are from",
        ReplyAddress => "The address for answers is not an email address, or too long",
        NoBackupPassphrase => "Backups are scheduled, and nothing locks the secret in them",
        BackupHours => "The time from one backup to the next is too short or too long",
        NoBackupKept => "Backups are scheduled, and none of them would be kept",
        Mail { why: MailError } => "Emails cannot be sent: {why}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SettingsFix {
        Authorities =>
            "Name a file with certificates in PEM (-----BEGIN CERTIFICATE-----) that this user may read.",
        Path => "Check the path, and that this user may read the file.",
        SetSender => "Set mail_from (SHINGLE_MAIL_FROM), like Shingle <leads@example.com>.",
        SmtpUrl => "Write it like smtps://user:password@smtp.example.com.",
        Sender => "Write it like Shingle <leads@example.com>.",
        ReplyAddress => "Write it like reply@in.example.com, with 21 characters at most before the @.",
        DkimSelector => "Use the name before `._domainkey` in DNS.",
        DkimKey => "Create a key with `openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048`.",
        Mail => "Check the settings of email.",
        BackupPassphrase =>
            "Set backup_passphrase (SHINGLE_BACKUP_PASSPHRASE), at least 12 characters, and keep it elsewhere too.",
        BackupHours { most: u32 } => "Set backup_hours to a number from 1 to {most}.",
        BackupsKept => "Set backups_kept to 1 or more.",
    }
}

/// Says which setting is wrong, without its value.
fn mail_error(why: MailError) -> OperatorError {
    let (setting, fix) = match &why {
        MailError::Url { .. } | MailError::UnencryptedPassword => ("smtp_url", SettingsFix::SmtpUrl),
        MailError::From | MailError::FromNotAscii => ("mail_from", SettingsFix::Sender),
        MailError::DkimSelector => ("dkim_selector", SettingsFix::DkimSelector),
        MailError::DkimKey { .. } => ("dkim_key_file", SettingsFix::DkimKey),
        _ => ("smtp_url", SettingsFix::Mail),
    };
    OperatorError::new(SettingsFault::Mail { why }).at(setting).fix(fix)
}

#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests {
    use super::*;

    fn from_file(text: &str) -> Result<Settings, OperatorError> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shingle.toml");
        std::fs::write(&file, text).unwrap();
        Settings::read(Some(&file), serde_json::json!({})).map(|(settings, _)| settings)
    }

    #[test]
    fn a_flag_overrides_the_file_and_the_file_overrides_the_default() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shingle.toml");
        std::fs::write(&file, "listen = '127.0.0.1:1'\nlog = 'debug'\n[limits]\nleads_per_visitor = 3").unwrap();
        let (settings, _) = Settings::read(Some(&file), serde_json::json!({"listen": "127.0.0.1:2"})).unwrap();
        assert_eq!(settings.listen.port(), 2);
        assert_eq!(settings.log, "debug");
        assert_eq!(settings.limits.leads_per_visitor, 3);
        assert_eq!(settings.limits.leads_per_widget, LimitSettings::default().leads_per_widget);
    }

    #[test]
    fn networks_are_read_from_a_list_and_from_one_line() {
        let list = from_file("trusted_proxy = ['10.0.0.0/8', '::1']").unwrap();
        let line = from_file("trusted_proxy = '10.0.0.0/8, ::1'").unwrap();
        assert_eq!(list.trusted_proxy, line.trusted_proxy);
        assert!(list.trusts("10.1.2.3".parse().unwrap()));
        assert!(!list.trusts("11.1.2.3".parse().unwrap()));
        assert!(list.trusts("::ffff:10.1.2.3".parse().unwrap()));
    }

    #[test]
    fn a_mistake_names_its_key() {
        for (text, key) in [
            ("listen = 'here'", "listen"),
            ("lissten = '127.0.0.1:1'", "lissten"),
            ("trusted_proxy = ['all']", "trusted_proxy"),
            ("[limits]\nleads_per_visitor = 'many'", "leads_per_visitor"),
            ("base_url = 'roofs'", "base_url"),
            ("base_url = 'https://example.com/roofs'", "base_url"),
            ("base_url = 'https://example.com/roofs/'", "base_url"),
            ("base_url = 'https://ann@example.com'", "base_url"),
            ("tls_cert = 'a.pem'", "tls_cert"),
            ("otlp_url = '127.0.0.1:4318'", "otlp_url"),
            ("smtp_url = 'smtp://127.0.0.1'", "mail_from"),
            ("smtp_url = 'smtp.example.com'\nmail_from = 'a@example.com'", "smtp_url"),
            ("smtp_url = 'smtp://127.0.0.1'\nmail_from = 'Shingle'", "mail_from"),
            ("dkim_selector = 's1'", "dkim_key_file"),
            ("reply_address = 'in.example.com'", "reply_address"),
            ("reply_address = 'replies-of-homeowners-@in.example.com'", "reply_address"),
            ("sender_domains = ['ann@oak.example']", "sender_domains"),
            ("acme_domains = ['*.example.com']", "acme_domains"),
            ("acme_domains = '203.0.113.7'", "acme_domains"),
            ("acme_domains = 'https://roofs.example.com'", "acme_domains"),
            ("acme_domains = 'roofs.example.com'\ntls_cert = 'a'\ntls_key = 'b'", "tls_cert, acme_domains"),
            ("http_listen = '0.0.0.0:80'", "http_listen"),
        ] {
            let problem = from_file(text).unwrap_err().to_string();
            assert!(problem.contains(key), "{problem}");
        }
    }

    #[test]
    fn the_base_url_is_the_listening_address_unless_set() {
        let at = SocketAddr::from(([127, 0, 0, 1], 4711));
        assert_eq!(Settings::default().base_url(at), "http://localhost:4711");
        for any in ["0.0.0.0:4711", "[::]:4711"] {
            assert_eq!(Settings::default().base_url(any.parse().unwrap()), "http://localhost:4711", "{any}");
        }
        let domains = from_file("acme_domains = 'Roofs.example.com, www.example.com'").unwrap();
        assert_eq!(domains.acme_domains, ["roofs.example.com", "www.example.com"]);
        assert_eq!(domains.base_url(at), "https://roofs.example.com:4711");
        assert_eq!(domains.base_url(SocketAddr::from(([0, 0, 0, 0], 443))), "https://roofs.example.com");
        let set = from_file("base_url = 'https://roofs.example.com/'").unwrap();
        assert_eq!(set.base_url(at), "https://roofs.example.com");
    }

    #[test]
    fn companies_send_from_the_domains_that_are_set_up() {
        let settings = from_file("sender_domains = 'Oak.example, elm.example'").unwrap();
        for (email, may) in [
            ("hello@oak.example", true),
            ("hello@ELM.example", true),
            ("hello@mail.oak.example", false),
            ("hello@notoak.example", false),
        ] {
            assert_eq!(settings.may_send_as(&Email::parse(email).unwrap()), may, "{email}");
        }
        assert!(from_file("reply_address = 'reply@in.example.com'").unwrap().answers().unwrap().is_some());
        assert!(from_file("reply_address = ''").unwrap().answers().unwrap().is_none());
    }

    #[test]
    fn mail_is_off_until_a_server_is_set() {
        assert!(Settings::default().mail().unwrap().is_none());
        assert!(from_file("mail_from = 'a@example.com'").unwrap().mail().unwrap().is_none());
        assert!(from_file("smtp_url = ''").unwrap().mail().unwrap().is_none());
        let on = from_file("smtp_url = 'smtp://127.0.0.1'\nmail_from = 'Oak, LLC <a@example.com>'").unwrap();
        assert!(on.mail().unwrap().is_some());
    }

    #[test]
    fn a_missing_key_names_its_file_and_a_selector_may_be_a_number() {
        let mail = "smtp_url = 'smtp://127.0.0.1'\nmail_from = 'a@example.com'\ndkim_key_file = 'no-such.pem'";
        let settings = from_file(&format!("{mail}\ndkim_selector = 20261122")).unwrap();
        assert_eq!(settings.dkim_selector.as_deref(), Some("20261122"));
        let problem = settings.mail().unwrap_err().to_string();
        assert!(problem.contains("no-such.pem"), "{problem}");
    }

    #[test]
    fn authorities_are_read_from_a_file_and_a_file_without_any_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let with = |text: &str| {
            let file = folder.path().join("ca.pem");
            std::fs::write(&file, text).unwrap();
            Settings { egress_ca_file: Some(file), ..Settings::default() }.authorities()
        };
        let pem = rcgen::generate_simple_self_signed(["ca.example".to_owned()]).unwrap().cert.pem();
        assert_eq!(with(&pem).unwrap().len(), 1);
        assert_eq!(with(&format!("A comment\n{pem}\n{pem}")).unwrap().len(), 2);
        assert!(Settings::default().authorities().unwrap().is_empty());
        for wrong in ["", "hello", "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----"] {
            let problem = with(wrong).unwrap_err().to_string();
            assert!(problem.contains("egress_ca_file") && problem.contains("PEM"), "{problem}");
        }
        let missing = Settings { egress_ca_file: Some("no-such.pem".into()), ..Settings::default() };
        assert!(missing.authorities().unwrap_err().to_string().contains("no-such.pem"));
    }

    #[test]
    fn the_mail_servers_password_is_shown_nowhere() {
        let text = "smtp_url = 'smtps://ann:hunter2@smtp.example.com'\nmail_from = 'a@example.com'";
        let settings = from_file(text).unwrap();
        let shown = format!("{settings:?} {} {:?}", serde_json::to_string(&settings).unwrap(), settings.mail());
        assert!(shown.contains("[secret]") && !shown.contains("hunter2"), "{shown}");
        for wrong in ["smtps://ann:hunter2/x@smtp.example.com", "http://ann:hunter2@smtp.example.com"] {
            let problem = from_file(&text.replace("smtps://ann:hunter2@smtp.example.com", wrong)).unwrap_err();
            assert!(!problem.to_string().contains("hunter2"), "{problem}");
        }
        let problem = from_file("smtp_url = ['smtps://ann:hunter2@smtp.example.com']").unwrap_err();
        assert!(!problem.to_string().contains("hunter2"), "{problem}");
    }
}
