//! `--widget ID`, repeated: the widgets that a client or a key may see.

use shingle_app::operator_error::OperatorError;
use shingle_domain::{AccountId, Environment, Tenant, WidgetId, WidgetScope};
use shingle_store::Store;

/// None named: all of them.
///
/// # Errors
/// For an id that is no widget of the account in one of these environments: a typing error would show somebody nothing.
pub async fn widget_scope(
    store: &Store,
    account: AccountId,
    named: &[WidgetId],
    environments: &[Environment],
) -> Result<WidgetScope, OperatorError> {
    if named.is_empty() {
        return Ok(WidgetScope::All);
    }
    let mut known = Vec::new();
    for environment in environments {
        let tenant = Tenant { account, environment: *environment };
        known.extend(store.widgets().list(&tenant).await?.into_iter().map(|stored| stored.widget.reference_id));
    }
    match named.iter().find(|id| !known.contains(id)) {
        None => Ok(WidgetScope::only(named.iter().copied())),
        Some(unknown) => Err(OperatorError::new("The account has no such widget there")
            .at(unknown.to_string())
            .fix("Use the reference id of a widget: the portal shows it in the widget’s address.")),
    }
}
