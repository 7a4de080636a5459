//! `shingle lead …`

use clap::Subcommand;
use shingle_domain::lead::Lead as LeadRecord;
use shingle_domain::{AccountId, Environment, Tenant};
use shingle_store::LeadFilter;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::context::{CommandContext, SettingFlags};
use super::output::Output;
use super::output::table;
use crate::lead_csv;
use crate::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Lead {
    /// List the leads of an account, newest first
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Only one environment: sandbox or production
        #[arg(long)]
        env: Option<Environment>,
        /// Print CSV for a spreadsheet
        #[arg(long)]
        csv: bool,
    },
}

impl Lead {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let Self::List { account, env, csv } = self;
        let context = CommandContext::of(global, SettingFlags::default())?;
        let mut leads = CommandContext::block_on(async {
            let store = context.store().await?;
            if store.find_account(account).await?.is_none() {
                return Err(unknown_account(account));
            }
            let mut leads = Vec::new();
            for environment in [Environment::Production, Environment::Sandbox] {
                if env.is_none_or(|only| only == environment) {
                    let tenant = Tenant { account, environment };
                    leads.extend(lead_csv::all_leads(&store, &tenant, &LeadFilter::default()).await?);
                }
            }
            store.close().await?;
            Ok(leads)
        })?;
        leads.sort_by_key(|lead| std::cmp::Reverse((lead.created_at, lead.id)));
        if csv {
            let text =
                lead_csv::csv(&leads).map_err(|e| OperatorError::new(format!("The table cannot be written: {e}")))?;
            return output.print_text(&text);
        }
        output.print(&leads, |leads| list_text(leads))
    }
}

fn list_text(leads: &[LeadRecord]) -> String {
    if leads.is_empty() {
        return "There are no leads yet.".into();
    }
    let rows: Vec<_> = leads
        .iter()
        .map(|lead| {
            let phone = lead.phone.as_ref().map(ToString::to_string).unwrap_or_default();
            [
                lead.created_at.to_string(),
                lead.status.as_str().to_owned(),
                format!("{} {}", lead.first_name, lead.last_name),
                lead.email.to_string(),
                phone,
                lead.address.clone(),
                visit(lead),
                lead.id.to_string(),
                lead.earlier_lead.map(|e| format!("same {} as {}", e.same.as_str(), e.id)).unwrap_or_default(),
            ]
        })
        .collect();
    table(["RECEIVED", "STATUS", "NAME", "E-MAIL", "PHONE", "ADDRESS", "VISIT", "ID", "EARLIER LEAD"], &rows)
}

/// `asked: 2026-12-01 morning, 2026-12-04 evening`
fn visit(lead: &LeadRecord) -> String {
    let Some(visit) = &lead.inspection else { return String::new() };
    format!("{}: {}", visit.state.as_str(), lead_csv::wishes(visit))
}
