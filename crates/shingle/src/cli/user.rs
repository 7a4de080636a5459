//! `shingle invite` and `shingle user …`: who signs in to the portal.

use clap::{Args, Subcommand};
use serde::Serialize;
use shingle_domain::{AccountId, Email, Environment, Role, Timestamp, UserId, WidgetId, WidgetScope};
use shingle_store::{INVITE_LIFETIME, InviteDraft, StoreError, User as PortalUser};

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};
use super::person::read_email;
use super::widget_scope::widget_scope;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Args)]
pub struct Invite {
    /// The company
    #[arg(long, value_name = "ID", required_unless_present = "operator", conflicts_with = "operator")]
    account: Option<AccountId>,
    /// What they may do: member reads and answers leads, owner also sees usage and people
    #[arg(long, value_name = "ROLE", default_value = "owner", value_parser = read_role, conflicts_with = "operator")]
    role: Role,
    /// For the whole installation, which has no pages of its own yet
    #[arg(long)]
    operator: bool,
    /// A widget that a member sees, by its reference id; may be repeated. They then see nothing of other widgets
    #[arg(long = "widget", value_name = "ID", conflicts_with = "operator")]
    widgets: Vec<WidgetId>,
    /// For this address only; if unset, for anyone with the link
    #[arg(long, value_parser = read_email)]
    email: Option<Email>,
}

#[derive(Debug, Subcommand)]
pub enum User {
    /// List who can sign in
    List,
    /// Sign someone out everywhere, end their recovery codes, and print a link that lets them in once, within 15 minutes
    Reset {
        #[arg(value_parser = read_email)]
        email: Email,
    },
}

fn read_role(text: &str) -> Result<Role, String> {
    match text.parse() {
        Ok(role @ (Role::Owner | Role::Member)) => Ok(role),
        _ => Err("owner or member; --operator is for the installation".to_owned()),
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct InviteView {
    link: String,
    role: Role,
    account: Option<AccountId>,
    expires_at: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct UserView {
    id: UserId,
    name: String,
    email: String,
    role: Role,
    /// Reference ids of the widgets that a client sees. `null`: all.
    widgets: Option<Vec<WidgetId>>,
    account: Option<AccountId>,
    created_at: Timestamp,
}

#[derive(Debug, Serialize)]
struct LinkView {
    link: String,
}

impl From<PortalUser> for UserView {
    fn from(user: PortalUser) -> Self {
        let PortalUser { id, account, role, sees, email, name, language: _, created_at, is_proven: _ } = user;
        let widgets = sees.ids().map(<[_]>::to_vec);
        Self {
            id,
            name: name.as_str().to_owned(),
            email: email.as_str().to_owned(),
            role,
            widgets,
            account,
            created_at,
        }
    }
}

fn row(user: &UserView) -> [String; 4] {
    let account = user.account.map_or_else(|| "-".to_owned(), |id| id.to_string());
    [user.email.clone(), user.role.as_str().to_owned(), user.name.clone(), account]
}

/// Where the portal is, as far as the settings say.
fn base_url(context: &Installation) -> String {
    context.settings.base_url(context.settings.listen)
}

impl Invite {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let store = context.store().await?;
            let role = if self.operator { Role::Operator } else { self.role };
            if role != Role::Member && !self.widgets.is_empty() {
                let error = OperatorError::new("An owner sees every widget").at("--widget");
                return Err(error.fix("Add `--role member`, or leave --widget out."));
            }
            let environments = [Environment::Production, Environment::Sandbox];
            let sees = match self.account {
                Some(account) => widget_scope(&store, account, &self.widgets, &environments).await?,
                None => WidgetScope::All,
            };
            let draft = InviteDraft {
                account: self.account,
                role,
                sees,
                email: self.email,
                by: None,
                lifetime: INVITE_LIFETIME,
            };
            let (invite, token) = store.people().invite(&draft).await.map_err(|error| match (error, self.account) {
                (StoreError::NotFound, Some(account)) => unknown_account(account),
                (other, _) => OperatorError::from(other),
            })?;
            store.close().await?;
            let link = format!("{}/portal/invite?token={token}", base_url(&context));
            let view = InviteView { link, role, account: invite.account, expires_at: invite.expires_at };
            output.print(&view, |view| format!("{}\nWorks once, until {}", view.link, view.expires_at))
        })
    }
}

impl User {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let store = context.store().await?;
            match self {
                Self::List => {
                    let users: Vec<UserView> =
                        store.people().list_all_users().await?.into_iter().map(UserView::from).collect();
                    store.close().await?;
                    output.print(&users, |users| {
                        let rows: Vec<_> = users.iter().map(row).collect();
                        table(["email", "role", "name", "account"], &rows)
                    })
                }
                Self::Reset { email } => {
                    let link = store.people().reset_user(&email).await.map_err(|error| match error {
                        StoreError::NotFound => OperatorError::new("Nobody signs in with this address")
                            .at(email.as_str())
                            .fix("`shingle user list` shows who does."),
                        other => OperatorError::from(other),
                    })?;
                    store.close().await?;
                    let view = LinkView { link: format!("{}/portal/sign-in/link?token={link}", base_url(&context)) };
                    output.print(&view, |view| format!("{}\nWorks once, within 15 minutes", view.link))
                }
            }
        })
    }
}
