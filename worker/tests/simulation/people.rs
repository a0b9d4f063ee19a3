//! A user that starts computations, interferes with them, and observes everything.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use fastrand::Rng;
use sproutnet_proto::v1;
use sproutnet_transport::connect::Connection;
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt;
use tonic::{Code, Response, Status};
use turmoil::Result;
use v1::client_service_client::ClientServiceClient;

use crate::hosts::Shared;
use crate::network::connection;
use crate::positions::Root;
use crate::witness::{Witness, violation};

/// Whether faults still happen. When they have stopped, everything that was started must be solved.
pub(crate) type Trouble = Rc<Cell<bool>>;

/// The time after which all connections are sound: one that silently lost a message is closed after half a minute.
const SETTLED: Duration = Duration::from_secs(35);

/// Uses the cluster until faults have stopped, all roots are solved, and all connections are sound.
///
/// # Errors
/// A violation was observed.
pub(crate) async fn run(witness: Shared, trouble: Trouble, seed: u64) -> Result {
    let mut person = Person {
        calls: ClientServiceClient::new(connection()),
        random: Rng::with_seed(seed),
        witness,
    };
    while trouble.get() {
        person.meddle().await?;
        sleep(Duration::from_millis(person.random.u64(0..1500))).await;
    }
    let quiet = Instant::now();
    while !person.finish().await? {
        sleep(Duration::from_secs(1)).await;
    }
    tokio::time::sleep_until(quiet + SETTLED).await;
    person.look().await
}

struct Person {
    calls: ClientServiceClient<Connection>,
    random: Rng,
    witness: Shared,
}

type Call<T> = std::result::Result<Response<T>, Status>;

/// The answer to a call. `None` if the call failed and may be repeated.
fn answer<T>(call: Call<T>) -> Result<Option<T>> {
    match call {
        Ok(response) => Ok(Some(response.into_inner())),
        Err(status) => match status.code() {
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => Ok(None),
            _ => Err(violation(format!("a call failed: {status}")).into()),
        },
    }
}

/// A pause or a resumption may come too late.
fn not_too_late<T>(call: Call<T>) -> Result {
    match call {
        Err(status) if status.code() == Code::FailedPrecondition => Ok(()),
        call => answer(call).map(drop),
    }
}

impl Person {
    /// Makes a random call.
    async fn meddle(&mut self) -> Result {
        let root = {
            let witness = self.witness.borrow();
            witness.roots()[self.random.usize(..witness.roots().len())]
        };
        let id = self.random.choice(self.witness.borrow().numbers());
        match (self.random.u32(..12), id) {
            (0..=3, _) => {
                let wishes = v1::StartRequest {
                    nimber: root.play == v1::Play::Normal && self.random.bool(),
                    deadline_ms: [0, 0, self.random.u64(1..20_000)][self.random.usize(..3)],
                    priority: [None, Some(self.random.i32(-1..=1))][self.random.usize(..2)],
                    ..v1::StartRequest::default()
                };
                self.start(root, wishes).await.map(drop)
            }
            (4, Some(computation)) => {
                not_too_late(self.calls.pause(v1::PauseRequest { computation }).await)
            }
            (5 | 6, Some(computation)) => self.resume(computation).await,
            (7, Some(computation)) => {
                answer(self.calls.cancel(v1::CancelRequest { computation }).await).map(drop)
            }
            (8, Some(computation)) => {
                let longest = Duration::from_millis(self.random.u64(..5000));
                self.watch(computation, longest).await
            }
            (9, _) => self.query(root).await,
            (10, _) => self.table().await,
            _ => self.look().await,
        }
    }

