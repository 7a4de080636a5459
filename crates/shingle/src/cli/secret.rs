//! `shingle secret …`: the keys that encrypt personal data.

use clap::Subcommand;
use serde::Serialize;
use shingle_store::{Rotation, Secret as SecretFile};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Secret {
    /// Show which key encrypts, and whether everything is encrypted with it
    Show,
    /// Make new keys for everything that is encrypted, while servers run
    ///
    /// A key is added to the secret file, and every account gets a new data key, which encrypts from a minute later on. What
    /// the old ones encrypted is encrypted again by a running server. Servers on other machines need the new secret
    /// file first: make it with --prepare, copy it there, then run this command.
    Rotate {
        /// Only add the key to the secret file
        #[arg(long)]
        prepare: bool,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SecretView {
    file: String,
    /// The number of the newest key.
    key: u16,
    /// Whether something is still encrypted by an older one.
    rotation_pending: bool,
    /// Accounts with rows that are still to be encrypted with their newest data key.
    accounts_with_older_rows: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Prepared {
    file: String,
    key: u16,
}

impl Secret {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let path = context.settings.secret_file();
        let file = path.display().to_string();
        block_on(async {
            let store = context.store().await?;
            let pending = store.encryption().needs_rotation().await?;
            let add_key = || {
                SecretFile::add_key(&path).map_err(|e| {
                    OperatorError::text(e).at(&file).fix("Make the file and its folder writable for this command.")
                })
            };
            match self {
                Self::Show => {
                    let view = SecretView {
                        key: context.secret()?.newest_key(),
                        rotation_pending: pending,
                        accounts_with_older_rows: store.encryption().count_accounts_with_older_rows().await?,
                        file,
                    };
                    output.print(&view, view_text)?;
                }
                // A key that is there and does not encrypt yet is the prepared one.
                Self::Rotate { prepare: true } => {
                    let key = if pending { context.secret()?.newest_key() } else { add_key()? };
                    output.print(&Prepared { file, key }, |of| {
                        format!(
                            "Key {} is in {}. Copy this file to every machine that serves this installation, then run \
                             `shingle secret rotate`.",
                            of.key, of.file
                        )
                    })?;
                }
                Self::Rotate { prepare: false } => {
                    if !pending {
                        add_key()?;
                    }
                    output.print(&store.encryption().rotate_keys().await?, rotation_text)?;
                }
            }
            Ok(store.close().await?)
        })
    }
}

fn view_text(view: &SecretView) -> String {
    let SecretView { file, key, rotation_pending, accounts_with_older_rows: accounts } = view;
    let state = match (rotation_pending, accounts) {
        (true, _) => "not used by everything yet: run `shingle secret rotate`".to_owned(),
        (false, 0) => "everything is encrypted with it".to_owned(),
        (false, 1) => "a running server encrypts older rows of one account".to_owned(),
        (false, accounts) => format!("a running server encrypts older rows of {accounts} accounts"),
    };
    format!("file  {file}\nkey   {key}\nstate {state}")
}

fn rotation_text(of: &Rotation) -> String {
    let Rotation { key, accounts, destinations } = of;
    format!(
        "Key {key} encrypts now. {accounts} accounts have a new data key, which is used from a minute from now on; the secrets \
         of {destinations} destinations are encrypted anew. A running server encrypts older rows, from five minutes on. Keep a \
         copy of the new secret file; its older lines are needed for older backups."
    )
}
