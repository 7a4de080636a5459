//! Checks that everything a server needs is present and works: `shingle doctor` prints them, the health page shows them.

mod base_url;
mod machine;

use serde::Serialize;
use shingle_domain::roof::RoofMaterial;
use shingle_domain::{Environment, Tenant, Timestamp};
use shingle_property::PropertyIndex;
use shingle_property::index::DatasetStatus;

use self::base_url::SeenDate;
use self::machine::{disk_space, open_files, same_time};
use crate::file_owner::first_unwritable;
use crate::https::Https;
use crate::installation::Installation;
use crate::mail_failure::mail_failed;
use crate::operator_error::OperatorError;
use crate::runtime::Runtime;

pub const COPY_WITHOUT_LOG: &str = "the file shingle.db was last written by a server that did not stop, and shingle.db-wal is not \
     beside it: if it is a copy of a running server's file, its newest leads are missing. Copy all files shingle.db*, or \
     stop the server first";

#[derive(Debug, Clone, Serialize)]
pub struct CheckResult {
    pub check: &'static str,
    pub ok: bool,
    /// Nothing is broken, but somebody should know: mail that is off, a table past its date.
    pub look: bool,
    pub detail: String,
}

impl CheckResult {
    fn worth_a_look(self, look: bool) -> Self {
        Self { look: look && self.ok, ..self }
    }
}

/// All of them, one after the other; the server's page of its health runs them too.
pub async fn checks(context: &Installation) -> Vec<CheckResult> {
    let base_url = base_url::ask(context).await;
    // First: the next check that closes the database folds its log into the file.
    let newest_leads = newest_leads(context).await;
    vec![
        check("configuration", Ok(format!("data folder {folder}", folder = context.settings.data.display()))),
        check("secret", secret(context)),
        check("database", database(context).await),
        newest_leads,
        check("storage", storage(context).await),
        check("file owners", file_owners(context)),
        check("property index", index(context)),
        check("sample town", sample_town(context)),
        check("reference tables", tables(context)).worth_a_look(has_late_table(context)),
        check("prices", prices(context).await),
        check("clock", clock(context, base_url.date).await),
        check("open files", open_files()),
        check("disk space", disk_space(context)),
        check("browser runtime", runtime()),
        check("https", https(context)),
        check("base url", base_url.found).worth_a_look(context.settings.base_url.is_none()),
        check("outgoing requests", outgoing_requests(context)),
        check("mail", mail(context).await).worth_a_look(matches!(context.mailer(), Ok(None))),
    ]
}

fn check(check: &'static str, result: Result<String, OperatorError>) -> CheckResult {
    match result {
        Ok(detail) => CheckResult { check, ok: true, look: false, detail },
        Err(error) => CheckResult { check, ok: false, look: false, detail: error.to_string() },
    }
}

/// With this file and the database, every lead can be read; without it, none.
fn secret(context: &Installation) -> Result<String, OperatorError> {
    context.secret()?;
    let file = context.settings.secret_file();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&file).map_err(OperatorError::new)?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(OperatorError::new("Other users of this machine may read the secret file")
                .at(file.display())
                .fix(format!("chmod 600 {}", file.display())));
        }
    }
    let file = file.display();
    Ok(format!("{file}: without it nobody reads a lead, so keep a copy apart from the database's"))
}

async fn database(context: &Installation) -> Result<String, OperatorError> {
    let store = context.store().await?;
    store.check_writable().await?;
    let accounts = store.accounts().list().await?.len();
    store.close().await?;
    let kind = if context.database().starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
    Ok(format!("{kind}, {accounts} accounts"))
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
    let said = if lacks { COPY_WITHOUT_LOG } else { "the database has all that was written to it" };
    check("newest leads", Ok(said.into())).worth_a_look(lacks)
}

/// Writes a small file, reads it and deletes it.
async fn storage(context: &Installation) -> Result<String, OperatorError> {
    let blobs = context.blobs()?;
    let probe = b"shingle doctor".to_vec();
    let path = blobs.put_hashed("probe", "bin", probe.clone()).await?;
    let back = blobs.get(&path).await?.map(|blob| blob.bytes);
    blobs.delete(&path).await?;
    if back == Some(probe) {
        Ok(context.storage())
    } else {
        Err(OperatorError::new("The stored file could not be read back").at(context.storage()))
    }
}

