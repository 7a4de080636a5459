//! `shingle account retention`: how long leads are kept; the effect is shown before it happens.

use core::str::FromStr;

use serde::Serialize;
use shingle_domain::AccountId;
use shingle_domain::rules::RetentionDays;
use shingle_store::{DueForErasure, Retention, Store, StoreError};

use super::output::Output;
use shingle_app::operator_error::OperatorError;

/// Days, or for good.
#[derive(Debug, Clone, Copy)]
pub struct KeptFor(Option<RetentionDays>);

impl FromStr for KeptFor {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let days = || text.parse().ok().and_then(RetentionDays::new);
        match text {
            "none" => Ok(Self(None)),
            _ => days().map(|days| Self(Some(days))).ok_or_else(|| "days from 1 to 36500, or `none`".to_owned()),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RetentionView {
    #[serde(flatten)]
    retention: Retention,
    /// What would be erased now.
    due: Option<DueForErasure>,
    /// Of this very command.
    set: bool,
}

pub(super) async fn retention(
    store: &Store,
    output: Output,
    id: AccountId,
    wanted: Option<KeptFor>,
    yes: bool,
) -> Result<(), OperatorError> {
    let known = |error| match error {
        StoreError::NotFound => {
            OperatorError::new("There is no such account").at(id).fix("`shingle account list` shows all accounts.")
        }
        other => OperatorError::from(other).at(id),
    };
    let set = wanted.filter(|_| yes);
    let retention = match set {
        Some(KeptFor(days)) => store.accounts().set_retention(id, days.map(RetentionDays::get)).await,
        None => store.accounts().retention(id).await,
    };
    let retention = retention.map_err(known)?;
    let days = wanted.map_or(retention.days, |KeptFor(days)| days.map(RetentionDays::get));
    let due = match days {
        Some(days) => Some(store.accounts().due_for_erasure(id, days).await?),
        None => None,
    };
    store.close().await?;
    let view = RetentionView { retention, due, set: set.is_some() };
    output.print(&view, |view| text(view, wanted, days))
}

fn text(view: &RetentionView, wanted: Option<KeptFor>, days: Option<u32>) -> String {
    let RetentionView { retention, due, set } = view;
    let mut lines = vec![match (retention.days, retention.acts_from) {
        (Some(days), Some(from)) => format!("Leads are erased {days} days after they came; this acts from {from}."),
        _ => "Leads are kept for good.".to_owned(),
    }];
    if let (Some(days), Some(due)) = (days, due) {
        lines.push(due_text(days, due));
        if days < RetentionDays::OF_CONSENT {
            lines.push(
                "The evidence of consent is erased with a lead. In the United States a call can be disputed for four years."
                    .to_owned(),
            );
        }
    }
    if wanted.is_some() && !set {
        lines.push("Nothing was changed. Add --yes to set it.".to_owned());
    }
    lines.join("\n")
}

fn due_text(days: u32, due: &DueForErasure) -> String {
    match (due.leads, due.oldest, due.newest) {
        (0, ..) | (_, None, _) | (_, _, None) => format!("No lead is older than {days} days."),
        (1, Some(oldest), _) => format!("1 lead is older than {days} days: of {oldest}."),
        (leads, Some(oldest), Some(newest)) => {
            format!("{leads} leads are older than {days} days: from {oldest} to {newest}.")
        }
    }
}
