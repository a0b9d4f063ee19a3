//! The faults of a run, drawn from a seed: links that delay or lose messages, and hosts that go down.

use std::time::Duration;

use fastrand::Rng;

/// How a host goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fall {
    /// The process is killed; the system closes its connections.
    Killed,
    /// The machine disappears without closing its connections.
    Gone,
    /// The process is asked to end.
    Asked,
}

/// A temporary fault.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Nothing passes between a host and the coordinator; messages under way are lost.
    Cut(usize),
    /// Nothing passes from a host to the coordinator, or the other way.
    CutOneWay(usize, bool),
    /// Messages between a host and the coordinator are held back, and arrive late, all at once.
    Hold(usize),
    /// A worker is down.
    Worker(usize, Fall),
    /// The coordinator is down.
    Coordinator(Fall),
}

impl Fault {
    /// The link or process; each has one fault at a time.
    fn place(self) -> (u8, usize) {
        match self {
            Self::Cut(link) | Self::CutOneWay(link, _) | Self::Hold(link) => (0, link),
            Self::Worker(worker, _) => (1, worker),
            Self::Coordinator(_) => (2, 0),
        }
    }
}

/// The schedule of faults.
pub(crate) struct Schedule {
    random: Rng,
    links: usize,
    workers: usize,
    /// Twice the mean time between two faults, in milliseconds.
    pace: u64,
    next: Duration,
    under_way: Vec<(Duration, Fault)>,
}

impl Schedule {
    /// A schedule for `links` links and `workers` workers.
    pub(crate) fn new(seed: u64, links: usize, workers: usize) -> Self {
        let mut random = Rng::with_seed(seed);
        Self {
            pace: [1000, 2000, 4000, 10_000][random.usize(..4)],
            random,
            links,
            workers,
            next: Duration::from_secs(1),
            under_way: Vec::new(),
        }
    }

    /// The faults that end by now.
    pub(crate) fn ends(&mut self, now: Duration) -> Vec<Fault> {
        let ends = self.under_way.extract_if(.., |(until, _)| *until <= now);
        ends.map(|(_, fault)| fault).collect()
    }

    /// The faults that begin by now.
    pub(crate) fn begins(&mut self, now: Duration) -> Vec<Fault> {
        let mut begins = Vec::new();
        while self.next <= now {
            self.next += Duration::from_millis(self.random.u64(..self.pace));
            let fault = self.draw();
            let longest = [1000, 5000, 12_000, 45_000][self.random.usize(..4)];
            let until = now + Duration::from_millis(self.random.u64(100..longest));
            let same = |(_, other): &(Duration, Fault)| other.place() == fault.place();
            if !self.under_way.iter().any(same) {
                self.under_way.push((until, fault));
                begins.push(fault);
            }
        }
        begins
    }

    fn draw(&mut self) -> Fault {
        let random = &mut self.random;
        let (link, worker) = (random.usize(..self.links), random.usize(..self.workers));
        let fall = [Fall::Killed, Fall::Gone, Fall::Asked][random.usize(..3)];
        match random.u32(..8) {
            0 => Fault::Cut(link),
            1 => Fault::CutOneWay(link, random.bool()),
            2 | 3 => Fault::Hold(link),
            4 | 5 => Fault::Worker(worker, fall),
            _ => Fault::Coordinator(fall),
        }
    }
}
