//! `shingle usage`

use shingle_domain::usage::{Date, UsagePeriod, day};
use shingle_domain::{AccountId, Environment, Tenant};

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;
use shingle_app::usage_report::{UsageOfDay, UsageReport};

#[derive(Debug, clap::Args)]
pub struct Usage {
    #[arg(long, value_name = "ID")]
    account: AccountId,
    /// The first day, in UTC [default: the first of the month]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    from: Option<Date>,
    /// The last day, in UTC [default: today]
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    to: Option<Date>,
    /// Only one environment: sandbox or production
    #[arg(long)]
    env: Option<Environment>,
    /// Print CSV for a spreadsheet
    #[arg(long)]
    csv: bool,
}

impl Usage {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let period = UsagePeriod::new(self.from, self.to, context.clock.now())
            .map_err(|rule| OperatorError::new("Invalid date range").at("--from").fix(format!("It {rule}.")))?;
        let environments = [Environment::Production, Environment::Sandbox].into_iter();
        let tenants: Vec<_> = environments
            .filter(|environment| self.env.is_none_or(|only| only == *environment))
            .map(|environment| Tenant { account: self.account, environment })
            .collect();
        block_on(async {
            let store = context.store().await?;
            if store.accounts().find(self.account).await?.is_none() {
                return Err(unknown_account(self.account));
            }
            let report = UsageReport::read(&store, &tenants, period).await?;
            store.close().await?;
            if self.csv {
                let csv = report.csv().map_err(|e| OperatorError::new(format!("The table cannot be written: {e}")))?;
                return output.print_part(&csv).map(drop);
            }
            output.print(&report, text)
        })
    }
}

fn text(report: &UsageReport) -> String {
    if report.data().is_empty() {
        return report.summary();
    }
    let rows: Vec<_> = report.data().iter().map(UsageOfDay::cells).collect();
    let headings = ["DAY", "ENVIRONMENT", "KEY", "PRODUCT", "CALLS", "BILLED", "CENTS", "FROM BALANCE"];
    format!("{}\n\n{}", table(headings, &rows), report.summary())
}
