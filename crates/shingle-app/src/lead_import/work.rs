//! A file of leads brought in, a hundred rows at a time, or taken back.
//!
//! # Decision
//!
//! Each row has a key, as a browser's request has: a row that was stored before its server died is not stored again. How
//! far an import is stands in the database with the time, and a server that finds one silent goes on with it. Turned down:
//! one transaction for the file, in which ten thousand leads would hold up those that come in meanwhile.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use shingle_domain::lead::{LeadChannel, LeadStatus};
use shingle_domain::{Email, Language, LeadId, LeadImportId, Tenant, WidgetId};
use shingle_portal::phrase;
use shingle_store::{
    AddedBy, ConsentDraft, ContactEdit, EditOutcome, FromFile, ImportProgress, ImportStage, SeenContact, StoreError,
    StoredWidget, SubmissionOutcome, User, spawn_acting,
};

use super::around::Around;
use super::columns::Known;
use super::plan::{contacts, known_leads};
use super::row::{RowLead, SaidConsent};
use super::stored::{Import, find};
use crate::app::App;
use crate::failure::Failure;
use crate::leads::by_hand::{Contact, draft_of, home_of, widgets_for};

const TOGETHER: usize = 100;
/// A server that works on an import notes it far more often.
pub const SILENCE: Duration = Duration::from_secs(120);
/// How long the rows that were left out are here, and an import can be undone.
pub const KEPT: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long a file is here that nobody imports.
pub const WAITS: Duration = Duration::from_secs(24 * 3_600);

/// It outlives the request, and the audit log names who asked.
pub fn spawn(app: &Arc<App>, tenant: Tenant, id: LeadImportId) {
    let app = app.clone();
    spawn_acting(async move {
        if let Err(error) = go_on(&app, &tenant, id).await {
            tracing::error!(import = %id, ?error, "an import of leads was interrupted; it goes on in some minutes");
        }
    });
}

/// Those whose server has died.
pub async fn go_on_with_silent(app: &Arc<App>) -> Result<(), StoreError> {
    for (tenant, id, _) in app.store.leads().take_over_imports(SILENCE).await? {
        tracing::info!(import = %id, "an import of leads goes on");
        spawn(app, tenant, id);
    }
    app.store.leads().delete_old_imports(KEPT, WAITS).await?;
    Ok(())
}

async fn go_on(app: &Arc<App>, tenant: &Tenant, id: LeadImportId) -> Result<(), Failure> {
    let Some(import) = find(app, tenant, id).await? else { return Ok(()) };
    match import.stored.stage {
        ImportStage::Running => bring_in(app, tenant, &import).await,
        ImportStage::Undoing => take_back(app, tenant, &import).await,
        ImportStage::Stopping => stopped(app, tenant, id).await,
        _ => Ok(()),
    }
}

/// Nothing works on it any more.
async fn stopped(app: &App, tenant: &Tenant, id: LeadImportId) -> Result<(), Failure> {
    app.store.leads().move_import(tenant, id, &[ImportStage::Stopping], ImportStage::Stopped).await?;
    Ok(())
}

/// A row with its place among the rows.
type Numbered = (usize, RowLead);

async fn bring_in(app: &Arc<App>, tenant: &Tenant, import: &Import) -> Result<(), Failure> {
    let Some(table) = &import.table else { return Ok(()) };
    let around = Around::read(app, tenant).await?;
    let reader = around.reader(table, &import.record.choices);
    let widgets = widgets_for(app, tenant).await?;
    let stored = widgets.into_iter().find(|stored| stored.widget.reference_id == import.record.widget);
    let Some(stored) = stored.map(Arc::new) else {
        tracing::warn!(import = %import.id(), "the widget of an import of leads is gone, so it stops");
        app.store.leads().move_import(tenant, import.id(), &[ImportStage::Running], ImportStage::Stopped).await?;
        return Ok(());
    };
    let work = Work { app, tenant, import, stored };
    let start = usize::try_from(import.stored.progress.done).unwrap_or(usize::MAX);
    let mut before = import.stored.progress.done;
    for rows in table.rows.get(start..).unwrap_or_default().chunks(TOGETHER) {
        let mut progress = ImportProgress { done: count(rows.len()), ..ImportProgress::default() };
        let mut waiting: Vec<Numbered> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        for (number, cells) in rows {
            let Ok(lead) = reader.read(cells) else {
                progress.left_out += 1;
                continue;
            };
            let contacts = contacts(&lead);
            // The person of an earlier row is then a lead that is here.
            if contacts.iter().any(|contact| seen.contains(contact)) {
                work.store(std::mem::take(&mut waiting), &mut progress).await?;
                seen.clear();
            }
            seen.extend(contacts);
            waiting.push((*number, lead));
        }
        work.store(waiting, &mut progress).await?;
        match app.store.leads().note_import(tenant, import.id(), before, progress).await? {
            Some(ImportStage::Running) => before += progress.done,
            Some(ImportStage::Stopping) => return stopped(app, tenant, import.id()).await,
            _ => return Ok(()),
        }
    }
    let left_out: Vec<_> = table.rows.iter().filter(|(_, cells)| reader.read(cells).is_err()).cloned().collect();
    let left_out = super::file::Table { rows: left_out, ..table.clone() };
    let content = if left_out.rows.is_empty() { None } else { Some(left_out.kept().map_err(Failure::fault)?) };
    app.store
        .leads()
        .finish_import(tenant, import.id(), (ImportStage::Running, ImportStage::Done), content.as_deref())
        .await?;
    tracing::info!(import = %import.id(), "an import of leads is done");
    Ok(())
}