    /// Starts a computation; `None` if it is not known whether it was started.
    async fn start(&mut self, root: Root, wishes: v1::StartRequest) -> Result<Option<u64>> {
        let request = v1::StartRequest {
            position: root.text.to_owned(),
            play: root.play.into(),
            ..wishes
        };
        let Some(started) = answer(self.calls.start(request).await)? else {
            return Ok(None);
        };
        let (id, canonical) = (started.computation, started.canonical);
        let mut witness = self.witness.borrow_mut();
        witness.named(id, &canonical, root.play.into())?;
        Ok(Some(id))
    }

    async fn resume(&mut self, computation: u64) -> Result {
        not_too_late(self.calls.resume(v1::ResumeRequest { computation }).await)
    }

    async fn watch(&mut self, computation: u64, longest: Duration) -> Result {
        let request = v1::WatchRequest { computation };
        let Some(mut progress) = answer(self.calls.watch(request).await)? else {
            return Ok(());
        };
        let watching = async {
            while let Some(Ok(progress)) = progress.next().await {
                let mut witness = self.witness.borrow_mut();
                witness.progressed(computation, &progress)?;
            }
            Ok(())
        };
        timeout(longest, watching).await.unwrap_or(Ok(()))
    }

    /// Queries a root. Its outcome may be unknown, unless its result was seen.
    async fn query(&mut self, root: Root) -> Result {
        let was_seen = self.witness.borrow().results().contains(&root);
        let request = v1::QueryRequest {
            position: root.text.to_owned(),
            ..v1::QueryRequest::default()
        };
        let Some(answered) = answer(self.calls.query(request).await)? else {
            return Ok(());
        };
        let (standing, nimber) = match root.play {
            v1::Play::Normal => (answered.normal, answered.nimber),
            _ => (answered.misere, None),
        };
        let standing = standing.unwrap_or_default();
        let is_proved_here = match standing.source() {
            v1::Source::Unspecified | v1::Source::Literature | v1::Source::Atlas => false,
            v1::Source::Search | v1::Source::Store | v1::Source::Derived => true,
        };
        if !is_proved_here && !was_seen {
            return Ok(());
        }
        Ok(self
            .witness
            .borrow_mut()
            .answered(root, standing.outcome, nimber)?)
    }

    /// Checks that the table has all results of start positions that were seen.
    async fn table(&mut self) -> Result {
        let seen = self.witness.borrow().results().to_vec();
        let Some(table) = answer(self.calls.table(v1::TableRequest::default()).await)? else {
            return Ok(());
        };
        for root in seen.iter().filter(|root| root.spots().is_some()) {
            let is_it = |entry: &v1::TableEntry| {
                Some(entry.size) == root.spots()
                    && entry.play() == root.play
                    && root.allows(entry.outcome, entry.nimber)
            };
            if !table.entries.iter().any(is_it) {
                return Err(violation(format!("{root:?} is not in the table")).into());
            }
        }
        Ok(())
    }

    /// Looks at all computations, and at the fleet.
    async fn look(&mut self) -> Result {
        if let Some(list) = answer(self.calls.list(v1::ListRequest {}).await)? {
            self.witness.borrow_mut().listed(&list.computations)?;
        }
        if let Some(fleet) = answer(self.calls.fleet(v1::FleetRequest {}).await)? {
            Witness::counted(&fleet)?;
        }
        Ok(())
    }

    /// Starts or resumes all roots; returns whether they are all solved.
    async fn finish(&mut self) -> Result<bool> {
        let roots = self.witness.borrow().roots().to_vec();
        for &root in &roots {
            if self.witness.borrow().results().contains(&root) {
                continue;
            }
            let Some(id) = self.start(root, v1::StartRequest::default()).await? else {
                return Ok(false);
            };
            self.watch(id, Duration::from_secs(10)).await?;
        }
        let open = self.witness.borrow().open();
        for id in open {
            self.resume(id).await?;
        }
        self.look().await?;
        for &root in &roots {
            self.query(root).await?;
        }
        self.table().await?;
        let witness = self.witness.borrow();
        Ok(witness.open().is_empty() && witness.results().len() == roots.len())
    }
}
