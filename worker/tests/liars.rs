//! Workers that report false records, together with honest ones. A liar is found and quarantined, and its records are
//! revoked. All positions are solved correctly in the end. No honest worker is accused.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::{AuditShare, Config, Coordinator, Start, rpc};
use sproutnet_game as game;
use sproutnet_model::Source;
use sproutnet_notation::ComputationId;
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_worker::WorkerError;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;

use crate::proxy::{Lies, Proxy};
use sproutnet_testkit::cluster::{Running, config};

/// The time limit for everything that is tested.
const PATIENCE: Duration = Duration::from_secs(300);

/// The number of records within which a worker that lies about one record in a thousand is caught in 999 of 1000 cases,
/// with the default share. Derived in `docs/explanation/trust.md`.
const CAUGHT_BY: u64 = 30_768;

/// A coordinator that audits records, in this process.
struct Court {
    coordinator: Arc<Coordinator>,
    address: SocketAddr,
    _data: TempDir,
}

impl Court {
    async fn with(audit: AuditShare, seed: u64) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let config = Config {
            audit,
            seed: Some(seed),
            ..Config::default()
        };
        let opened = Coordinator::open(data.path(), config, Instant::now());
        let coordinator = Arc::new(opened.expect("a store"));
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(any).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::clone(&coordinator);
        tokio::spawn(async move {
            let (incoming, for_ever) = (TcpListenerStream::new(listener), std::future::pending());
            rpc::serve(
                shared,
                &Protection::default(),
                incoming,
                for_ever,
                |routes| routes,
            )
            .await
        });
        Self {
            coordinator,
            address,
            _data: data,
        }
    }

    fn connection(&self) -> Connection {
        let url = format!("http://{}", self.address);
        let endpoint = Endpoint::new(&url, &Credentials::default(), Patience::default());
        endpoint.expect("an address").connect_lazy()
    }

    fn worker(address: SocketAddr, name: &str, data: Option<&Path>) -> Running {
        Running::with(
            address,
            sproutnet_worker::Config {
                name: name.to_owned(),
                data: data.map(Path::to_owned),
                ..config()
            },
        )
    }

    fn start(&self, position: &str, play: Play) -> ComputationId {
        let start = Start {
            position,
            play,
            nimber: false,
            deadline: None,
            priority: None,
            weight: None,
            owner: "",
            label: "",
        };
        let started = self.coordinator.computations.start(&start, Instant::now());
        started.expect("it starts").0
    }

    fn is_solved(&self, computation: ComputationId) -> bool {
        let listed = self
            .coordinator
            .computations
            .listed(computation, Instant::now())
            .expect("it is listed");
        listed.progress.status == Status::Solved
    }

    /// The names of quarantined workers.
    fn quarantined(&self) -> Vec<String> {
        let sources = self.coordinator.sources.quarantined().into_iter();
        sources.map(|source| source.name).collect()
    }

    /// Waits until `is_so` returns true.
    async fn until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let began = Instant::now();
        while !is_so() {
            let state = self.coordinator.state(Instant::now()).expect("a state");
            assert!(began.elapsed() < PATIENCE, "{what}: {state:?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn audits(&self) {
        let waiting = || {
            let state = self.coordinator.state(Instant::now()).expect("a state");
            state.audits.waiting
        };
        self.until("all is audited", || waiting() == 0).await;
    }

    /// Asserts that all these outcomes were found, and are as published.
    fn all_is_right(&self, positions: &[(String, Play)]) {
        for (position, play) in positions {
            let lookup = self
                .coordinator
                .queries
                .lookup_text(position)
                .expect("a position");
            let answer = self.coordinator.queries.answer(&lookup, Instant::now());
            let answer = answer.expect("an answer");
            let standing = match play {
                Play::Normal => answer.normal,
                Play::Misere => answer.misere,
            };
            assert!(
                standing.source.is_some_and(Source::is_here),
                "{play} {position}"
            );
            let found = standing.outcome.outcome();
            assert_eq!(found, Some(published(position, *play)), "{play} {position}");
        }
    }
}

fn published(position: &str, play: Play) -> Outcome {
    let (game, position) = game::parse(position).expect("a position");
    let published = sproutnet_query::published(&*game, &position, play);
    let standing = published.expect("published");
    standing.outcome.outcome().expect("an outcome")
}

/// The start positions with one to `spots` spots.
fn starts(spots: u32, play: Play) -> Vec<(String, Play)> {
    (1..=spots)
        .map(|spots| (format!("0*{spots}"), play))
        .collect()
}

