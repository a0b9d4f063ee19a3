//! The faults of a fleet.

use std::fmt;

use fastrand::Rng;

use super::WORKERS;
use crate::processes::Part;
use crate::processes::proxy::Network;
use sproutnet_testkit::disk::Disk;

/// The jumps of clocks, in seconds: an hour ahead, a day back, 30 years back, 60 years ahead.
const JUMPS: [i64; 4] = [3600, -86_400, -946_080_000, 1_892_160_000];

/// The space left on a full disk, in bytes: less than the reserve, or none.
const LEFT: [u64; 2] = [2 << 20, 0];

/// The disks of the stores. `None` if this user may not mount disks.
pub(super) struct Disks {
    pub(super) coordinator: Option<Disk>,
    pub(super) workers: Option<Disk>,
}

/// A fault that the test causes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fault {
    /// A process is killed, and started again at the end.
    Kill(Part),
    /// A process is asked to end, and started again at the end.
    Restart(Part),
    /// A process is suspended, and resumed at the end.
    Suspend(Part),
    /// The network between the coordinator and a worker breaks; for [`Part::Coordinator`], that of the commands.
    Break(Network, Part),
    /// All networks break.
    BreakAll(Network),
    /// The disk of the coordinator's store has only this number of bytes left.
    Fill(u64),
    /// The disk of the workers' stores has only this number of bytes left.
    FillWorkers(u64),
    /// The clock of a process jumps by this number of seconds, and back at the end.
    Jump(Part, i64),
}

impl Fault {
    /// Faults of all kinds, for random parts, in random order.
    pub(super) fn all(disks: &Disks, random: &mut Rng) -> Vec<Self> {
        let coordinator = Part::Coordinator;
        let mut worker = || Part::Worker(random.usize(..WORKERS));
        let mut all = vec![
            Self::Kill(coordinator),
            Self::Kill(worker()),
            Self::Restart(coordinator),
            Self::Restart(worker()),
            Self::Suspend(coordinator),
            Self::Suspend(worker()),
            Self::Break(Network::Slow, worker()),
            Self::BreakAll(Network::Cut),
        ];
        for network in Network::BROKEN {
            all.push(Self::Break(network, worker()));
            all.push(Self::Break(network, coordinator));
        }
        for part in [coordinator, worker()] {
            all.push(Self::Jump(part, *random.choice(&JUMPS).expect("some")));
        }
        if disks.coordinator.is_some() {
            all.extend(LEFT.map(Self::Fill));
        }
        if disks.workers.is_some() {
            all.extend(LEFT.map(Self::FillWorkers));
        }
        random.shuffle(&mut all);
        all
    }

    /// The processes that the fault stops or fills. They cannot have two such faults at once.
    pub(super) fn parts(self) -> Vec<Part> {
        match self {
            Self::Kill(part) | Self::Restart(part) | Self::Suspend(part) => vec![part],
            Self::Fill(_) => vec![Part::Coordinator],
            Self::FillWorkers(_) => (0..WORKERS).map(Part::Worker).collect(),
            Self::Break(..) | Self::BreakAll(_) | Self::Jump(..) => Vec::new(),
        }
    }

    /// Whether both faults may happen at once.
    pub(super) fn goes_with(self, other: Self) -> bool {
        let others = other.parts();
        self.parts().iter().all(|part| !others.contains(part))
    }

    /// The name under which the fault is counted.
    pub(super) fn kind(self) -> String {
        match self {
            Self::Kill(_) => "kills".into(),
            Self::Restart(_) => "restarts".into(),
            Self::Suspend(_) => "suspensions".into(),
            Self::Break(network, _) | Self::BreakAll(network) => format!("networks {network:?}"),
            Self::Fill(_) | Self::FillWorkers(_) => "full disks".into(),
            Self::Jump(..) => "clock jumps".into(),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kill(part) => write!(f, "killed: {}", part.name()),
            Self::Restart(part) => write!(f, "restarted: {}", part.name()),
            Self::Suspend(part) => write!(f, "suspended: {}", part.name()),
            Self::Break(network, Part::Coordinator) => write!(f, "{network:?}: commands"),
            Self::Break(network, part) => write!(f, "{network:?}: {}", part.name()),
            Self::BreakAll(network) => write!(f, "{network:?}: everybody"),
            Self::Fill(left) => write!(f, "{left} bytes left: coordinator"),
            Self::FillWorkers(left) => write!(f, "{left} bytes left: workers"),
            Self::Jump(part, seconds) => write!(f, "clock by {seconds} s: {}", part.name()),
        }
    }
}
