//! `shingle consent …`: evidence of consent, certified and checked.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use shingle_consent::{CertificateKey, ConsentCertificate, Fault};
use shingle_domain::{AccountId, LeadId};
use shingle_store::ConsentCheck;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use shingle_app::consent_page::consent_page;
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Consent {
    /// Check a certificate, without database and network. Each changed byte is found and named
    Verify {
        /// The certificate as JSON
        file: PathBuf,
        /// The public key of the installation that it must come from; `shingle consent key` prints it there
        #[arg(long, value_name = "HEX")]
        key: Option<CertificateKey>,
    },
    /// Check all consents of an account in the database: that none was changed or removed
    Check {
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
    /// Print the public key of this installation's certificates
    Key,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Verified {
    genuine: bool,
    consents: usize,
    key: CertificateKeyText,
    faults: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct CertificateKeyText(String);

impl Consent {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        match self {
            Self::Verify { file, key } => verify(output, &file, key),
            Self::Check { account } => check(global, output, account),
            Self::Key => {
                let context = global.installation(SettingFlags::default())?;
                block_on(async {
                    let store = context.store().await?;
                    let key = CertificateKeyText(store.consents().certificate_key().to_string());
                    output.print(&key, |key| key.0.clone())?;
                    Ok(store.close().await?)
                })
            }
        }
    }
}

fn verify(output: Output, file: &Path, expected: Option<CertificateKey>) -> Result<(), OperatorError> {
    let bytes = std::fs::read(file)
        .map_err(|e| OperatorError::new(format!("The certificate cannot be read: {e}")).at(file.display()))?;
    let certificate = ConsentCertificate::parse(&bytes).map_err(|e| {
        OperatorError::new(format!("The certificate is not genuine: {e}"))
            .at(file.display())
            .fix("Give the JSON of `shingle lead consent ID --json` or of the API, as it was sent.")
    })?;
    let faults = certificate.faults(expected);
    refuse(&faults, "The certificate is not genuine", file.display())?;
    let verified = Verified {
        genuine: true,
        consents: certificate.consents.len(),
        key: CertificateKeyText(certificate.key.to_string()),
        faults: Vec::new(),
    };
    output.print(&verified, |of| {
        let signer = if expected.is_some() {
            "It comes from the installation with the given key.".to_owned()
        } else {
            format!("The owner of this key signed it: {}. Compare it with `shingle consent key` there.", of.key.0)
        };
        format!(
            "Nothing of this certificate was changed since it was signed ({} of consent in it).\n{signer}",
            count(of.consents, "record")
        )
    })
}

fn check(global: &GlobalArgs, output: Output, account: AccountId) -> Result<(), OperatorError> {
    let context = global.installation(SettingFlags::default())?;
    block_on(async {
        let store = context.store().await?;
        if store.accounts().find(account).await?.is_none() {
            return Err(unknown_account(account));
        }
        let check = store.consents().check(account).await?;
        store.close().await?;
        refuse(&check.faults, "The consents are not as they were recorded", account)?;
        output.print(&check, check_text)
    })
}

fn check_text(check: &ConsentCheck) -> String {
    let ConsentCheck { consents, erased, .. } = check;
    let mut text = format!("{consents} consents are as they were recorded, none is missing.");
    if *erased > 0 {
        text.push_str(&format!(" {erased} of them belong to leads that were erased: only their places are left."));
    }
    text
}

fn refuse(faults: &[Fault], what: &str, at: impl std::fmt::Display) -> Result<(), OperatorError> {
    const SHOWN: usize = 20;
    if faults.is_empty() {
        return Ok(());
    }
    let mut told: Vec<String> = faults.iter().take(SHOWN).map(ToString::to_string).collect();
    if faults.len() > SHOWN {
        told.push(format!("and {} more", faults.len() - SHOWN));
    }
    Err(OperatorError::new(format!("{what}: {}", told.join("; "))).at(at))
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `shingle lead consent`
pub(super) fn certify(
    global: &GlobalArgs,
    output: Output,
    id: LeadId,
    page: Option<&Path>,
) -> Result<(), OperatorError> {
    let context = global.installation(SettingFlags::default())?;
    let certificate = block_on(async {
        let store = context.store().await?;
        let Some(tenant) = store.leads().tenant_of(id).await? else {
            return Err(OperatorError::new("There is no such lead, or it was erased")
                .at(id)
                .fix("`shingle lead list --account ID` shows all leads."));
        };
        let certificate = store.consents().certificate(&tenant, id).await?;
        store.close().await?;
        Ok(certificate)
    })?;
    let Some(file) = page else { return output.print(&certificate, certificate_text) };
    std::fs::write(file, consent_page(&certificate, None))
        .map_err(|e| OperatorError::new(format!("The page cannot be written: {e}")).at(file.display()))?;
    output.print(&file.display().to_string(), |file| {
        format!("The certificate is in {file}. Open it in a browser to print it.")
    })
}

fn certificate_text(certificate: &ConsentCertificate) -> String {
    let lines = certificate.consents.iter().flat_map(|consent| {
        let of = &consent.evidence;
        let known = |text: &Option<String>| text.clone().unwrap_or_else(|| "not recorded".to_owned());
        [
            format!("consent {}  {}", consent.place.sequence, if of.given { "given" } else { "not given" }),
            format!("  when     {}", of.at),
            format!("  text     {}", of.text),
            format!("  email    {}", known(&of.email)),
            format!("  phone    {}", known(&of.phone)),
            format!("  page     {}", known(&of.page_url)),
            format!("  network  {}", known(&of.ip)),
            format!("  browser  {}", known(&of.user_agent)),
        ]
    });
    let mut lines: Vec<_> = lines.collect();
    lines.push("The certificate itself: the same command with --json. To print it: --page FILE".to_owned());
    lines.join("\n")
}
