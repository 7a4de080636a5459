//! `shingle lead …`

use std::path::PathBuf;

use clap::Subcommand;
use shingle_domain::lead::Lead as LeadRecord;
use shingle_domain::{AccountId, Environment, Language, LeadId, Tenant};
use shingle_store::{LeadFilter, RepeatedAddress, Store, StoreError};

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::consent;
use super::output::{Output, TableParts, table};
use shingle_app::installation::SettingFlags;
use shingle_app::lead_csv::{LeadTable, wishes};
use shingle_app::lead_pages::REPEATED_FOR;
use shingle_app::lead_pages::{LeadPages, MergedLeads};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Lead {
    /// List the leads of an account, newest first
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Only one environment: sandbox or production
        #[arg(long)]
        env: Option<Environment>,
        /// Only leads with all these words: of name, street, email address or phone number
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
        /// Print CSV for a spreadsheet
        #[arg(long)]
        csv: bool,
    },
    /// Show what the homeowner of a lead agreed to, as a signed certificate
    Consent {
        /// The lead
        id: LeadId,
        /// Write the certificate as a page that can be printed
        #[arg(long, value_name = "FILE")]
        page: Option<PathBuf>,
    },
    /// List the addresses that five or more leads of one day named, in the last thirty days
    Repeated {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// The environment whose leads are counted
        #[arg(long, default_value = "production")]
        env: Environment,
    },
}

impl Lead {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let (account, env, search, csv) = match self {
            Self::List { account, env, search, csv } => (account, env, search, csv),
            Self::Consent { id, page } => return consent::certify(global, output, id, page.as_deref()),
            Self::Repeated { account, env } => return list_repeated(global, output, account, env),
        };
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let store = context.store().await?;
            if store.accounts().find(account).await?.is_none() {
                return Err(unknown_account(account));
            }
            let lists = [Environment::Production, Environment::Sandbox]
                .into_iter()
                .filter(|environment| env.is_none_or(|only| only == *environment))
                .map(|environment| {
                    LeadPages::new(
                        store.clone(),
                        Tenant { account, environment },
                        LeadFilter::default(),
                        search.clone(),
                    )
                });
            let mut leads = MergedLeads::new(lists.collect());
            let form = match (csv, output.is_json()) {
                (true, _) => ListForm::Csv,
                (false, true) => ListForm::Json,
                (false, false) => ListForm::Table,
            };
            let table = LeadTable::new(store.clone(), account, &zone_of(&store, account).await?, Language::English);
            let mut list = LeadList::new(form, env, search.is_some());
            loop {
                let page = leads.next().await?;
                if !output.print_part(&list.part(&page, &table).await?)? || page.is_empty() {
                    return Ok(store.close().await?);
                }
            }
        })
    }
}

/// Where the company is.
async fn zone_of(store: &Store, account: AccountId) -> Result<String, StoreError> {
    let tenant = Tenant { account, environment: Environment::Production };
    let settings = store.destinations().notice_settings(&tenant).await?.unwrap_or_default();
    Ok(settings.time_zone)
}

fn list_repeated(
    global: &GlobalArgs,
    output: Output,
    account: AccountId,
    environment: Environment,
) -> Result<(), OperatorError> {
    let context = global.installation(SettingFlags::default())?;
    block_on(async {
        let store = context.store().await?;
        if store.accounts().find(account).await?.is_none() {
            return Err(unknown_account(account));
        }
        let since = context.clock.now() - REPEATED_FOR;
        let found = store.leads().repeated_addresses(&Tenant { account, environment }, since).await?;
        output.print(&found, |found| repeated_table(found))?;
        Ok(store.close().await?)
    })
}

fn repeated_table(found: &[RepeatedAddress]) -> String {
    if found.is_empty() {
        return "No address was named by five or more leads of one day in the last thirty days.".to_owned();
    }
    let rows: Vec<_> = found
        .iter()
        .map(|of| {
            let RepeatedAddress { widget_id, address, day, leads, suspect, newest_lead } = of;
            let [leads, suspect] = [leads, suspect].map(ToString::to_string);
            [day.clone(), leads, suspect, address.clone(), widget_id.to_string(), newest_lead.to_string()]
        })
        .collect();
    table(["DAY", "LEADS", "SUSPECT", "ADDRESS", "WIDGET", "NEWEST LEAD"], &rows)
}

#[derive(Clone, Copy)]
enum ListForm {
    Csv,
    Json,
    Table,
}

/// The list as it is printed, page by page.
struct LeadList {
    form: ListForm,
    /// The only environment that is listed.
    env: Option<Environment>,
    searched: bool,
    begun: bool,
    table: TableParts<9>,
}

impl LeadList {
    fn new(form: ListForm, env: Option<Environment>, searched: bool) -> Self {
        let headings = ["RECEIVED", "STATUS", "NAME", "E-MAIL", "PHONE", "ADDRESS", "VISIT", "ID", "EARLIER LEAD"];
        Self { form, env, searched, begun: false, table: TableParts::new(headings) }
    }

    /// What a page adds to the output; the page without leads ends it.
    async fn part(&mut self, page: &[LeadRecord], table: &LeadTable) -> Result<Vec<u8>, OperatorError> {
        let is_first = !std::mem::replace(&mut self.begun, true);
        match self.form {
            ListForm::Csv => table
                .part(page, is_first)
                .await
                .map_err(|e| OperatorError::new(format!("The table cannot be written: {e}"))),
            ListForm::Json => json_part(page, is_first)
                .map_err(|e| OperatorError::new(format!("The result cannot be written as JSON: {e}"))),
            ListForm::Table if page.is_empty() && is_first && self.searched => {
                Ok(b"No lead has these words.\n".to_vec())
            }
            ListForm::Table if page.is_empty() && is_first => {
                let which = self.env.map(|env| format!("{env} ")).unwrap_or_default();
                Ok(format!("There are no {which}leads yet.\n").into_bytes())
            }
            ListForm::Table if page.is_empty() => Ok(Vec::new()),
            ListForm::Table => Ok((self.table.part(&page.iter().map(row).collect::<Vec<_>>()) + "\n").into_bytes()),
        }
    }
}

/// A part of one array.
fn json_part(page: &[LeadRecord], is_first: bool) -> serde_json::Result<Vec<u8>> {
    let mut part = if is_first { b"[".to_vec() } else { Vec::new() };
    for (at, lead) in page.iter().enumerate() {
        if at > 0 || !is_first {
            part.push(b',');
        }
        serde_json::to_writer(&mut part, lead)?;
    }
    if page.is_empty() {
        part.extend_from_slice(b"]\n");
    }
    Ok(part)
}

fn row(lead: &LeadRecord) -> [String; 9] {
    let phone = lead.phone.as_ref().map(ToString::to_string).unwrap_or_default();
    [
        lead.created_at.to_string(),
        lead.status.as_str().to_owned(),
        format!("{} {}", lead.first_name, lead.last_name),
        lead.email_text().to_owned(),
        phone,
        lead.address.clone(),
        visit(lead),
        lead.id.to_string(),
        lead.earlier_lead.map(|e| format!("same {} as {}", e.same.as_str(), e.id)).unwrap_or_default(),
    ]
}

/// `asked: 2026-12-01 morning, 2026-12-04 evening`
fn visit(lead: &LeadRecord) -> String {
    let Some(visit) = &lead.inspection else { return String::new() };
    format!("{}: {}", visit.state.as_str(), wishes(visit, Language::English))
}
