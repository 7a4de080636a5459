//! The bucket in a cluster of Garage: three processes, each file on all of them, of which one may die at any time and two
//! must run for anything to be written.
//!
//! `SHINGLE_GARAGE` names the program; it is a quarter of an hour's work for a compiler, so a nightly run builds it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use shingle_store_fixture::PgCluster;
use shingle_testing::skip;

use crate::nodes::{answer, ask_for_visit, client, found, leave_lead, new_database, read_photo, readiness, send_photo};
use crate::support::machine::Machine;

const BUCKET: &str = "oak";
/// As Garage has them.
const KEY: &str = "GK0123456789abcdef01234567";
const SECRET: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const RPC_SECRET: &str = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";

struct GarageNode {
    config: PathBuf,
    rpc: u16,
    s3: u16,
    process: Option<Child>,
}

struct Garage {
    program: PathBuf,
    nodes: Vec<GarageNode>,
    _folder: tempfile::TempDir,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[allow(clippy::disallowed_methods, reason = "this is a setting of the test run")]
fn program() -> Option<PathBuf> {
    std::env::var_os("SHINGLE_GARAGE").map(PathBuf::from)
}

impl GarageNode {
    fn new(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let (rpc, s3) = (free_port(), free_port());
        let config = folder.join("garage.toml");
        let text = format!(
            "metadata_dir = {:?}\ndata_dir = {:?}\ndb_engine = \"sqlite\"\nreplication_factor = 3\n\
             rpc_bind_addr = \"127.0.0.1:{rpc}\"\nrpc_public_addr = \"127.0.0.1:{rpc}\"\nrpc_secret = \"{RPC_SECRET}\"\n\
             [s3_api]\ns3_region = \"garage\"\napi_bind_addr = \"127.0.0.1:{s3}\"\n",
            folder.join("meta"),
            folder.join("data"),
        );
        std::fs::write(&config, text).unwrap();
        Self { config, rpc, s3, process: None }
    }
}

impl Garage {
    /// `None`: nothing says where the program is.
    async fn start() -> Option<Self> {
        let program = program()?;
        let folder = tempfile::tempdir().unwrap();
        let nodes = (0..3).map(|number| GarageNode::new(&folder.path().join(number.to_string()))).collect();
        let mut garage = Self { program, nodes, _folder: folder };
        (0..3).for_each(|node| garage.raise(node));
        let ids: Vec<String> = (0..3).map(|node| garage.id(node)).collect();
        garage.until_it_does(&["status"]).await;
        for id in &ids[1..] {
            garage.until_it_does(&["node", "connect", id]).await;
        }
        for id in &ids {
            let name = id.split('@').next().unwrap();
            garage.until_it_does(&["layout", "assign", "-z", "here", "-c", "1G", name]).await;
        }
        garage.until_it_does(&["layout", "apply", "--version", "1"]).await;
        garage.until_it_does(&["key", "import", "--yes", KEY, SECRET]).await;
        garage.until_it_does(&["bucket", "create", BUCKET]).await;
        garage.until_it_does(&["bucket", "allow", "--read", "--write", BUCKET, "--key", KEY]).await;
        Some(garage)
    }

    fn command(&self, node: usize, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(&self.nodes[node].config).args(words);
        command
    }