async fn take_back(app: &Arc<App>, tenant: &Tenant, import: &Import) -> Result<(), Failure> {
    let mut last = None;
    loop {
        let ids = app.store.leads().untouched_of_import(tenant, import.id(), last, 20).await?;
        if ids.is_empty() {
            break;
        }
        for id in &ids {
            match app.store.leads().erase(tenant, *id).await {
                Ok(()) | Err(StoreError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        last = ids.last().copied();
        app.store
            .leads()
            .note_import(tenant, import.id(), import.stored.progress.done, ImportProgress::default())
            .await?;
    }
    app.store.leads().finish_import(tenant, import.id(), (ImportStage::Undoing, ImportStage::Undone), None).await?;
    tracing::info!(import = %import.id(), "an import of leads is undone");
    Ok(())
}

struct Work<'w> {
    app: &'w Arc<App>,
    tenant: &'w Tenant,
    import: &'w Import,
    stored: Arc<StoredWidget>,
}

impl Work<'_> {
    /// Rows of different people.
    async fn store(&self, rows: Vec<Numbered>, progress: &mut ImportProgress) -> Result<(), Failure> {
        let leads = self.app.store.leads();
        let people: Vec<_> = rows.iter().map(|(_, lead)| (lead.email.clone(), lead.phone.clone())).collect();
        let known = known_leads(self.app, self.tenant, &people).await?;
        let mut new = Vec::new();
        for (n, (number, lead)) in rows.into_iter().enumerate() {
            let here = known.get(&n).and_then(|known| known.iter().find(|known| lead.is_at(&known.address)));
            let Some(id) = here.filter(|_| self.import.record.choices.known != Known::AddAnyway).map(|lead| lead.id)
            else {
                new.push((number, lead));
                continue;
            };
            // Stored by a server that died before it could say so.
            if leads.accepted_with(self.tenant, self.import.record.widget, &self.key(number)).await?.is_some() {
                progress.created += 1;
            } else if self.import.record.choices.known == Known::FillIn && self.fill_in(id, &lead).await? {
                progress.filled += 1;
            } else {
                progress.skipped += 1;
            }
        }
        let created = join_all(new.into_iter().map(|(number, lead)| self.create(number, lead))).await;
        for created in created {
            match created? {
                Some(has_price) => {
                    progress.created += 1;
                    progress.priced += u64::from(has_price);
                }
                None => progress.skipped += 1,
            }
        }
        Ok(())
    }

    fn key(&self, number: usize) -> String {
        format!("import {} {number}", self.import.id())
    }

    /// Whether it has a price. `None`: a server that died had stored it, and it was erased meanwhile.
    async fn create(&self, number: usize, row: RowLead) -> Result<Option<bool>, Failure> {
        let home = home_of(self.app, self.tenant, self.stored.clone(), row.address.clone()).await?;
        let has_price = home.estimate.is_some();
        let record = &self.import.record;
        let contact = Contact {
            first_name: row.first_name,
            last_name: row.last_name,
            email: row.email,
            phone: row.phone,
            message: None,
            language: Language::English,
            via: LeadChannel::Import,
        };
        let by = AddedBy {
            id: record.by,
            name: record.by_name.clone(),
            email: Email::parse(&record.by_email).ok_or(Failure::NotFound)?,
            from_file: Some(Box::new(FromFile {
                import: self.import.id(),
                file_name: record.file_name.clone(),
                received: row.received,
                status: row.status,
                assignee: row.assignee,
                won_value: row.own_estimate.filter(|_| row.status == LeadStatus::Won),
                note: row.note,
                tags: row.tags,
            })),
        };
        let draft = draft_of(contact, home, self.consent(row.consent.as_ref()), by);
        let (owner, widget): (_, WidgetId) = (&self.stored.tenant, self.stored.widget.reference_id);
        let (leads, key) = (self.app.store.leads(), self.key(number));
        let accepted = match self.tenant == owner {
            true => leads.accept(owner, widget, &draft, &key, b"from a file").await,
            false => leads.accept_test(owner, widget, &draft, &key, b"from a file").await,
        };
        let accepted = match accepted {
            Err(StoreError::NotFound) => return Ok(None),
            accepted => accepted?,
        };
        if accepted.outcome == SubmissionOutcome::Created {
            self.app.metrics.lead("created");
        }
        Ok(Some(has_price))
    }

    fn consent(&self, said: Option<&SaidConsent>) -> ConsentDraft {
        let (name, file) = (self.import.record.by_name.as_str(), self.import.record.file_name.as_str());
        let text = match said {
            Some(SaidConsent { column, word, .. }) => phrase(
                Language::English,
                "Taken over from the file “{file}”, column “{column}”: “{word}”. Imported by {name}.",
                &[("file", file), ("column", column), ("word", word), ("name", name)],
            ),
            None => phrase(
                Language::English,
                "The file “{file}” says nothing of it. Imported by {name}.",
                &[("file", file), ("name", name)],
            ),
        };
        ConsentDraft { given: said.is_some_and(|said| said.given), text, page_url: None, ip: None, user_agent: None }
    }

    /// Whether something was blank. What a person has changed meanwhile stays.
    async fn fill_in(&self, id: LeadId, row: &RowLead) -> Result<bool, Failure> {
        let leads = self.app.store.leads();
        let (Some(lead), Some(by)) =
            (leads.find(self.tenant, id).await?, self.app.store.people().find_user(self.import.record.by).await?)
        else {
            return Ok(false);
        };
        let seen = SeenContact::of(&lead);
        let edit = ContactEdit {
            first_name: lead.first_name.clone(),
            last_name: if lead.last_name.is_empty() { row.last_name.clone() } else { lead.last_name.clone() },
            email: lead.email.clone().or_else(|| row.email.clone()),
            phone: lead.phone.clone().or_else(|| row.phone.clone()),
            home: None,
        };
        let is_blank = edit.last_name != lead.last_name || edit.email != lead.email || edit.phone != lead.phone;
        let fill = async {
            let is_filled = is_blank
                && matches!(leads.edit_contact(self.tenant, id, &by, &edit, &seen).await?, EditOutcome::Done(_));
            Ok(self.add_beside(id, &by, row).await? || is_filled)
        };
        match fill.await {
            // Erased meanwhile.
            Err(Failure::Store(StoreError::NotFound)) => Ok(false),
            filled => filled,
        }
    }

    /// A note that is not there yet, tags, and whose it is where it is nobody's.
    async fn add_beside(&self, id: LeadId, by: &User, row: &RowLead) -> Result<bool, Failure> {
        let leads = self.app.store.leads();
        let mut is_added = false;
        if let Some(note) = &row.note {
            let notes = leads.notes(self.tenant, &[id]).await?;
            if !notes.get(&id).is_some_and(|notes| notes.iter().any(|known| known.text == *note)) {
                leads.add_note(self.tenant, id, by, note).await?;
                is_added = true;
            }
        }
        let tags = leads.tags_of(self.tenant, &[id]).await?.remove(&id).unwrap_or_default();
        for tag in &row.tags {
            if !tags.iter().any(|known| known.name.to_lowercase() == tag.folded()) {
                leads.add_tag(self.tenant, id, by, tag).await?;
                is_added = true;
            }
        }
        if let Some(to) = row.assignee
            && leads.work(self.tenant, id).await?.assignee.is_none()
        {
            match leads.assign(self.tenant, id, by, Some(to), Some("")).await {
                Ok(()) => is_added = true,
                // A person was quicker, or has left.
                Err(StoreError::Outdated | StoreError::NotFound) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(is_added)
    }
}

fn count(rows: usize) -> u64 {
    u64::try_from(rows).unwrap_or(u64::MAX)
}