/// A liar and an honest worker solve start positions until the liar is caught, and all of them in the
/// end.
async fn is_caught(play: Play, spots: u32, audit: AuditShare, bound: u64, lies: Lies) {
    let court = Court::with(audit, lies.seed).await;
    let proxy = Proxy::before(court.connection(), lies).await;
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let liar = Court::worker(proxy.address, "liar", Some(folders[0].path()));
    let honest = Court::worker(court.address, "honest", Some(folders[1].path()));
    let mut positions = starts(spots, play);
    let mut computations: Vec<ComputationId> = Vec::new();
    for (position, play) in &positions {
        computations.push(court.start(position, *play));
    }
    // More positions, if the liar was not caught yet.
    let mut next = spots + 1;
    loop {
        let has_ended = || computations.iter().all(|&id| court.is_solved(id));
        court
            .until("solved or caught", || {
                has_ended() || !court.quarantined().is_empty()
            })
            .await;
        court.audits().await;
        let passed = proxy.passed();
        assert!(
            passed.records <= bound,
            "not caught within the bound: {passed:?}"
        );
        if !court.quarantined().is_empty() {
            break;
        }
        positions.push((format!("0*{next}"), play));
        computations.push(court.start(&format!("0*{next}"), play));
        next += 1;
    }
    let ended = tokio::time::timeout(PATIENCE, liar.task).await;
    let ended = ended.expect("it ends by itself").expect("no panic");
    match ended {
        Err(WorkerError::Refused(why)) => assert!(why.contains("quarantined"), "{why}"),
        other => panic!("{other:?}"),
    }
    let passed = proxy.passed();
    let refused_after = passed.refused_after.expect("it was refused");
    assert!(passed.lies > 0 && refused_after <= bound, "{passed:?}");
    court
        .until("all is solved", || {
            computations.iter().all(|&id| court.is_solved(id))
        })
        .await;
    assert_eq!(court.quarantined(), ["liar"]);
    court.all_is_right(&positions);
    let sources = court.coordinator.sources.list().expect("a store");
    let liar = sources.iter().find(|source| source.name == "liar");
    let liar = liar.expect("it is remembered");
    assert_eq!(liar.records, 0, "{liar:?}");
    println!("{play}: {passed:?}, {} positions", positions.len());
    honest.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_liar_under_normal_play_is_caught() {
    let lies = Lies {
        one_of: 1000,
        about_jobs: false,
        seed: 1,
    };
    is_caught(Play::Normal, 11, AuditShare::default(), CAUGHT_BY, lies).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_liar_under_misere_play_is_caught() {
    let lies = Lies {
        one_of: 1000,
        about_jobs: false,
        seed: 2,
    };
    is_caught(Play::Misere, 9, AuditShare::default(), CAUGHT_BY, lies).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_liar_that_says_of_its_jobs_what_fits_its_lies_is_caught() {
    for (play, spots, seed) in [(Play::Normal, 11, 3), (Play::Misere, 9, 4)] {
        let lies = Lies {
            one_of: 1000,
            about_jobs: true,
            seed,
        };
        is_caught(play, spots, AuditShare::default(), CAUGHT_BY, lies).await;
    }
}

/// No other record contradicts the lie. Only the audit can find it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_liar_alone_is_caught() {
    let court = Court::with(AuditShare::constant(1.0), 1).await;
    let lies = Lies {
        one_of: 20,
        about_jobs: false,
        seed: 5,
    };
    let proxy = Proxy::before(court.connection(), lies).await;
    let liar = Court::worker(proxy.address, "liar", None);
    let computation = court.start("0*10", Play::Normal);
    court
        .until("somebody is quarantined", || {
            !court.quarantined().is_empty()
        })
        .await;
    assert_eq!(court.quarantined(), ["liar"]);
    let ended = liar.task.await.expect("no panic");
    assert!(matches!(ended, Err(WorkerError::Refused(_))), "{ended:?}");
    let store = court.coordinator.store();
    assert_eq!((store.len(), store.epoch().0), (0, 1));
    let honest = Court::worker(court.address, "honest", None);
    court
        .until("it is solved", || court.is_solved(computation))
        .await;
    court.all_is_right(&[("0*10".to_owned(), Play::Normal)]);
    honest.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_honest_is_accused() {
    for seed in 0..12 {
        let audit = match seed % 3 {
            0 => AuditShare::constant(1.0),
            _ => AuditShare::default(),
        };
        let court = Court::with(audit, seed).await;
        let workers = ["one", "two"].map(|name| Court::worker(court.address, name, None));
        let positions = [starts(9, Play::Normal), starts(8, Play::Misere)].concat();
        let start = |(position, play): &(String, Play)| court.start(position, *play);
        let computations: Vec<ComputationId> = positions.iter().map(start).collect();
        court
            .until("all is solved", || {
                computations.iter().all(|&id| court.is_solved(id))
            })
            .await;
        court.audits().await;
        let state = court.coordinator.state(Instant::now()).expect("a state");
        assert_eq!(state.audits.contradicted, 0, "seed {seed}: {state:?}");
        assert!(state.audits.confirmed > 100, "seed {seed}: {state:?}");
        assert_eq!(state.audits.given_up, 0, "seed {seed}: {state:?}");
        assert!(court.quarantined().is_empty());
        assert_eq!(court.coordinator.store().epoch().0, 0);
        court.all_is_right(&positions);
        println!("seed {seed}: {:?}", state.audits);
        for worker in workers {
            worker.stop().await;
        }
    }
}
