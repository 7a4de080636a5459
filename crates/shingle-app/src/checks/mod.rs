//! Checks that everything a server needs is present and works: `shingle doctor` prints them, the health page shows them.
//!
//! # Decision
//!
//! An empty index is a problem once a widget of production is on, because its visitors find no home. Before, on a server that
//! only has the demo town, it is worth a look, and `shingle doctor` ends well. Turned down: a problem at once, which would
//! stop every script that sets a server up; a warning for ever, which nobody acts on while visitors leave.

mod areas;
mod backups;
mod base_url;
mod machine;
mod messages;

use std::fmt;

use serde::{Serialize, Serializer};
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::roof::RoofMaterial;
use shingle_domain::widget::WidgetStatus;
use shingle_domain::{Environment, Tenant, Timestamp};
use shingle_property::PropertyIndex;
use shingle_property::index::DatasetStatus;
use shingle_source::{ImagerySource, Source, SurveySource};

use self::areas::areas;
use self::backups::backups;
use self::base_url::SeenDate;
use self::machine::{disk_space, open_files, same_time};
pub use self::messages::{AreaTold, ClockOwner, DataSetSize, Fault, Finding, Fix, Scheme};
use crate::areas::Areas;
use crate::bucket::StoragePlace;
use crate::file_owner::first_unwritable;
use crate::https::Https;
use crate::installation::Installation;
use crate::mail_failure::mail_failed;
use crate::nodes::{Node, StorageLook};
use crate::operator_error::OperatorError;
use crate::runtime::Runtime;

#[derive(Debug, Clone, Serialize)]
pub struct CheckResult {
    pub check: &'static str,
    pub ok: bool,
    /// Nothing is broken, but somebody should know: mail that is off, a table past its date.
    pub look: bool,
    pub detail: Detail,
}

#[derive(Debug, Clone)]
pub enum Detail {
    Well(Message),
    Broken(OperatorError),
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Well(found) => found.fmt(f),
            Self::Broken(error) => error.fmt(f),
        }
    }
}

impl Serialize for Detail {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl CheckResult {
    pub fn new(check: &'static str, result: Result<impl ToMessage, OperatorError>) -> Self {
        let detail = result.map_or_else(Detail::Broken, |found| Detail::Well(found.to_message()));
        Self { check, ok: matches!(detail, Detail::Well(_)), look: false, detail }
    }

    fn worth_a_look(self, look: bool) -> Self {
        Self { look: look && self.ok, ..self }
    }
}

/// All of them, one after the other; the server's page of its health runs them too.
pub async fn checks(context: &Installation) -> Vec<CheckResult> {
    let base_url = base_url::ask(context).await;
    // First: the next check that closes the database folds its log into the file.
    let newest_leads = newest_leads(context).await;
    let areas = areas(context);
    let area_to_look_at = matches!(areas, Ok(Finding::AreasToLookAt { .. }));
    vec![
        CheckResult::new(
            "configuration",
            Ok(Finding::DataFolder { folder: context.settings.data.display().to_string() }),
        ),
        CheckResult::new("secret", secret(context)),
        CheckResult::new("database", database(context).await),
        newest_leads,
        CheckResult::new("storage", storage(context).await),
        CheckResult::new("file owners", file_owners(context)),
        CheckResult::new("property index", index(context).await).worth_a_look(has_no_homes(context)),
        CheckResult::new("sample town", sample_town(context)),
        CheckResult::new("reference tables", tables(context)).worth_a_look(has_late_table(context)),
        CheckResult::new("prices", prices(context).await),
        CheckResult::new("clock", clock(context, base_url.date).await),
        CheckResult::new("open files", open_files()),
        CheckResult::new("disk space", disk_space(context)),
        CheckResult::new("browser runtime", runtime()),
        CheckResult::new("https", https(context)),
        CheckResult::new("base url", base_url.found).worth_a_look(context.settings.base_url.is_none()),
        CheckResult::new("outgoing requests", outgoing_requests(context)),
        CheckResult::new("map sources", map_sources(context)),
        CheckResult::new("areas", areas).worth_a_look(area_to_look_at),
        CheckResult::new("backups", backups(context).await).worth_a_look(!context.settings.has_backup_schedule()),
        CheckResult::new("email", mail(context).await).worth_a_look(matches!(context.mailer(), Ok(None))),
    ]
}

/// Container engines put secrets there, readable by every user of the container. It has one user, who may not be the owner.
#[cfg(unix)]
fn is_handed_over(file: &std::path::Path) -> bool {
    file.starts_with("/run/secrets")
}

/// With this file and the database, every lead can be read; without it, none.
fn secret(context: &Installation) -> Result<Finding, OperatorError> {
    context.secret()?;
    let file = context.settings.secret_file();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&file).map_err(OperatorError::text)?.permissions().mode();
        if mode & 0o077 != 0 && !is_handed_over(&file) {
            return Err(OperatorError::new(Fault::ReadableSecret)
                .at(file.display())
                .fix(Fix::OwnFile { file: file.display().to_string() }));
        }
    }
    Ok(Finding::SecretKept { file: file.display().to_string() })
}

