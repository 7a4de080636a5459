//! PostgreSQL with a synchronous standby, which is promoted when the primary dies. Both are on sockets in a folder of their own,
//! and nodes reach the primary by one address, as by the virtual address of a cluster.

use shingle_store_fixture::{PostgresShell, folder_with};

use crate::wire::Wire;

pub struct Database {
    shell: PostgresShell,
    pub wire: Wire,
}

/// A killed process loses nothing that it gave to the system, so commits need not wait for the disk. A primary has its own
/// standby alone before it waits for it; what it acknowledged until then is there by then.
const KEEPER: &str = r#"
set -e
trap '' INT HUP
programs="$1"
folder=$(mktemp -d /tmp/shingle-pair.XXXXXX)
primary=1 standby= newest=1
end() {
    trap - EXIT
    for data in "$folder"/*/data; do
        "$programs/pg_ctl" -D "$data" -m immediate -s stop </dev/null >/dev/null 2>&1 || :
    done
    rm -rf "$folder"
}
trap end EXIT
start() {
    mkdir -p "$folder/$1/socket"
    "$programs/pg_ctl" -D "$folder/$1/data" -l "$folder/$1/log" -w -t 120 -s start </dev/null >/dev/null \
        -o "-c listen_addresses='' -c unix_socket_directories='$folder/$1/socket' -c max_connections=400 -c fsync=off -c autovacuum=off -c shared_buffers=32MB -c wal_keep_size=512MB" \
        || { cat "$folder/$1/log" >&2; exit 1; }
}
sql() { "$programs/psql" -h "$folder/$primary/socket" -U shingle -d postgres -qAtX -c "$1"; }
until_standby_follows() {
    until [ "$(sql "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'")" = 1 ]; do
        sleep 0.1
    done
}
make_standby() {
    newest=$((newest + 1)) standby=$((newest))
    mkdir -p "$folder/$standby"
    "$programs/pg_basebackup" -D "$folder/$standby/data" -R -X stream -c fast --no-sync \
        -d "host=$folder/$primary/socket user=shingle application_name=standby" </dev/null
    start "$standby"
    sql "ALTER SYSTEM SET synchronous_standby_names = '*'"
    sql "SELECT pg_reload_conf()" >/dev/null
    until_standby_follows
}
kill_primary() {
    data="$folder/$primary/data"
    postmaster=$(head -n 1 "$data/postmaster.pid")
    memory=$(sed -n 7p "$data/postmaster.pid" | awk '{ print $2 }')
    # It makes no more processes, and some of those that it has made may end by themselves.
    kill -STOP "$postmaster"
    kill -9 "$postmaster" $(cat "/proc/$postmaster/task/$postmaster/children") 2>/dev/null || :
    # Nobody else will give it back.
    ipcrm -m "$memory" 2>/dev/null || :
    rm -rf "$folder/$primary" 2>/dev/null || :
}
mkdir "$folder/1"
"$programs/initdb" -D "$folder/1/data" -U shingle -A trust -E UTF8 --locale=C --no-sync </dev/null >"$folder/1/log" 2>&1 || { cat "$folder/1/log" >&2; exit 1; }
start 1
make_standby
echo "$folder/1/socket"
while read -r word; do
    case "$word" in
        kill) kill_primary ;;
        promote)
            "$programs/pg_ctl" -D "$folder/$standby/data" -w -t 120 -s promote </dev/null >/dev/null
            primary=$standby standby= ;;
        pair) make_standby ;;
        lose) "$programs/pg_ctl" -D "$folder/$standby/data" -m immediate -s stop </dev/null >/dev/null ;;
        return) start "$standby"; until_standby_follows ;;
    esac
    echo "$word $folder/$primary/socket"
done
"#;

impl Database {
    /// `None`: PostgreSQL is not installed.
    pub async fn start() -> Option<Self> {
        let programs = folder_with(&["initdb", "pg_ctl", "pg_basebackup", "psql"])?;
        let (shell, socket) = PostgresShell::start(KEEPER, &programs, &[]);
        let address = format!("postgres://shingle@localhost/chaos?host={socket}");
        Some(Self { shell, wire: Wire::lay_to_one_of_two(&address.parse().unwrap()).await })
    }

    pub fn kill_primary(&mut self) {
        self.shell.tell("kill");
    }

    /// The standby is the primary from now on, alone, and the address leads to it.
    pub fn promote_standby(&mut self) {
        let socket = self.shell.tell("promote");
        self.wire.lead_to(&socket);
    }

    /// Gives the primary a new standby; returns when commits wait for it.
    pub fn make_standby(&mut self) {
        self.shell.tell("pair");
    }

    /// Commits wait for it until it returns.
    pub fn lose_standby(&mut self) {
        self.shell.tell("lose");
    }

    pub fn standby_returns(&mut self) {
        self.shell.tell("return");
    }
}
