//! `shingle lead …`

use clap::Subcommand;
use shingle_domain::lead::Lead as Record;
use shingle_domain::{AccountId, Environment, Tenant};
use shingle_store::LeadFilter;

use super::account::no_account;
use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};
use crate::export;

#[derive(Debug, Subcommand)]
pub enum Lead {
    /// Show the leads of an account, newest first
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Only one environment: sandbox or production
        #[arg(long)]
        env: Option<Environment>,
        /// As a table for spreadsheets
        #[arg(long)]
        csv: bool,
    },
}

impl Lead {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let Self::List { account, env, csv } = self;
        let place = Place::of(everywhere, Flags::default())?;
        let leads = Place::block_on(async {
            let store = place.store().await?;
            if store.find_account(account).await?.is_none() {
                return Err(no_account(account));
            }
            let mut leads = Vec::new();
            for environment in [Environment::Production, Environment::Sandbox] {
                if env.is_none_or(|only| only == environment) {
                    let tenant = Tenant { account, environment };
                    leads.extend(export::all_leads(&store, &tenant, &LeadFilter::default()).await?);
                }
            }
            store.close().await?;
            Ok(leads)
        })?;
        let mut leads = leads;
        leads.sort_by_key(|lead| std::cmp::Reverse((lead.created_at, lead.id)));
        if csv {
            let text = export::csv(&leads).map_err(|e| Problem::new(format!("The table cannot be written: {e}")))?;
            return report.line(&text);
        }
        report.done(&leads, |leads| list(leads))
    }
}

fn list(leads: &[Record]) -> String {
    if leads.is_empty() {
        return "No leads yet.".into();
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
            ]
        })
        .collect();
    table(["RECEIVED", "STATUS", "NAME", "E-MAIL", "PHONE", "ADDRESS"], &rows)
}