async fn database(context: &Installation) -> Result<Finding, OperatorError> {
    let store = context.store().await?;
    store.check_writable().await?;
    let accounts = store.accounts().list().await?.len();
    store.close().await?;
    let kind = if context.database().starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
    Ok(Finding::Database { kind, accounts })
}

/// For somebody who has put back a copy.
async fn newest_leads(context: &Installation) -> CheckResult {
    let asked = async {
        let store = context.store().await?;
        let lacks = store.may_lack_its_newest_rows().await?;
        store.close().await?;
        Ok::<_, OperatorError>(lacks)
    };
    let lacks = asked.await.unwrap_or(false);
    let said = if lacks { Finding::CopyWithoutLog } else { Finding::HasNewestLeads };
    CheckResult::new("newest leads", Ok(said)).worth_a_look(lacks)
}

/// Writes a small file, reads it and deletes it.
async fn storage(context: &Installation) -> Result<String, OperatorError> {
    let place = StoragePlace::of(&context.settings)?;
    let blobs = place.open(&context.settings)?;
    let probe = b"shingle doctor".to_vec();
    let tried = async {
        let path = blobs.put_hashed("probe", "bin", probe.clone()).await?;
        let back = blobs.get(&path).await?.map(|blob| blob.bytes);
        blobs.delete(&path).await?;
        Ok(back)
    };
    let back = tried.await.map_err(|error| place.refused(error))?;
    if back != Some(probe) {
        return Err(OperatorError::new(Fault::FileNotRead).at(place));
    }
    // A database that cannot be read has a check of its own.
    if let Ok(store) = context.store().await {
        let node = Node::new(&context.secret()?).map_err(OperatorError::text)?;
        let looked = node.look_at_storage(&store, &blobs, place.folder().is_some()).await;
        store.close().await?;
        match looked {
            Err(StorageLook::Wrong(fault)) => return Err(fault.error().at(place)),
            Err(StorageLook::Unread(error)) => return Err(place.refused(error)),
            Ok(()) => {}
        }
    }
    Ok(place.to_string())
}

/// Everything that a server of this user has to write.
fn file_owners(context: &Installation) -> Result<Finding, OperatorError> {
    let (data, property) = (&context.settings.data, context.settings.property());
    let folder = data.display().to_string();
    match [data, &property].into_iter().filter(|folder| folder.exists()).find_map(|folder| first_unwritable(folder)) {
        Some(path) => Err(OperatorError::new(Fault::NotWritable).at(path.display()).fix(Fix::OwnFolder { folder })),
        None => Ok(Finding::Writable { folder }),
    }
}

