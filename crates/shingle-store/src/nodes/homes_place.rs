//! On which node the files of imports and areas lie, and questions to that node.

use std::time::Duration;

use shingle_domain::Timestamp;

use super::Nodes;
use super::node::GONE;
use crate::StoreError;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};

/// A node that has not shown its files for so long does not come back.
const FORGOTTEN: Duration = Duration::from_secs(8 * 24 * 3_600);
/// Nobody waits for an answer that long.
const UNASKED: Duration = Duration::from_secs(60);
/// Bound to each row by its seal.
const RECORD: &str = "homes_place";
const QUESTION: &str = "homes_question";

/// Files that lie on one node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomesPlace {
    pub node: String,
    pub host: String,
    /// As the node wrote it.
    pub record: String,
    /// The node runs.
    pub runs: bool,
}

/// What a node is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomesQuestion {
    pub id: String,
    pub question: String,
}

row! {
    struct PlaceRow {
        id: String,
        node_id: String,
        host: String,
        record: String,
        runs: bool,
    }
}

row! {
    struct QuestionRow {
        id: String,
        question: String,
    }
}

impl Nodes<'_> {
    /// All that lies on this node, each by its id.
    pub async fn show_homes(self, node: &str, host: &str, places: &[(String, String)]) -> Result<(), StoreError> {
        let now = Timestamp::from_micros(self.shared_now().await?);
        let seal = |(id, record): &(String, String)| {
            Ok((id.clone(), self.store.installation_keys.seal(&row_name(RECORD, id), record)?))
        };
        let sealed: Vec<_> = places.iter().map(seal).collect::<Result<_, StoreError>>()?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "DELETE FROM homes_place WHERE node_id = $1 OR shown_at < $2",
                node,
                (now - FORGOTTEN).micros()
            )?;
            for (id, record) in &sealed {
                execute!(
                    tx,
                    "INSERT INTO homes_place (id, node_id, host, record, shown_at) VALUES ($1, $2, $3, $4, $5)
                         ON CONFLICT (id) DO UPDATE SET node_id = excluded.node_id, host = excluded.host,
                             record = excluded.record, shown_at = excluded.shown_at",
                    id,
                    node,
                    host,
                    record,
                    now.micros()
                )?;
            }
            Ok(())
        })
    }

    /// What lies on the other nodes.
    pub async fn homes_elsewhere(self, node: &str) -> Result<Vec<HomesPlace>, StoreError> {
        let alive = (Timestamp::from_micros(self.shared_now().await?) - GONE).micros();
        let mut reader = self.store.db.read().await?;
        let sql = "SELECT id, node_id, host, record,
                       EXISTS (SELECT 1 FROM node WHERE node.id = node_id AND seen_at >= $2) AS runs
                   FROM homes_place WHERE node_id <> $1";
        let rows = fetch_all!(reader, PlaceRow, sql, node, alive)?;
        rows.into_iter().map(|row| self.opened(row)).collect()
    }

    /// Where something lies, unless it is on this node.
    pub async fn homes_place(self, node: &str, id: &str) -> Result<Option<HomesPlace>, StoreError> {
        let alive = (Timestamp::from_micros(self.shared_now().await?) - GONE).micros();
        let mut reader = self.store.db.read().await?;
        let sql = "SELECT id, node_id, host, record,
                       EXISTS (SELECT 1 FROM node WHERE node.id = node_id AND seen_at >= $3) AS runs
                   FROM homes_place WHERE id = $1 AND node_id <> $2";
        let row = fetch_optional!(reader, PlaceRow, sql, id, node, alive)?;
        row.map(|row| self.opened(row)).transpose()
    }

    fn opened(self, row: PlaceRow) -> Result<HomesPlace, StoreError> {
        let record = self.store.installation_keys.open(&row_name(RECORD, &row.id), &row.record)?;
        Ok(HomesPlace { node: row.node_id, host: row.host, record, runs: row.runs })
    }

    /// Asks a node; the id of the question.
    pub async fn ask_node(self, node: &str, question: &str) -> Result<String, StoreError> {
        let now = Timestamp::from_micros(self.shared_now().await?);
        let id = self.store.new_id()?.to_string();
        let sealed = self.store.installation_keys.seal(&row_name(QUESTION, &id), question)?;
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM homes_question WHERE asked_at < $1", (now - UNASKED).micros())?;
            execute!(
                tx,
                "INSERT INTO homes_question (id, node_id, question, asked_at) VALUES ($1, $2, $3, $4)",
                &id,
                node,
                &sealed,
                now.micros()
            )?;
            Ok(())
        })?;
        Ok(id)
    }

    /// What this node is asked and has not begun to answer. Each question comes once.
    pub async fn take_questions(self, node: &str) -> Result<Vec<HomesQuestion>, StoreError> {
        let since = (Timestamp::from_micros(self.shared_now().await?) - UNASKED).micros();
        let rows = transact!(self.store.db, |tx| {
            let sql = "UPDATE homes_question SET is_taken = TRUE
                       WHERE node_id = $1 AND is_taken = FALSE AND asked_at >= $2 RETURNING id, question";
            Ok(fetch_all!(tx, QuestionRow, sql, node, since)?)
        })?;
        let open = |row: QuestionRow| {
            let question = self.store.installation_keys.open(&row_name(QUESTION, &row.id), &row.question)?;
            Ok(HomesQuestion { question, id: row.id })
        };
        rows.into_iter().map(open).collect()
    }

    pub async fn answer_question(self, id: &str, answer: &str) -> Result<(), StoreError> {
        let sealed = self.store.installation_keys.seal(&row_name(QUESTION, id), answer)?;
        transact!(self.store.db, |tx| {
            execute!(tx, "UPDATE homes_question SET answer = $1 WHERE id = $2", &sealed, id)?;
            Ok(())
        })
    }

    /// The answer, once it is there. The question is gone then.
    pub async fn take_answer(self, id: &str) -> Result<Option<String>, StoreError> {
        let row = transact!(self.store.db, |tx| {
            let sql = "DELETE FROM homes_question WHERE id = $1 AND answer IS NOT NULL RETURNING answer";
            Ok(fetch_optional!(tx, (Option<String>,), sql, id)?)
        })?;
        let answer = row.and_then(|(answer,)| answer);
        answer.map(|answer| self.store.installation_keys.open(&row_name(QUESTION, id), &answer)).transpose()
    }

    /// Nobody waits for the answer any more.
    pub async fn drop_question(self, id: &str) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM homes_question WHERE id = $1", id)?;
            Ok(())
        })
    }
}

fn row_name(kind: &str, id: &str) -> String {
    format!("{kind} {id}")
}