/// Everything that a server of this user has to write.
fn file_owners(context: &Installation) -> Result<String, OperatorError> {
    let (data, property) = (&context.settings.data, context.settings.property());
    match [data, &property].into_iter().filter(|folder| folder.exists()).find_map(|folder| first_unwritable(folder)) {
        Some(path) => Err(OperatorError::new("This user may not write a file of the data folder")
            .at(path.display())
            .fix(format!("As root: chown -R USER {folder}", folder = data.display()))),
        None => Ok(format!("all of {folder} can be written", folder = data.display())),
    }
}

fn index(context: &Installation) -> Result<String, OperatorError> {
    let folder = context.settings.property();
    let status = PropertyIndex::open(&folder, context.reference()?)?.status();
    if let Some(problem) = status.problem {
        return Err(OperatorError::new(problem).at(folder.display()).fix("Import the data set again."));
    }
    if status.datasets.is_empty() {
        return Ok("empty, so no real address is found: import one with `shingle import FILE --map MAP.toml`".into());
    }
    let one = |d: &DatasetStatus| format!("{} {} places", d.name, d.places());
    Ok(status.datasets.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn sample_town(context: &Installation) -> Result<String, OperatorError> {
    shingle_property::sample_town::ensure(&context.sample_town())?;
    let status = PropertyIndex::open(&context.sample_town(), context.reference()?)?.status();
    let places: u64 = status.datasets.iter().map(DatasetStatus::places).sum();
    Ok(format!("{places} invented homes"))
}

/// A table past its date is reported and is no failure: everything still works.
fn tables(context: &Installation) -> Result<String, OperatorError> {
    let reference = context.reference()?;
    if let Some(problem) = reference.problems().first() {
        return Err(
            OperatorError::new(problem).fix("Correct the file and load it again, or run `shingle reference reset`.")
        );
    }
    let (tables, now) = (reference.tables(), context.clock.now());
    let loaded = tables.iter().filter(|t| t.file.is_some()).count();
    let due: Vec<_> = tables.iter().filter(|t| t.is_due(now)).map(|t| t.table.as_str()).collect();
    let (all, late) = (tables.len(), due.join(", "));
    Ok(if due.is_empty() {
        format!("{all} tables, {loaded} loaded here; none past its date")
    } else {
        format!("{all} tables, {loaded} loaded here; past their date: {late}")
    })
}

fn has_late_table(context: &Installation) -> bool {
    let now = context.clock.now();
    context.reference().is_ok_and(|reference| reference.tables().iter().any(|table| table.is_due(now)))
}

/// A widget without a price of its own shows the reference table's, which nobody at the company has seen.
async fn prices(context: &Installation) -> Result<String, OperatorError> {
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
        0 => format!("{widgets} widgets, each with a price of its own"),
        _ => {
            format!("{without} of {widgets} widgets show the reference table's ${asphalt} a square; set installedPrice")
        }
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
        file_time.map_err(|e| OperatorError::new(format!("Files cannot be written: {e}")).at(probe.display()))?;
    let file_time = file_time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_micros();
    let now = context.clock.now();
    same_time("the file system", Timestamp::from_micros(i64::try_from(file_time).unwrap_or(i64::MAX)), now)?;
    if let Some(seen) = at_base_url {
        same_time("the server at the base URL", seen.theirs, seen.ours)?;
    }
    // A missing database is reported by its own check.
    if let Ok(store) = context.store().await {
        let database = store.database_clock().await?;
        let now = context.clock.now();
        store.close().await?;
        if let Some(theirs) = database {
            same_time("the database server", theirs, now)?;
        }
    }
    Ok(now.to_string())
}

fn runtime() -> Result<String, OperatorError> {
    let runtime = Runtime::embedded().ok_or_else(|| {
        OperatorError::new("This binary was built without the browser runtime")
            .fix("Build it with `cargo xtask build`.")
    })?;
    Ok(format!("{bytes} bytes compressed", bytes = runtime.js.brotli.len() + runtime.wasm.brotli.len()))
}

/// Where webhooks and the check of a site may connect to.
fn outgoing_requests(context: &Installation) -> Result<String, OperatorError> {
    let policy = context.settings.egress();
    context.egress("doctor")?;
    let scheme = if policy.allow_http { "HTTPS and plain HTTP" } else { "HTTPS" };
    let nets = policy.allowed_networks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Ok(if nets.is_empty() {
        format!("{scheme} to public addresses")
    } else {
        format!("{scheme} to public addresses, and to {nets}")
    })
}

/// Whether the mail server would take mail from us.
async fn mail(context: &Installation) -> Result<String, OperatorError> {
    match context.mailer()? {
        None => Ok("off: nobody is notified of leads by mail until smtp_url and mail_from are set".into()),
        Some(mailer) => mailer.check().await.map_err(|failure| mail_failed(&failure)),
    }
}

fn https(context: &Installation) -> Result<String, OperatorError> {
    let settings = &context.settings;
    if let Some(https) = Https::of(settings)? {
        return https.check(context.clock.now());
    }
    if !settings.trusted_proxy.is_empty() {
        return Ok("TLS ends at a trusted proxy".into());
    }
    if settings.base_url.as_deref().is_some_and(|base| base.starts_with("https://")) {
        return Err(OperatorError::new(
            "The base URL is https, so a proxy ends TLS, but none is trusted: all its visitors would share one address",
        )
        .at("trusted_proxy")
        .fix("Name the proxy's network in trusted_proxy, or set acme_domains, or tls_cert and tls_key."));
    }
    if settings.listen.ip().is_loopback() {
        return Ok("not needed: listening on this machine only. Behind a proxy, set trusted_proxy".into());
    }
    Err(OperatorError::new("Visitors could only connect over plain HTTP, which the server refuses")
        .at(settings.listen)
        .fix("Set acme_domains, tls_cert and tls_key, or trusted_proxy."))
}

#[cfg(test)]
mod tests {
    use shingle_testing::smtp::{Behavior, SmtpServer, Step};

    use super::*;
    use crate::installation::SettingFlags;

    fn running<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(work)
    }

    fn checked(settings: &str) -> CheckResult {
        let folder = tempfile::tempdir().unwrap();
        let config = folder.path().join("shingle.toml");
        std::fs::write(&config, settings).unwrap();
        let context = Installation::read(Some(&config), SettingFlags::default()).unwrap();
        running(async { check("mail", mail(&context).await) })
    }

    #[test]
    fn what_is_off_is_neither_broken_nor_simply_well() {
        let folder = tempfile::tempdir().unwrap();
        let flags = SettingFlags { data: Some(folder.path().to_owned()), ..SettingFlags::default() };
        let context = Installation::read(None, flags).unwrap();
        let found = running(checks(&context));
        let of = |name: &str| found.iter().find(|found| found.check == name).unwrap();
        for name in ["mail", "base url"] {
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
        let checked = || check("secret", secret(&context));
        assert!(checked().ok, "{:?}", checked());
        std::fs::set_permissions(folder.path().join("secret"), std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(!checked().ok && checked().detail.contains("chmod 600"), "{:?}", checked());
    }

    #[test]
    fn a_proxy_that_nobody_trusts_is_told() {
        let checked = |settings: &str| {
            let folder = tempfile::tempdir().unwrap();
            let config = folder.path().join("shingle.toml");
            std::fs::write(&config, settings).unwrap();
            check("https", https(&Installation::read(Some(&config), SettingFlags::default()).unwrap()))
        };
        let untrusted = checked("base_url = 'https://roofs.example.com'");
        assert!(!untrusted.ok && untrusted.detail.contains("trusted_proxy"), "{untrusted:?}");
        assert!(checked("base_url = 'https://roofs.example.com'\ntrusted_proxy = '127.0.0.1'").ok);
        assert!(checked("").detail.contains("trusted_proxy"));
    }

    #[test]
    fn the_mail_server_is_asked_and_gets_no_mail() {
        let off = checked("");
        assert!(off.ok && off.detail.contains("smtp_url"), "{off:?}");

        let server = SmtpServer::start();
        let settings = format!("smtp_url = 'smtp://127.0.0.1:{}'\nmail_from = 'leads@example.com'", server.port());
        let answers = checked(&settings);
        assert!(answers.ok && answers.detail.contains("answers"), "{answers:?}");

        server.once(Step::Greeting, Behavior::reply("554 5.7.1 You are on a block list"));
        let refuses = checked(&settings);
        assert!(!refuses.ok && refuses.detail.contains("You are on a block list"), "{refuses:?}");
        assert!(server.mails().is_empty() && server.connections() == 2);
    }
}