async fn index(context: &Installation) -> Result<Finding, OperatorError> {
    let folder = context.settings.property();
    let status = PropertyIndex::open(&folder, context.reference()?)?.status();
    if let Some(problem) = status.problem {
        return Err(OperatorError::new(problem).at(folder.display()).fix(Fix::ImportAgain));
    }
    if status.datasets.is_empty() {
        return match has_visitors(context).await {
            Ok(true) => Err(OperatorError::new(Fault::NoHomes).at(folder.display()).fix(Fix::LoadHomes)),
            // A database that cannot be read has a check of its own.
            _ => Ok(Finding::NoIndex),
        };
    }
    let one = |d: &DatasetStatus| DataSetSize::Places { name: d.name.clone(), places: d.places() };
    Ok(Finding::Index { data_sets: status.datasets.iter().map(one).collect() })
}

/// Whether a widget is on that looks homes up in the index.
async fn has_visitors(context: &Installation) -> Result<bool, OperatorError> {
    let store = context.store().await?;
    let mut is_on = false;
    for account in store.accounts().list().await? {
        let tenant = Tenant { account: account.id, environment: Environment::Production };
        let widgets = store.widgets().list(&tenant).await?;
        is_on |= widgets.iter().any(|stored| stored.widget.status == WidgetStatus::Active);
    }
    store.close().await?;
    Ok(is_on)
}

/// Everything works, and every visitor is told that their address was not found.
fn has_no_homes(context: &Installation) -> bool {
    let opened = context.reference().and_then(|of| Ok(PropertyIndex::open(&context.settings.property(), of)?));
    opened.is_ok_and(|index| index.is_empty())
}

fn sample_town(context: &Installation) -> Result<Finding, OperatorError> {
    shingle_property::sample_town::ensure(&context.sample_town())?;
    let status = PropertyIndex::open(&context.sample_town(), context.reference()?)?.status();
    let homes: u64 = status.datasets.iter().map(DatasetStatus::places).sum();
    Ok(Finding::Town { homes })
}

/// A table past its date is reported and is no failure: everything still works.
fn tables(context: &Installation) -> Result<Finding, OperatorError> {
    let reference = context.reference()?;
    if let Some(problem) = reference.problems().first() {
        return Err(OperatorError::text(problem).fix(Fix::LoadTable));
    }
    let (tables, now) = (reference.tables(), context.clock.now());
    let loaded = tables.iter().filter(|t| t.file.is_some()).count();
    let late: Vec<_> = tables.iter().filter(|t| t.is_due(now)).map(|t| t.table.as_str()).collect();
    let all = tables.len();
    Ok(if late.is_empty() { Finding::Tables { all, loaded } } else { Finding::LateTables { all, loaded, late } })
}

fn has_late_table(context: &Installation) -> bool {
    let now = context.clock.now();
    context.reference().is_ok_and(|reference| reference.tables().iter().any(|table| table.is_due(now)))
}

/// A widget without a price of its own shows the reference table's, which nobody at the company has seen.
async fn prices(context: &Installation) -> Result<Finding, OperatorError> {
    let store = context.store().await?;
    let (mut widgets, mut without) = (0, 0);
    for account in store.accounts().list().await? {
        for environment in [Environment::Production, Environment::Sandbox] {
            let stored = store.widgets().list(&Tenant { account: account.id, environment }).await?;
            widgets += stored.len();
            without += stored.iter().filter(|stored| stored.widget.installed_price.is_none()).count();
        }
    }
    store.close().await?;
    let asphalt = context.reference()?.roof_prices().price(RoofMaterial::AsphaltShingle);
    Ok(match without {
        0 => Finding::OwnPrices { widgets },
        _ => Finding::ReferencePrices { without, widgets, asphalt: asphalt.to_string() },
    })
}

