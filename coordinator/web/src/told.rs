//! Computations and the fleet as [`answer`](sproutnet_query) types.

use sproutnet_query::{Computation, ComputationState, Fleet, FleetWorker, SetAside};
use sproutnet_store::Aside;

use sproutnet_coordinator::scheduler::computation::Progress;
use sproutnet_coordinator::{Listed, SourceState, State, WorkerState};

/// A computation as it is listed.
pub(super) fn computation(listed: Listed) -> Computation {
    Computation {
        id: listed.id,
        position: listed.canonical,
        play: listed.play,
        nimber_wanted: listed.nimber,
        priority: listed.priority,
        started_at: listed.started_at,
        state: state(&listed.progress),
    }
}

/// How far a computation is.
pub(super) fn state(progress: &Progress) -> ComputationState {
    ComputationState {
        status: progress.status.name().to_owned(),
        outcome: progress.outcome.into(),
        nimber: progress.nimber,
        source: progress.source,
        proof: progress.root.proof,
        disproof: progress.root.disproof,
        seconds: progress.seconds,
        expansions: progress.expansions,
        records: progress.records,
        nodes: progress.nodes as u64,
        jobs: progress.jobs,
        fault: progress.fault.clone(),
    }
}

/// How the coordinator and its workers do.
pub(super) fn fleet(state: State) -> Fleet {
    let fleet = Fleet {
        uptime: state.uptime.as_secs_f64(),
        cores: 0,
        jobs: 0,
        expansions_per_second: 0.0,
        records: state.records as u64,
        store_bytes: state.store_bytes,
        nodes: state.nodes as u64,
        leased: state.jobs.leased,
        finished: state.jobs.finished,
        expired: state.jobs.expired,
        released: state.jobs.released,
        workers: state.workers.into_iter().map(worker).collect(),
        set_aside: state.set_aside.into_iter().filter_map(set_aside).collect(),
    };
    fleet.summed()
}

fn set_aside(source: SourceState) -> Option<SetAside> {
    let Aside { why, at } = source.aside?;
    Some(SetAside {
        source: source.number,
        name: source.name,
        peer: source.peer,
        why,
        at,
    })
}

fn worker(worker: WorkerState) -> FleetWorker {
    FleetWorker {
        id: worker.number.to_string(),
        name: worker.name,
        peer: worker.peer,
        cores: worker.cores,
        jobs: worker.jobs as u32,
        expansions: worker.totals.expansions,
        expansions_per_second: worker.rate,
        records: worker.records,
        memory: worker.totals.memory,
        silent: worker.silent.as_secs_f64(),
    }
}