    fn raise(&mut self, node: usize) {
        let mut command = self.command(node, &["server"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.nodes[node].process = Some(command.spawn().unwrap());
    }

    fn kill(&mut self, node: usize) {
        let mut process = self.nodes[node].process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// With its address.
    fn id(&self, node: usize) -> String {
        let told = self.command(node, &["node", "id", "-q"]).output().unwrap();
        let id = String::from_utf8(told.stdout).unwrap().trim().to_owned();
        if id.contains('@') { id } else { format!("{id}@127.0.0.1:{}", self.nodes[node].rpc) }
    }

    /// Asks again while the cluster comes together.
    async fn until_it_does(&self, words: &[&str]) {
        let mut last: Option<Output> = None;
        for _ in 0..150 {
            let told = self.command(0, words).output().unwrap();
            if told.status.success() {
                return;
            }
            last = Some(told);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("garage {words:?}: {last:?}");
    }

    /// Its servers keep pictures and homes here, and ask this node.
    fn machine(&self, node: usize, database: String, secret_of: Option<&Machine>) -> Machine {
        let machine = Machine::new(Some(database));
        machine.set(&format!(
            "storage = \"s3://{BUCKET}/pictures\"\nproperty_bucket = \"s3://{BUCKET}/homes\"\ns3_endpoint = \"http://127.0.0.1:{}\"\n\
             s3_region = \"garage\"\ns3_key = \"{KEY}\"\ns3_secret = \"{SECRET}\"\ns3_path_style = true\n",
            self.nodes[node].s3
        ));
        if let Some(first) = secret_of {
            std::fs::create_dir_all(machine.data()).unwrap();
            std::fs::copy(first.data().join("secret"), machine.data().join("secret")).unwrap();
        }
        machine
    }
}

impl Drop for Garage {
    fn drop(&mut self) {
        for process in self.nodes.iter_mut().filter_map(|node| node.process.as_mut()) {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pictures_homes_and_backups_lie_in_a_cluster_of_which_nodes_die() {
    let Some(mut garage) = Garage::start().await else {
        return skip("SHINGLE_GARAGE names no program of Garage");
    };
    let Some(cluster) = PgCluster::shared() else { return };
    let database = new_database(cluster);
    let first = garage.machine(0, database.clone(), None);
    let one = first.serve();
    let key = found(&first, &one).await;
    let second = garage.machine(1, database, Some(&first));
    let two = second.serve();

    let lead = leave_lead(&one).await;
    let (status, photo) = send_photo(&one, &lead).await;
    assert_eq!(status, 201, "{photo}");
    let photo = photo["id"].as_str().unwrap().to_owned();
    ask_for_visit(&two, &lead).await;
    let (status, bytes) = read_photo(&two, &key, &lead.0, &photo).await;
    assert!(status == 200 && image::load_from_memory(&bytes).is_ok(), "by another node of both clusters");

    shingle_property::sample_town::build(&first.data().join("property")).unwrap();
    let pushed = first.ask(&["index", "push"]);
    let pulled = second.ask(&["index", "pull"]);
    assert_eq!((&pulled["places"], &pulled["bytes"]), (&pushed["places"], &pushed["bytes"]));
    let backup = format!("s3://{BUCKET}/backups/oak.tar.zst");
    first.ask(&["backup", &backup]);
    second.ask(&["backup", "check", &backup]);

    // One of three is dead: all goes on.
    garage.kill(2);
    assert_eq!(send_photo(&one, &lead).await.0, 201);
    assert_eq!(read_photo(&two, &key, &lead.0, &photo).await, (200, bytes.clone()));
    // Two are dead, and the one that is asked refuses to write: leads are taken.
    garage.kill(1);
    assert_eq!(send_photo(&one, &lead).await.0, 503, "within the time of the client");
    let other = leave_lead(&one).await;
    assert_eq!(readiness(&one).await.0, 200);
    // They come back, and what was there is there.
    garage.raise(1);
    garage.raise(2);
    let mut status = 0;
    for _ in 0..20 {
        status = send_photo(&one, &other).await.0;
        if status == 201 {
            break;
        }
    }
    assert_eq!(status, 201, "it takes pictures again");
    assert_eq!(read_photo(&two, &key, &lead.0, &photo).await, (200, bytes));
    let erased = client().delete(format!("{}/api/v1/leads/{}", two.base, lead.0)).header("token", &key);
    assert_eq!(answer(erased).await.0, 200);
    assert_eq!(read_photo(&one, &key, &lead.0, &photo).await.0, 404);
}