/// Compares the clock with the time stamp of a new file, with the database server's clock, and with the clock of the
/// server that answers at the base URL.
async fn clock(context: &Installation, at_base_url: Option<SeenDate>) -> Result<String, OperatorError> {
    let probe = context.settings.data.join(format!(".clock-{}", std::process::id()));
    let file_time = std::fs::create_dir_all(&context.settings.data)
        .and_then(|()| std::fs::write(&probe, b""))
        .and_then(|()| std::fs::metadata(&probe)?.modified());
    let _ = std::fs::remove_file(&probe);
    let file_time =
        file_time.map_err(|e| OperatorError::new(Fault::ClockFile { why: e.to_string() }).at(probe.display()))?;
    let file_time = file_time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_micros();
    let now = context.clock.now();
    same_time(ClockOwner::Files, Timestamp::from_micros(i64::try_from(file_time).unwrap_or(i64::MAX)), now)?;
    if let Some(seen) = at_base_url {
        same_time(ClockOwner::BaseUrl, seen.theirs, seen.ours)?;
    }
    // A missing database is reported by its own check.
    if let Ok(store) = context.store().await {
        let database = store.database_clock().await?;
        let now = context.clock.now();
        store.close().await?;
        if let Some(theirs) = database {
            same_time(ClockOwner::Database, theirs, now)?;
        }
    }
    Ok(now.to_string())
}

fn runtime() -> Result<Finding, OperatorError> {
    let runtime = Runtime::embedded().ok_or_else(|| OperatorError::new(Fault::NoRuntime).fix(Fix::Build))?;
    Ok(Finding::Runtime { bytes: runtime.js.brotli.len() + runtime.wasm.brotli.len() })
}

/// Where webhooks and the check of a site may connect to.
fn outgoing_requests(context: &Installation) -> Result<Finding, OperatorError> {
    let policy = context.settings.egress();
    context.egress("doctor")?;
    let scheme = if policy.allow_http { Scheme::Both } else { Scheme::Https };
    let networks: Vec<_> = policy.allowed_networks.iter().map(ToString::to_string).collect();
    Ok(match networks.is_empty() {
        true => Finding::Requests { scheme },
        false => Finding::RequestsAlsoTo { scheme, networks },
    })
}

/// The servers that are asked for areas, for the administrator's list of what this machine may reach. This asks none of them.
fn map_sources(context: &Installation) -> Result<Finding, OperatorError> {
    let mut hosts = Vec::new();
    for name in Source::names() {
        hosts.extend(Source::open(name, &context.settings.sources()).map_err(OperatorError::new)?.hosts());
    }
    let areas = Areas::open(context)?;
    let list = areas.list();
    if list.iter().any(|area| area.extras.survey) {
        let survey = SurveySource::open(SurveySource::NATIONAL, &context.settings.sources());
        hosts.extend(survey.map_err(OperatorError::new)?.hosts());
    }
    if list.iter().any(|area| area.extras.photos) {
        let imagery = ImagerySource::open(ImagerySource::NATIONAL, &context.settings.sources());
        hosts.extend(imagery.map_err(OperatorError::new)?.hosts());
    }
    let is_monthly = areas.monthly();
    Ok(match hosts.is_empty() {
        true => Finding::SourceFolders,
        false if is_monthly => Finding::SourceHostsMonthly { hosts },
        false => Finding::SourceHosts { hosts },
    })
}

/// Whether the mail server would take mail from us.
async fn mail(context: &Installation) -> Result<Message, OperatorError> {
    match context.mailer()? {
        None => Ok(Finding::NoMail.to_message()),
        Some(mailer) => {
            let answer = mailer.check().await.map_err(|failure| mail_failed(&failure))?;
            Ok(answer.to_message())
        }
    }
}

