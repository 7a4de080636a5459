//! No statement that names a tenant and an id may read all rows of that tenant. Whatever statements the tests of a process
//! run are asked for their plans when a fixture ends, on a database with two companies of very different size.
//!
//! # Decision
//!
//! Every statement that names a tenant and an id is explained when a test of the store or of deliveries runs it, on
//! both databases, with one company of 20,000 leads beside one of 20. Turned down: a list of statements, which is
//! forgotten; `ANALYZE`, whose figures are averages over companies.

use std::collections::BTreeSet;
use std::sync::{LazyLock, Mutex, PoisonError};

use shingle_store::Store;
use sqlx::{AssertSqlSafe, Connection, PgConnection, Row, SqliteConnection};

use crate::clock::ManualClock;
use crate::postgres::{PgCluster, SECRET};
use crate::statement_log::{keep_statements, take_statements};

/// What PostgreSQL's plan may cost at most, in its own unit. Reading the rows of the large company costs more.
const MAX_COST: f64 = 400.0;

/// Tables that stay small, however many leads a company has.
const SMALL: [&str; 6] = ["widget", "destination", "portal_user", "push_device", "api_key", "account"];

/// Checks the plans of what was run when it is dropped.
pub struct PlanCheck {
    engine: Engine,
}

#[derive(Clone, Copy)]
pub enum Engine {
    Sqlite,
    Postgres,
}

impl PlanCheck {
    pub fn begin(engine: Engine) -> Self {
        keep_statements();
        Self { engine }
    }
}

impl Drop for PlanCheck {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        let mut statements = take_statements();
        {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            statements.retain(|statement| names_tenant_and_id(statement) && known.insert(statement.clone()));
        }
        if statements.is_empty() {
            return;
        }
        // Both engines run the same text; what only one of them understands has its own.
        let found = std::thread::spawn({
            let engine = self.engine;
            move || Skewed::get().slow(engine, &statements)
        });
        let slow = found.join().expect("plans");
        assert!(slow.is_empty(), "these read all rows of a company for one id:\n{}", slow.join("\n\n"));
    }
}

/// A condition on an account and one on an id that is not the account's. A filter that may be left out makes no such
/// condition: it narrows a list.
fn names_tenant_and_id(statement: &str) -> bool {
    let words: Vec<&str> = statement.split([' ', '\n', '(', ')', ',']).filter(|word| !word.is_empty()).collect();
    let equal = |column: fn(&str) -> bool| {
        let of_column = move |words: &&[&str]| column(words[0].rsplit('.').next().unwrap_or_default());
        words.windows(3).filter(|words| words[1] == "=" && words[2].starts_with('$')).filter(of_column)
    };
    let accounts: BTreeSet<&str> = equal(|column| column == "account_id").map(|words| words[2]).collect();
    let mut ids = equal(|column| column == "id" || (column.ends_with("_id") && column != "account_id"));
    let may_be_left_out = |parameter: &str| {
        [format!("{parameter} IS NULL OR"), format!("CAST({parameter} AS TEXT) IS NULL OR")]
            .iter()
            .any(|condition| statement.contains(condition))
    };
    !accounts.is_empty() && ids.any(|words| !accounts.contains(words[2]) && !may_be_left_out(words[2]))
}

/// The two databases, made once for a process.
struct Skewed {
    runtime: tokio::runtime::Runtime,
    sqlite: String,
    _folder: tempfile::TempDir,
    postgres: Option<String>,
}

impl Skewed {
    fn get() -> &'static Self {
        static SKEWED: LazyLock<Skewed> = LazyLock::new(Skewed::make);
        &SKEWED
    }

    fn make() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sqlite = format!("sqlite://{}", folder.path().join("skewed.db").display());
        let postgres = runtime.block_on(async {
            let clock = std::sync::Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
            let store = Store::open(&sqlite, clock, &SECRET).await.expect("a store");
            store.close().await.expect("a clean end");
            let mut connection = SqliteConnection::connect(&sqlite).await.expect("a connection");
            sqlx::raw_sql(FILLING).execute(&mut connection).await.expect("rows");
            let address = match PgCluster::shared() {
                Some(cluster) => Some(cluster.new_database().await),
                None => None,
            };
            if let Some(address) = &address {
                let mut connection = PgConnection::connect(address).await.expect("a connection");
                sqlx::raw_sql(FILLING).execute(&mut connection).await.expect("rows");
                sqlx::raw_sql("ANALYZE").execute(&mut connection).await.expect("figures");
            }
            address
        });
        Self { runtime, sqlite, _folder: folder, postgres }
    }

    fn slow(&self, engine: Engine, statements: &BTreeSet<String>) -> Vec<String> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        self.runtime.block_on(async {
            let mut slow = Vec::new();
            let mut sqlite = SqliteConnection::connect(&self.sqlite).await.expect("a connection");
            let mut postgres = match &self.postgres {
                Some(address) => Some(PgConnection::connect(address).await.expect("a connection")),
                None => None,
            };
            for statement in statements {
                let on_sqlite = sqlite_plan(&mut sqlite, statement).await;
                let on_postgres = match &mut postgres {
                    Some(connection) => postgres_cost(connection, statement).await,
                    None => Ok(None),
                };
                // An error of the other engine: the statement is not in its language.
                match (engine, &on_sqlite, &on_postgres) {
                    (Engine::Sqlite, Err(error), _) | (Engine::Postgres, _, Err(error)) => {
                        slow.push(format!("{statement}\n  has no plan: {error}"));
                    }
                    _ => {}
                }
                slow.extend(on_sqlite.ok().flatten().map(|step| format!("{statement}\n  SQLite: {step}")));
                slow.extend(on_postgres.ok().flatten().map(|cost| format!("{statement}\n  PostgreSQL: cost {cost}")));
            }
            slow
        })
    }
}

