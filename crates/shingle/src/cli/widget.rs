//! `shingle widget …`

use clap::Subcommand;
use serde::Serialize;
use shingle_domain::roof::RoofMaterial;
use shingle_domain::widget::{StoredImage, Widget as WidgetConfig, WidgetLinks, WidgetRecord};
use shingle_domain::{AccountId, Environment, HexColor, Tenant, Usd, WidgetId};
use shingle_notice::{shows_name, wordmark};
use shingle_property::PropertyIndex;
use shingle_store::Store;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::output::table;
use super::widget_draft::NewWidget;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::logo::{self, Logo, MAX_LOGO_BYTES};
use shingle_app::operator_error::OperatorError;
use shingle_app::own_domains::OwnDomains;
use shingle_app::property_indexes::NOTHING_IMPORTED;

#[derive(Debug, Subcommand)]
pub enum Widget {
    /// Create a widget, and print its script and links
    Create(Box<NewWidget>),
    /// List the widgets of an account, oldest first
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Only one environment: sandbox or production
        #[arg(long)]
        env: Option<Environment>,
        /// URL by which visitors' browsers reach the server [default: the listening address]
        #[arg(long, value_name = "URL")]
        base_url: Option<String>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WidgetView {
    environment: Environment,
    #[serde(flatten)]
    record: WidgetRecord,
    /// What was filled in, and what is still missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl Widget {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        match self {
            Self::Create(new) => create(&new, global, output),
            Self::List { account, env, base_url } => list(account, env, base_url, global, output),
        }
    }
}

fn create(new: &NewWidget, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
    let flags = SettingFlags { base_url: new.base_url.clone(), ..SettingFlags::default() };
    let context = global.installation(flags)?;
    let view = block_on(async {
        let store = context.store().await?;
        let records = Records::of(&context, &store).await?;
        let account = store.accounts().find(new.account).await?.ok_or_else(|| unknown_account(new.account))?;
        let (draft, mut notes) = new.draft(new_id()?, &account.name)?;
        let logo = stored_logo(&context, new, &account.name).await?;
        if new.logo.is_none() {
            notes.push("The logo is drawn from the name. Use --logo for yours.".to_owned());
        }
        let widget = draft.into_widget(logo, None);
        if widget.installed_price.is_none() {
            notes.push(default_price(records.asphalt));
        }
        if new.env == Environment::Production
            && PropertyIndex::open(&context.settings.property(), context.reference()?)?.is_empty()
        {
            notes.push(NOTHING_IMPORTED.to_owned());
        }
        let tenant = Tenant { account: new.account, environment: new.env };
        let made = store.widgets().create(&tenant, &widget, |widget| records.record(new.account, widget), None).await?;
        let record = records.record(new.account, &made.widget);
        store.close().await?;
        Ok(WidgetView { environment: new.env, record, notes })
    })?;
    output.print(&view, created_text)
}

fn list(
    account: AccountId,
    env: Option<Environment>,
    base_url: Option<String>,
    global: &GlobalArgs,
    output: Output,
) -> Result<(), OperatorError> {
    let context = global.installation(SettingFlags { base_url, ..SettingFlags::default() })?;
    let views = block_on(async {
        let store = context.store().await?;
        let records = Records::of(&context, &store).await?;
        if store.accounts().find(account).await?.is_none() {
            return Err(unknown_account(account));
        }
        let mut views = Vec::new();
        for environment in [Environment::Production, Environment::Sandbox] {
            if env.is_none_or(|only| only == environment) {
                let widgets = store.widgets().list(&Tenant { account, environment }).await?;
                views.extend(widgets.iter().map(|stored| WidgetView {
                    environment,
                    record: records.record(account, &stored.widget),
                    notes: Vec::new(),
                }));
            }
        }
        store.close().await?;
        Ok(views)
    })?;
    output.print(&views, |views| list_text(views, env))
}

/// How a widget's record is made of what is stored.
struct Records {
    domains: OwnDomains,
    asphalt: Usd,
}

