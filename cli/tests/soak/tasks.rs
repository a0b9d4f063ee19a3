//! The positions to solve during the faults.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use fastrand::Rng;
use sproutnet_solver::play::Play;

use crate::processes::desk::Task;
use sproutnet_testkit::reference::{number, rows};

/// The minimum time between two tasks of a long run.
const PAUSE: Duration = Duration::from_secs(3);

/// The minimum number of lives of a position from a table. Those with fewer lives are solved at once.
const FEWEST_LIVES: u32 = 14;

/// Positions that are unsolved, or take hours.
pub(super) fn endless() -> [Task; 2] {
    [
        Task::outcome("0*45", Play::Normal, "unknown"),
        Task::outcome("0*24", Play::Misere, "unknown"),
    ]
}

/// Start positions, their sums, and positions from other solvers' tables, in random order.
pub(super) fn all(random: &mut Rng) -> VecDeque<Task> {
    let mut tasks = Vec::new();
    for spots in 10..=17 {
        tasks.push(Task::start(spots, Play::Normal));
        tasks.push(Task::start(spots, Play::Normal).with_nimber());
    }
    tasks.extend((8..=13).map(|spots| Task::start(spots, Play::Misere)));
    for lost in [6, 7, 8, 12, 13, 14] {
        tasks.extend((6..=15).map(|decides| Task::sum(lost, decides)));
    }
    let table = include_str!("../../../common/solver/tests/reference/normal_nimbers.tsv");
    for [position, nimber, lives, _] in rows::<4>(table) {
        // A land with only digits could be misread as a number of spots.
        let mut lands = position.split('+');
        let is_clear = lands.all(|land| land.bytes().any(|byte| !byte.is_ascii_digit()));
        if is_clear && number(lives) >= FEWEST_LIVES {
            tasks.push(Task::nimber(position, number(nimber)));
        }
    }
    random.shuffle(&mut tasks);
    tasks.into()
}

/// The tasks one by one. In a long run, at most one in each [`PAUSE`].
pub(super) fn with_pauses(
    mut tasks: VecDeque<Task>,
    length: Option<Duration>,
) -> impl Iterator<Item = Task> {
    let pause = length.map_or(Duration::ZERO, |_| PAUSE);
    let mut last = Instant::now();
    std::iter::from_fn(move || {
        if last.elapsed() < pause {
            return None;
        }
        last = Instant::now();
        tasks.pop_front()
    })
}
