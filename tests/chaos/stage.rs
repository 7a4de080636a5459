//! All that runs, and what is done to it.

use std::path::Path;
use std::time::Duration;

use crate::balancer::Balancer;
use crate::database::Database;
use crate::dice::Dice;
use crate::fault::Fault;
use crate::ledger::Ledger;
use crate::node::Node;
use crate::storage::Storage;

pub const NODES: usize = 3;
const HOUR: i64 = 3_600;

pub struct Stage {
    pub nodes: Vec<Node>,
    pub balancer: Balancer,
    pub database: Database,
    pub storage: Storage,
}

impl Stage {
    /// Starts all nodes at once, on a database without tables.
    pub async fn set(database: Database, storage: Storage, faketime: Option<&Path>) -> Self {
        let balancer = Balancer::start(NODES).await;
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        shingle_store::Secret::load_or_create(&secret).unwrap();
        let settings = format!(
            "base_url = {:?}\ntrusted_proxy = [\"127.0.0.1/32\"]\negress_allow = [\"127.0.0.0/8\"]\negress_http = true\n\
             lookup_cents = {}\nretry_seconds = [1, 1, 2, 2, 5, 5, 5, 5, 5, 5]\n{}",
            balancer.base,
            crate::parties::PRICE,
            storage.settings()
        );
        let address = &database.wire.address;
        let mut nodes: Vec<Node> = (0..NODES).map(|_| Node::new(address, &secret, &settings, faketime)).collect();
        let starting: Vec<_> = nodes.iter().map(Node::begin).collect();
        for (number, (node, server)) in nodes.iter_mut().zip(starting).enumerate() {
            node.serves(server);
            balancer.place(number, Some(node.base()));
        }
        balancer.until_all_are_ready().await;
        Self { nodes, balancer, database, storage }
    }

    fn kill(&mut self, number: usize) {
        self.nodes[number].kill();
        self.balancer.place(number, None);
    }

    fn start(&mut self, number: usize) {
        let starting = self.nodes[number].begin();
        self.nodes[number].serves(starting);
        self.balancer.place(number, Some(self.nodes[number].base()));
    }

    /// The fault in the middle of the load, and the way back; returns when all are served again.
    pub async fn suffer(&mut self, fault: Fault, ledger: &Ledger, dice: &mut Dice) {
        ledger.begin(fault);
        let one = dice.below(NODES as u64) as usize;
        match fault {
            Fault::Nothing => {}
            Fault::NodeKilled => {
                self.kill(one);
                ledger.until_more_answers(dice.below(60)).await;
                self.start(one);
            }
            Fault::TwoNodesKilled => {
                let other = (one + 1) % NODES;
                self.kill(one);
                self.kill(other);
                ledger.until_more_answers(dice.below(60)).await;
                self.start(one);
                self.start(other);
            }
            Fault::NodeStopped => {
                self.nodes[one].signal("-STOP");
                tokio::time::sleep(Duration::from_millis(2_000 + dice.below(5_000))).await;
                self.nodes[one].signal("-CONT");
            }
            Fault::Promotion => self.promote(dice),
            Fault::StandbyLost => {
                self.database.lose_standby();
                self.balancer.until_none_is_ready().await;
                self.database.standby_returns();
            }
            Fault::DatabaseSilent => {
                self.database.wire.set_open(false);
                tokio::time::sleep(Duration::from_millis(500 + dice.below(9_500))).await;
                self.database.wire.set_open(true);
            }
            Fault::ConnectionsLost => {
                self.database.wire.cut_all();
            }
            Fault::BucketGone | Fault::BucketSilent => self.lose_bucket(fault, ledger, dice).await,
            Fault::ClockAhead | Fault::ClockBehind => {
                self.nodes[one].set_clock(if fault == Fault::ClockAhead { HOUR } else { -HOUR });
                ledger.until_more_answers(100 + dice.below(100)).await;
                // It is corrected while the node serves, or before its next start.
                let dies = dice.one_in(2);
                if dies {
                    self.kill(one);
                }
                self.nodes[one].set_clock(0);
                if dies {
                    self.start(one);
                }
            }
        }
        self.balancer.until_all_are_ready().await;
        ledger.until_more_answers(20).await;
        ledger.end();
        if fault == Fault::Promotion {
            // The next one needs a pair again. It is made while people come.
            self.database.make_standby();
        }
    }

    /// The primary is killed, and nodes learn of it by the end of their connections, or not at all.
    fn promote(&mut self, dice: &mut Dice) {
        match dice.below(3) {
            0 => {}
            1 => {
                self.database.wire.cut_all();
            }
            _ => self.database.wire.set_open(false),
        }
        self.database.kill_primary();
        self.database.promote_standby();
        self.database.wire.set_open(true);
    }

    async fn lose_bucket(&self, fault: Fault, ledger: &Ledger, dice: &mut Dice) {
        let bucket = &self.storage.bucket;
        if fault == Fault::BucketGone {
            bucket.goes()
        } else {
            bucket.set_silent(true)
        }
        ledger.until_more_answers(60 + dice.below(100)).await;
        bucket.comes_back();
        bucket.set_silent(false);
    }
}