/// The step that reads all rows of a table or of a company.
async fn sqlite_plan(connection: &mut SqliteConnection, statement: &str) -> sqlx::Result<Option<String>> {
    let explained = format!("EXPLAIN QUERY PLAN {statement}");
    let rows = sqlx::raw_sql(AssertSqlSafe(explained)).fetch_all(connection).await?;
    let steps = rows.iter().map(|row| row.get::<String, _>("detail"));
    let is_slow = |step: &String| {
        let table = step.split(' ').nth(1).unwrap_or_default();
        let conditions = step.rsplit_once('(').map_or("", |(_, conditions)| conditions.trim_end_matches(')'));
        let of_company = conditions.split(" AND ").all(|c| ["account_id=?", "environment=?"].contains(&c));
        let reads_all =
            (step.starts_with("SCAN") && TABLES.contains(&table)) || (step.starts_with("SEARCH") && of_company);
        reads_all && !SMALL.contains(&table)
    };
    Ok(steps.into_iter().find(is_slow))
}

async fn postgres_cost(connection: &mut PgConnection, statement: &str) -> sqlx::Result<Option<f64>> {
    // A page of a list: what it costs depends on the page.
    if statement.contains("LIMIT $") {
        return Ok(None);
    }
    let parameters = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
    let values = vec!["NULL"; parameters].join(", ");
    let prepared = format!("PREPARE asked AS {statement}");
    sqlx::raw_sql(AssertSqlSafe(prepared)).execute(&mut *connection).await?;
    let explained = format!("SET plan_cache_mode = force_generic_plan; EXPLAIN EXECUTE asked({values})");
    let rows = sqlx::raw_sql(AssertSqlSafe(explained)).fetch_all(&mut *connection).await;
    sqlx::raw_sql("DEALLOCATE asked").execute(connection).await?;
    let first = rows?.first().map(|row| row.get::<String, _>(0)).unwrap_or_default();
    // `Index Scan … (cost=0.29..8.31 rows=1 width=32)`
    let cost = first.split_once("..").and_then(|(_, rest)| rest.split(' ').next()).and_then(|cost| cost.parse().ok());
    Ok(cost.filter(|cost| *cost > MAX_COST))
}

/// Tables with a row or more for each lead.
const TABLES: [&str; 13] = [
    "lead",
    "consent",
    "event",
    "delivery",
    "attempt",
    "lead_token",
    "lead_facet",
    "lead_work",
    "lead_entry",
    "lead_photo",
    "idempotency",
    "audit_entry",
    "portal_lead_view",
];

const FILLING: &str = include_str!("two_companies.sql");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_reads_all_rows_of_a_company_for_one_id_is_found() {
        let ordered = "SELECT id FROM consent WHERE lead_id = $1 AND account_id = $2 ORDER BY sequence";
        let by_place = "SELECT id FROM delivery WHERE account_id = $1 AND event_id || '' = $2";
        let quick = "SELECT id FROM consent WHERE id = $1 AND account_id = $2";
        let asked = BTreeSet::from([ordered, by_place, quick].map(str::to_owned));
        let slow = Skewed::get().slow(Engine::Sqlite, &asked).join("\n");
        assert!(slow.contains(&format!("{ordered}\n  SQLite: SEARCH consent")), "{slow}");
        assert!(slow.contains(&format!("{by_place}\n  SQLite: SCAN delivery")), "{slow}");
        assert!(PgCluster::shared().is_none() || slow.contains(&format!("{by_place}\n  PostgreSQL: cost")), "{slow}");
        assert!(!slow.contains(quick), "{slow}");
    }

    #[test]
    fn only_statements_with_a_tenant_and_an_id_are_asked_for_their_plan() {
        for (statement, is_asked) in [
            ("SELECT a FROM lead WHERE id = $1 AND account_id = $2", true),
            ("UPDATE lead SET a = $3 WHERE lead.id = $2\n AND lead.account_id = $1", true),
            ("SELECT a FROM consent WHERE account_id = $1 AND lead_id = $2", true),
            ("SELECT a FROM lead WHERE account_id = $1", false),
            ("SELECT a FROM lead WHERE id = $1", false),
            ("SELECT a FROM account WHERE id = $1 OR account_id = $1", false),
            ("SELECT a FROM lead WHERE account_id = $1 AND ($2 IS NULL OR widget_id = $2)", false),
        ] {
            assert_eq!(names_tenant_and_id(statement), is_asked, "{statement}");
        }
    }
}
