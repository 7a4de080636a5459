//! `shingle person …`: exports or erases what is stored about a homeowner.

use clap::{Args, Subcommand};
use serde::Serialize;
use shingle_domain::rules::{email, phone};
use shingle_domain::{AccountId, Email, Environment, LeadId, Phone, Tenant};
use shingle_store::{Person as WhoseData, PersonRecord, Store};

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;
use shingle_app::photos;

#[derive(Debug, Subcommand)]
pub enum Person {
    /// Print everything that is stored of a person, as JSON
    Export {
        #[command(flatten)]
        whose: Whose,
    },
    /// Erase every lead of a person. Without --yes it only shows them
    Erase {
        #[command(flatten)]
        whose: Whose,
        /// Erase them. This cannot be undone
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
#[group(skip)]
pub struct Whose {
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// Leads with this email address
    #[arg(long, value_parser = read_email, required_unless_present = "phone")]
    email: Option<Email>,
    /// Leads with this phone number
    #[arg(long, value_parser = read_phone)]
    phone: Option<Phone>,
}

pub(super) fn read_email(text: &str) -> Result<Email, String> {
    email(text).map_err(|_| "an email address, such as ann@example.com".to_owned())
}

fn read_phone(text: &str) -> Result<Phone, String> {
    phone(text).ok().flatten().ok_or_else(|| "ten digits, such as (207) 555-0143".to_owned())
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Erased {
    erased: bool,
    leads: Vec<LeadId>,
}

impl Person {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let store = context.store().await?;
            let (Self::Export { whose } | Self::Erase { whose, .. }) = &self;
            if store.accounts().find(whose.account).await?.is_none() {
                return Err(unknown_account(whose.account));
            }
            let records = whose.records(&store).await?;
            match &self {
                Self::Export { .. } => {
                    let json = serde_json::to_string_pretty(&records)
                        .map_err(|e| OperatorError::new(format!("The data cannot be written as JSON: {e}")))?;
                    output.print_text(&json)?;
                }
                Self::Erase { whose, yes } => {
                    if *yes {
                        whose.erase(&store).await?;
                        photos::delete_removed(&store, &context.blobs()?).await?;
                    }
                    let leads = records.iter().map(|record| record.lead.id).collect();
                    output.print(&Erased { erased: *yes, leads }, |_| erasure_text(&records, *yes))?;
                }
            }
            Ok(store.close().await?)
        })
    }
}

impl Whose {
    fn tenants(&self) -> [Tenant; 2] {
        [Environment::Production, Environment::Sandbox].map(|environment| Tenant { account: self.account, environment })
    }

    fn person(&self) -> WhoseData {
        WhoseData { email: self.email.clone(), phone: self.phone.clone() }
    }

    async fn records(&self, store: &Store) -> Result<Vec<PersonRecord>, OperatorError> {
        let mut records = Vec::new();
        for tenant in self.tenants() {
            records.extend(store.leads().export_person(&tenant, &self.person()).await?);
        }
        Ok(records)
    }

    async fn erase(&self, store: &Store) -> Result<(), OperatorError> {
        for tenant in self.tenants() {
            store.leads().erase_person(&tenant, &self.person()).await?;
        }
        Ok(())
    }
}

fn erasure_text(records: &[PersonRecord], erased: bool) -> String {
    if records.is_empty() {
        return "No lead has this email address or phone number.".to_owned();
    }
    let rows: Vec<_> = records
        .iter()
        .map(|PersonRecord { lead, recipients, .. }| {
            let sent = recipients.iter().map(|to| to.name.as_str()).collect::<Vec<_>>().join(", ");
            let name = format!("{} {}", lead.first_name, lead.last_name);
            [lead.created_at.to_string(), name, lead.address.clone(), lead.id.to_string(), sent]
        })
        .collect();
    let list = table(["RECEIVED", "NAME", "ADDRESS", "LEAD", "SENT TO"], &rows);
    if erased {
        format!("{list}\nThese leads are erased. What was sent elsewhere is to be erased there.")
    } else {
        format!("{list}\nNothing is erased yet. Add --yes to erase these leads for good.")
    }
}
