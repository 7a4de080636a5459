//! A PostgreSQL server that keeps what it has committed, for `cargo xtask bench api`. Prints the address of an empty
//! database and runs until its input ends.

use std::io::Read;

use shingle_store_fixture::PgCluster;

fn main() {
    let Some(cluster) = PgCluster::durable() else {
        println!("none");
        return;
    };
    println!("{}", cluster.address("shingle"));
    // Both ends of this wait are the end.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