fn https(context: &Installation) -> Result<Message, OperatorError> {
    let settings = &context.settings;
    if let Some(https) = Https::of(settings)? {
        return https.check(context.clock.now()).map(|state| state.to_message());
    }
    if !settings.trusted_proxy.is_empty() {
        return Ok(Finding::TrustedProxy.to_message());
    }
    if settings.base_url.as_deref().is_some_and(|base| base.starts_with("https://")) {
        return Err(OperatorError::new(Fault::UntrustedProxy).at("trusted_proxy").fix(Fix::TrustProxy));
    }
    if settings.listen.ip().is_loopback() {
        return Ok(Finding::OnlyHere.to_message());
    }
    Err(OperatorError::new(Fault::PlainOnly).at(settings.listen).fix(Fix::EndTls))
}

#[cfg(test)]
mod tests {
    use shingle_testing::smtp::{Behavior, SmtpServer, Step};

    use super::*;
    use crate::installation::SettingFlags;

    #[cfg(unix)]
    #[test]
    fn only_a_secret_of_a_container_engine_may_be_readable_by_all() {
        let all = ["/run/secrets/shingle", "/run/secretsome", "/var/lib/shingle/secret"];
        assert_eq!(all.map(|file| is_handed_over(file.as_ref())), [true, false, false]);
    }

    fn running<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
    }

    fn checked(settings: &str) -> CheckResult {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("shingle.toml");
        std::fs::write(&config, settings).unwrap();
        let context = Installation::read(Some(&config), SettingFlags::default()).unwrap();
        running(async { CheckResult::new("mail", mail(&context).await) })
    }

    #[test]
    fn what_is_off_is_neither_broken_nor_simply_well() {
        let folder = tempfile::tempdir().unwrap();
        let flags = SettingFlags { data: Some(folder.path().to_owned()), ..SettingFlags::default() };
        let context = Installation::read(None, flags).unwrap();
        let found = running(checks(&context));
        let of = |name: &str| found.iter().find(|found| found.check == name).unwrap();
        for name in ["email", "base url"] {
            assert!(of(name).ok && of(name).look, "{:?}", of(name));
        }
        assert!(of("secret").ok && !of("secret").look);
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_that_others_may_read_is_told() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let flags = SettingFlags { data: Some(folder.path().to_owned()), ..SettingFlags::default() };
        let context = Installation::read(None, flags).unwrap();
        let checked = || CheckResult::new("secret", secret(&context));
        assert!(checked().ok, "{:?}", checked());
        std::fs::set_permissions(folder.path().join("secret"), std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(!checked().ok && checked().detail.to_string().contains("chmod 600"), "{:?}", checked());
    }

    #[test]
    fn a_proxy_that_nobody_trusts_is_told() {
        let checked = |settings: &str| {
            let folder = tempfile::tempdir().unwrap();
            let config = folder.path().join("shingle.toml");
            std::fs::write(&config, settings).unwrap();
            CheckResult::new("https", https(&Installation::read(Some(&config), SettingFlags::default()).unwrap()))
        };
        let untrusted = checked("base_url = 'https://roofs.example.com'");
        assert!(!untrusted.ok && untrusted.detail.to_string().contains("trusted_proxy"), "{untrusted:?}");
        assert!(checked("base_url = 'https://roofs.example.com'\ntrusted_proxy = '127.0.0.1'").ok);
        assert!(checked("").detail.to_string().contains("trusted_proxy"));
    }

    #[test]
    fn the_mail_server_is_asked_and_gets_no_mail() {
        let off = checked("");
        assert!(off.ok && off.detail.to_string().contains("smtp_url"), "{off:?}");

        let server = SmtpServer::start();
        let settings = format!("smtp_url = 'smtp://127.0.0.1:{}'\nmail_from = 'leads@example.com'", server.port());
        let answers = checked(&settings);
        assert!(answers.ok && answers.detail.to_string().contains("answers"), "{answers:?}");

        server.once(Step::Greeting, Behavior::reply("554 5.7.1 You are on a block list"));
        let refuses = checked(&settings);
        assert!(!refuses.ok && refuses.detail.to_string().contains("You are on a block list"), "{refuses:?}");
        assert!(server.mails().is_empty() && server.connections() == 2);
    }
}
