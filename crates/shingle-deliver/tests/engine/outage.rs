//! A database that goes away in the middle, repeatedly.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use shingle_deliver::EngineSettings;
use shingle_store::{DeliveryFilter, DeliveryState, Store};
use shingle_store_fixture::Fixture;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::receiver::Receivers;
use crate::{HANGS, Running, account, count, destination, engine, pings};

/// Stands between a store and PostgreSQL, and can be cut like a cable.
struct Cable {
    is_cut: Arc<AtomicBool>,
    carried: Arc<Mutex<Vec<JoinHandle<()>>>>,
    /// Told of each connection that was refused.
    refused: mpsc::UnboundedReceiver<()>,
}

impl Cable {
    fn lay(folder: &Path, to: &Path) -> Self {
        let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).unwrap();
        let to = to.join(".s.PGSQL.5432");
        let (refusing, refused) = mpsc::unbounded_channel();
        let cable = Self { is_cut: Arc::default(), carried: Arc::default(), refused };
        let (is_cut, carried) = (cable.is_cut.clone(), cable.carried.clone());
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                if is_cut.load(Ordering::SeqCst) {
                    let _ = refusing.send(());
                    continue;
                }
                let to = to.clone();
                let one = tokio::spawn(async move {
                    let Ok(mut server) = UnixStream::connect(to).await else { return };
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                });
                carried.lock().unwrap().push(one);
            }
        });
        cable
    }

    /// Every connection breaks off where it is, perhaps between a commit and its confirmation. Returns when it was
    /// noticed: new ones were tried.
    async fn cut(&mut self) {
        self.is_cut.store(true, Ordering::SeqCst);
        for one in self.carried.lock().unwrap().drain(..) {
            one.abort();
        }
        for _ in 0..3 {
            tokio::time::timeout(HANGS, self.refused.recv()).await.expect("somebody who needs the database").unwrap();
        }
    }

    fn mend(&self) {
        self.is_cut.store(false, Ordering::SeqCst);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_dies_six_times_in_the_middle_loses_nothing_and_doubles_nothing() {
    const EVENTS: usize = 1_200;
    let Some(f) = Fixture::on_postgres().await else { return };
    let tenant = account(&f.store).await;
    let hooks = [destination(&f.store, &tenant, "crm").await, destination(&f.store, &tenant, "crm 2").await];
    for hook in hooks {
        pings(&f.store, &tenant, hook, EVENTS / 2).await;
    }
    let folder = std::env::temp_dir().join(format!("shingle-cable-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (before, socket) = f.address.split_once("?host=").unwrap();
    let mut cable = Cable::lay(&folder, Path::new(socket));
    let address = format!("{before}?host={}", folder.display());
    let far = Store::open(&address, f.clock.clone(), &Fixture::SECRET).await.unwrap();

    let (receivers, mut seen) = Receivers::new([]);
    let settings = EngineSettings { poll: Duration::from_millis(20), ..EngineSettings::default() };
    let running = Running::start(engine(&far, receivers, settings));
    let mut arrived = Vec::new();
    for _ in 0..6 {
        arrived.extend(seen.next_of("crm", 60).await);
        cable.cut().await;
        // Every lease ends meanwhile.
        f.clock.advance(Duration::from_secs(60));
        cable.mend();
    }
    arrived.extend(seen.next_of("crm", EVENTS - arrived.len()).await);
    running.stop().await;
    arrived.extend(seen.take());
    std::fs::remove_dir_all(&folder).unwrap();

    let mut events: Vec<_> = arrived.iter().map(|one| one.event.clone()).collect();
    events.sort_unstable();
    events.dedup();
    assert_eq!((arrived.len(), events.len()), (EVENTS, EVENTS), "requests and events");
    for hook in hooks {
        let found = f.store.destinations().find(&tenant, hook).await.unwrap().unwrap();
        assert_eq!((found.success_count, found.failure_count), (EVENTS as u64 / 2, 0));
        assert_eq!(count(&f.store, &tenant, hook, DeliveryState::Pending).await, 0);
        let page = f.store.deliveries().list(&tenant, hook, &DeliveryFilter::default(), None, 500).await.unwrap();
        assert!(page.deliveries.iter().all(|delivery| delivery.attempts == 1));
    }
}
