//! Browsers that get notifications of new leads. A device is one browser of one user; it ends with the session in which
//! it subscribed.

use shingle_domain::event::EventKind;
use shingle_domain::{
    AccountId, DestinationId, Environment, SessionId, Tenant, Timestamp, UserId, WidgetId, WidgetScope,
};

use crate::StoreError;
use crate::audit::change::Change;
use crate::destinations::Destinations;
use crate::destinations::destination::{Destination, DestinationDraft, MAX_DESTINATIONS};
use crate::destinations::kind::DestinationKind;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::person::of_person;
use crate::people::session::{SESSION_IDLE, SESSION_LIFETIME};
use crate::store::parse_id;

/// Of one user.
const MAX_PUSH_DEVICES: usize = 10;
/// Push services answer in milliseconds.
const TIMEOUT_SECONDS: u8 = 15;

/// Who subscribes.
#[derive(Debug, Clone, Copy)]
pub struct PushOwner {
    pub account: AccountId,
    pub user: UserId,
    pub session: SessionId,
}

/// A browser that wants to be told.
#[derive(Clone, Copy)]
pub struct PushSubscription<'s> {
    /// Where its push service takes messages: anyone who knows it can send there.
    pub endpoint: &'s str,
    /// Of that, what may be shown.
    pub service: &'s str,
    /// Whose device it is, for the log.
    pub name: &'s str,
    pub config: &'s str,
    pub secrets: &'s str,
}

/// A device of a user.
#[derive(Debug, Clone)]
pub struct PushDevice {
    pub session: SessionId,
    /// Of real leads.
    pub production: Destination,
    /// Of test data.
    pub sandbox: Destination,
}

/// Whose device a destination is, while they are signed in there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushReader {
    /// The tag of the language that was chosen for the portal.
    pub language: Option<String>,
}

row! {
    struct DeviceRow {
        id: String,
        account_id: String,
        session_id: String,
        production_id: String,
        sandbox_id: String,
    }
}

impl DeviceRow {
    /// Those of both environments, in the order in which they are locked.
    fn destinations(&self) -> Result<[(Tenant, DestinationId); 2], StoreError> {
        let account = parse_id("account", &self.account_id)?;
        Ok([
            (Tenant { account, environment: Environment::Production }, parse_id("destination", &self.production_id)?),
            (Tenant { account, environment: Environment::Sandbox }, parse_id("destination", &self.sandbox_id)?),
        ])
    }
}

macro_rules! select_devices {
    ($which:expr) => {
        concat!(
            "SELECT id, account_id, session_id, production_id, sandbox_id FROM push_device WHERE ",
            $which,
            " ORDER BY created_at, id"
        )
    };
}

/// As a destination names them: none for all.
fn seen_widgets(kept: Option<&str>) -> Result<Vec<WidgetId>, StoreError> {
    let scope = WidgetScope::read(kept).map_err(|word| StoreError::Unreadable {
        what: "widgets of a user",
        id: word.to_owned(),
        reason: "not a widget".to_owned(),
    })?;
    match scope.ids() {
        None => Ok(Vec::new()),
        Some([]) => Err(StoreError::NotFound),
        Some(ids) => Ok(ids.to_vec()),
    }
}