impl Records {
    async fn of(context: &Installation, store: &Store) -> Result<Self, OperatorError> {
        let domains = OwnDomains::new(&context.settings.base_url(context.settings.listen));
        domains.replace(&store.accounts().own_domains().await?);
        Ok(Self { domains, asphalt: context.reference()?.roof_prices().price(RoofMaterial::AsphaltShingle) })
    }

    fn record(&self, account: AccountId, widget: &WidgetConfig) -> WidgetRecord {
        let base_url: &str = &self.domains.base_url;
        let (pages_url, storage_url) = (self.domains.base_of(account), format!("{base_url}/storage"));
        let pages_url = (&*pages_url).into();
        widget.record(&WidgetLinks { base_url, pages_url, storage_url: &storage_url }, self.asphalt)
    }
}

fn rgb(color: &HexColor) -> [u8; 3] {
    let [red, green, blue, _] = color.rgba();
    [red, green, blue]
}

fn default_price(asphalt: Usd) -> String {
    format!("The price is the reference table's: ${asphalt} a square of asphalt shingle. Use --price for yours.")
}

fn new_id() -> Result<WidgetId, OperatorError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|e| OperatorError::new(format!("The system has no random numbers: {e}")))?;
    Ok(WidgetId(uuid::Builder::from_random_bytes(random).into_uuid()))
}

async fn stored_logo(context: &Installation, new: &NewWidget, account: &str) -> Result<StoredImage, OperatorError> {
    let drawn = |color: &HexColor| wordmark(new.name(account), rgb(color), [255; 3]).map_err(OperatorError::text);
    if new.logo.is_none() && !shows_name(new.name(account)).map_err(OperatorError::text)? {
        eprintln!(
            "The logo shows a roof without the name: the built-in font lacks letters of it. Use --logo FILE for yours."
        );
    }
    let (bytes, from) = match &new.logo {
        None => (drawn(&new.color)?, String::new()),
        Some(file) => {
            let unread = |e| OperatorError::new(format!("The logo cannot be read: {e}")).at(file.display());
            (std::fs::read(file).map_err(unread)?, file.display().to_string())
        }
    };
    if bytes.len() > MAX_LOGO_BYTES {
        return Err(OperatorError::new("The logo may have 1 MB at most").at(from));
    }
    let encoded = logo::reencode(&bytes, Logo::Header)
        .map_err(|error| OperatorError::new(format!("The logo {error}")).at(from))?;
    let path = context.blobs()?.put_hashed("logos", encoded.extension, encoded.bytes.clone()).await?;
    Ok(encoded.stored(path))
}

fn created_text(view: &WidgetView) -> String {
    let of = &view.record;
    let homes = match view.environment {
        Environment::Sandbox => "sandbox: invented homes, which are marked as such",
        Environment::Production => "production: the towns that you imported",
    };
    let mut lines = vec![
        format!("widget   {}", of.reference_id),
        format!("homes    {homes}"),
        format!("script   {}", of.widget_script),
        format!("page     {}", of.hosted_page_link),
        format!("link     {}", of.widget_link),
        format!("QR code  {} (of the page)", of.hosted_qr_code),
        format!("QR code  {} (of the link)", of.widget_qr_code),
    ];
    lines.extend(view.notes.iter().map(|note| format!("note     {note}")));
    lines.push(
        "Paste the script before </body> of your pages; the page needs no site. `shingle serve` answers both.".into(),
    );
    lines.join("\n")
}

fn list_text(widgets: &[WidgetView], env: Option<Environment>) -> String {
    if widgets.is_empty() {
        let (which, flag) = env.map_or_else(Default::default, |env| (format!("{env} "), format!(" --env {env}")));
        return format!(
            "There is no {which}widget yet. Create one: shingle widget create --account ID --url https://…{flag}"
        );
    }
    let rows: Vec<_> = widgets
        .iter()
        .map(|view| {
            let of = &view.record;
            [
                of.reference_id.to_string(),
                view.environment.to_string(),
                of.status.as_str().to_owned(),
                of.element_type.as_str().to_owned(),
                of.company_name.clone(),
                of.hosted_page_link.clone(),
            ]
        })
        .collect();
    table(["WIDGET", "ENVIRONMENT", "STATUS", "ELEMENT", "COMPANY", "PAGE"], &rows)
}
