//! `shingle doctor`: checks that everything `serve` needs is present and works.

use clap::Args;
use serde::Serialize;
use shingle_app::OperatorError;
use shingle_app::checks::{CheckResult, checks};
use shingle_app::installation::{Installation, SettingFlags};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;

#[derive(Debug, Args)]
pub struct Doctor {
    /// Print a report for support: version, system, settings without secrets, and the checks
    #[arg(long)]
    support: bool,
}

#[derive(Debug, Serialize)]
struct DoctorReport {
    ok: bool,
    checks: Vec<CheckResult>,
}

impl Doctor {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = match global.installation(SettingFlags::default()) {
            Ok(context) => context,
            Err(error) => {
                let found = vec![CheckResult::new("configuration", Err::<String, _>(error))];
                output.print(&DoctorReport { ok: false, checks: found }, to_text)?;
                return Err(OperatorError::new("The configuration cannot be read; nothing else was checked"));
            }
        };
        let checks = block_on(async { Ok(checks(&context).await) })?;
        let found = DoctorReport { ok: checks.iter().all(|c| c.ok), checks };
        if self.support {
            output.print_text(&support_text(&context, &found)?)?;
            return Ok(());
        }
        output.print(&found, to_text)?;
        if found.ok { Ok(()) } else { Err(OperatorError::new("Some checks failed")) }
    }
}

/// Nothing in it opens anything: passwords are left out of settings and of the database's address.
fn support_text(context: &Installation, found: &DoctorReport) -> Result<String, OperatorError> {
    let settings = serde_json::to_string_pretty(&context.settings.without_passwords())
        .map_err(|e| OperatorError::new(format!("The settings cannot be written as JSON: {e}")))?;
    let (build, os, arch) = (crate::BUILD, std::env::consts::OS, std::env::consts::ARCH);
    Ok(format!("shingle {build} on {os} {arch}\n\nsettings\n{settings}\n\nchecks\n{}", to_text(found)))
}

fn to_text(found: &DoctorReport) -> String {
    let state = |c: &CheckResult| match (c.ok, c.look) {
        (false, _) => "FAIL",
        (true, true) => "look",
        (true, false) => "ok  ",
    };
    let line = |c: &CheckResult| format!("{}  {:<16} {}", state(c), c.check, c.detail);
    found.checks.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use shingle_app::checks::Detail;
    use shingle_domain::message::ToMessage;

    use super::*;

    #[test]
    fn what_is_off_is_worth_a_look() {
        let found = |check, ok, look| CheckResult { check, ok, look, detail: Detail::Well("as found".to_message()) };
        let checks = vec![found("mail", true, true), found("secret", true, false), found("clock", false, false)];
        let text = to_text(&DoctorReport { ok: false, checks });
        let begins: Vec<_> = text.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>()).collect();
        assert_eq!(begins, [["look", "mail"], ["ok", "secret"], ["FAIL", "clock"]], "{text}");
    }
}