impl Destinations<'_> {
    /// From now on this browser gets notifications of the company's new leads, beside those of the person's other companies.
    /// It is one device, no matter who used it before: what knows the endpoint is the browser itself.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] once the session has ended; [`StoreError::TooMany`].
    pub async fn add_push_device(
        self,
        owner: &PushOwner,
        subscription: &PushSubscription<'_>,
    ) -> Result<DestinationId, StoreError> {
        let endpoint = self.store.hashes.portal("push", subscription.endpoint);
        let draft = DestinationDraft {
            kind: DestinationKind::Push,
            name: subscription.name.to_owned(),
            address: subscription.service.to_owned(),
            events: vec![EventKind::LeadCreated],
            widgets: Vec::new(),
            active: true,
            ordered: false,
            timeout_seconds: TIMEOUT_SECONDS,
            config: subscription.config.to_owned(),
            secrets: Some(subscription.secrets.to_owned()),
        };
        let (account, user, session) = (owner.account.to_string(), owner.user.to_string(), owner.session.to_string());
        transact!(self.store.db, |tx| {
            // Written first, so that a sign-out at this moment waits, or is seen here.
            let signed_in = execute!(
                tx,
                concat!(
                    "UPDATE portal_session SET last_used_at = last_used_at WHERE id = $2 AND user_id IN ",
                    of_person!("$1"),
                    " AND EXISTS (SELECT 1 FROM portal_user u WHERE u.id = $1 AND u.account_id = $3 AND u.disabled_at IS NULL)"
                ),
                &user,
                &session,
                &account
            )?;
            if signed_in == 0 {
                return Err(StoreError::NotFound);
            }
            let earlier = fetch_all!(
                tx,
                DeviceRow,
                select_devices!(concat!(
                    "(session_id = $1 OR endpoint = $2) AND (account_id = $4 OR user_id NOT IN ",
                    of_person!("$3"),
                    ")"
                )),
                &session,
                &endpoint,
                &user,
                &account
            )?;
            self.end_devices(tx, &earlier).await?;
            let own = fetch_optional!(tx, (i64,), "SELECT COUNT(*) FROM push_device WHERE user_id = $1", &user)?;
            if own.is_some_and(|(own,)| usize::try_from(own).is_ok_and(|own| own >= MAX_PUSH_DEVICES)) {
                return Err(StoreError::TooMany { max: MAX_PUSH_DEVICES });
            }
            let seen = fetch_optional!(tx, (Option<String>,), "SELECT widgets FROM portal_user WHERE id = $1", &user)?;
            let widgets = seen_widgets(seen.and_then(|(seen,)| seen).as_deref())?;
            let draft = DestinationDraft { widgets, ..draft.clone() };
            let all = fetch_optional!(tx, (i64,), "SELECT COUNT(*) FROM push_device WHERE account_id = $1", &account)?;
            if all.is_some_and(|(all,)| usize::try_from(all).is_ok_and(|all| all >= MAX_DESTINATIONS)) {
                return Err(StoreError::TooMany { max: MAX_DESTINATIONS });
            }
            let (production, sandbox) = (DestinationId(self.store.new_id()?), DestinationId(self.store.new_id()?));
            for (environment, id) in [(Environment::Production, production), (Environment::Sandbox, sandbox)] {
                let tenant = Tenant { account: owner.account, environment };
                self.insert(tx, &tenant, id, &draft).await?;
            }
            execute!(
                tx,
                "INSERT INTO push_device (id, account_id, user_id, session_id, endpoint, production_id, sandbox_id, created_at)
                 VALUES ($1, $2, $3, $4, $5, $1, $6, $7)",
                production.to_string(),
                &account,
                &user,
                &session,
                &endpoint,
                sandbox.to_string(),
                self.store.now().micros()
            )?;
            let kind = DestinationKind::Push.as_str();
            self.store
                .audit()
                .note_change(tx, owner.account, Change::DestinationCreated, &production.to_string(), kind)
                .await?;
            Ok(production)
        })
    }

    /// Oldest first.
    pub async fn list_push_devices(self, account: AccountId, user: UserId) -> Result<Vec<PushDevice>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            DeviceRow,
            select_devices!("account_id = $1 AND user_id = $2"),
            account.to_string(),
            user.to_string()
        )?;
        drop(reader);
        let mut devices = Vec::new();
        for row in rows {
            let [production, sandbox] = row.destinations()?;
            let production = self.find(&production.0, production.1).await?;
            let sandbox = self.find(&sandbox.0, sandbox.1).await?;
            // One that ends meanwhile does not count.
            let (Some(production), Some(sandbox)) = (production, sandbox) else { continue };
            devices.push(PushDevice { session: parse_id("session", &row.session_id)?, production, sandbox });
        }
        Ok(devices)
    }

    /// # Errors
    /// [`StoreError::NotFound`] if it is not this user's.
    pub async fn end_push_device(
        self,
        account: AccountId,
        user: UserId,
        device: DestinationId,
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let rows = fetch_all!(
                tx,
                DeviceRow,
                select_devices!("account_id = $1 AND user_id = $2 AND id = $3"),
                account.to_string(),
                user.to_string(),
                device.to_string()
            )?;
            if rows.is_empty() {
                return Err(StoreError::NotFound);
            }
            self.end_devices(tx, &rows).await
        })
    }

    /// The user who may read what is pushed to this destination. `None`: their session has ended, or they have left.
    pub async fn push_reader(self, tenant: &Tenant, id: DestinationId) -> Result<Option<PushReader>, StoreError> {
        let now = self.store.now();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<String>,),
            "SELECT u.language FROM push_device d
               JOIN portal_session s ON s.id = d.session_id
               JOIN portal_user u ON u.id = d.user_id AND u.account_id = d.account_id
               JOIN portal_user here ON here.id = s.user_id AND here.email = u.email
              WHERE (d.production_id = $1 OR d.sandbox_id = $1) AND d.account_id = $2
                AND s.created_at > $3 AND s.last_used_at > $4 AND u.disabled_at IS NULL",
            id.to_string(),
            tenant.account.to_string(),
            (now - SESSION_LIFETIME).micros(),
            (now - SESSION_IDLE).micros()
        )?;
        Ok(row.map(|(language,)| PushReader { language }))
    }

    /// Who else gets notifications in the browser of this session: the same person in other companies.
    pub async fn push_owners(self, session: SessionId) -> Result<Vec<PushOwner>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String),
            "SELECT account_id, user_id FROM push_device WHERE session_id = $1 ORDER BY created_at, id",
            session.to_string()
        )?;
        rows.into_iter()
            .map(|(account, user)| {
                Ok(PushOwner { account: parse_id("account", &account)?, user: parse_id("user", &user)?, session })
            })
            .collect()
    }

    /// Ends all of a user who leaves the company.
    /// A person's devices are notified of what the person sees.
    pub(crate) async fn narrow_devices(
        self,
        tx: &mut Tx<'_>,
        user: &str,
        scope: &WidgetScope,
    ) -> Result<(), StoreError> {
        // A destination without widgets is for all of them: somebody who sees nothing has no device.
        if scope.ids().is_some_and(<[_]>::is_empty) {
            return self.end_devices_of(tx, user).await;
        }
        execute!(
            tx,
            "UPDATE destination SET widgets = $2
              WHERE id IN (SELECT production_id FROM push_device WHERE user_id = $1
                            UNION ALL SELECT sandbox_id FROM push_device WHERE user_id = $1)",
            user,
            scope.text().unwrap_or_default()
        )?;
        Ok(())
    }

    pub(crate) async fn end_devices_of(self, tx: &mut Tx<'_>, user: &str) -> Result<(), StoreError> {
        let rows = fetch_all!(tx, DeviceRow, select_devices!("user_id = $1"), user)?;
        self.end_devices(tx, &rows).await
    }

    /// Whether the browser of this session gets notifications of this company's leads.
    pub async fn has_push_device(self, account: AccountId, session: SessionId) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let found = fetch_optional!(
            reader,
            (String,),
            "SELECT id FROM push_device WHERE session_id = $1 AND account_id = $2",
            session.to_string(),
            account.to_string()
        )?;
        Ok(found.is_some())
    }

    /// To the session that the same user has begun in the same browser.
    pub(crate) async fn move_device(self, tx: &mut Tx<'_>, from: SessionId, to: SessionId) -> Result<(), StoreError> {
        execute!(tx, "UPDATE push_device SET session_id = $2 WHERE session_id = $1", from.to_string(), to.to_string())?;
        Ok(())
    }

    /// Of a user whose sessions have ended in this transaction; of everybody with `None`.
    pub(crate) async fn end_devices_without_session(
        self,
        tx: &mut Tx<'_>,
        user: Option<&str>,
    ) -> Result<u64, StoreError> {
        let rows = fetch_all!(
            tx,
            DeviceRow,
            select_devices!(
                "($1 = '' OR user_id = $1)
                 AND NOT EXISTS (SELECT 1 FROM portal_session s WHERE s.id = push_device.session_id)"
            ),
            user.unwrap_or_default()
        )?;
        self.end_devices(tx, &rows).await?;
        Ok(rows.len() as u64)
    }

    async fn end_devices(self, tx: &mut Tx<'_>, devices: &[DeviceRow]) -> Result<(), StoreError> {
        for device in devices {
            // Before its destinations, to which it refers. Two who end one device come one after the other here.
            if execute!(tx, "DELETE FROM push_device WHERE id = $1", &device.id)? == 0 {
                continue;
            }
            let destinations = device.destinations()?;
            for (tenant, id) in &destinations {
                if self.lock(tx, tenant, *id).await?.is_some() {
                    self.remove(tx, *id).await?;
                }
            }
            let kind = DestinationKind::Push.as_str();
            let account = destinations[0].0.account;
            self.store.audit().note_change(tx, account, Change::DestinationDeleted, &device.id, kind).await?;
        }
        Ok(())
    }
}

impl PushDevice {
    /// Its push service may have ended it at a lead or at test data: it is one browser.
    pub fn is_active(&self) -> bool {
        self.production.draft.active && self.sandbox.draft.active
    }

    pub fn is_failing(&self) -> bool {
        self.production.failures_in_a_row > 0 || self.sandbox.failures_in_a_row > 0
    }

    /// The later of both.
    pub fn last_success_at(&self) -> Option<Timestamp> {
        self.production.last_success_at.max(self.sandbox.last_success_at)
    }
}
