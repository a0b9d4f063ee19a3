//! What is to be solved meanwhile.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use fastrand::Rng;
use sproutnet_solver::play::Play;

use crate::command::reference::{number, rows};
use crate::processes::desk::Task;

/// Between two tasks of a long run, at least.
const PAUSE: Duration = Duration::from_secs(3);

/// Positions from tables with fewer lives than this are solved at once.
const FEWEST_LIVES: u32 = 14;

/// What nobody has solved, or takes hours.
pub(super) fn endless() -> [Task; 2] {
    [
        Task::outcome("0*45", Play::Normal, "unknown"),
        Task::outcome("0*24", Play::Misere, "unknown"),
    ]
}

/// Start positions, sums of them and positions of other solvers' tables, in random order.
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
        // A land of digits alone could be misread as so many spots.
        let mut lands = position.split('+');
        let is_clear = lands.all(|land| land.bytes().any(|byte| !byte.is_ascii_digit()));
        if is_clear && number(lives) >= FEWEST_LIVES {
            tasks.push(Task::nimber(position, number(nimber)));
        }
    }
    random.shuffle(&mut tasks);
    tasks.into()
}

/// The tasks, of which a long run gets one now and then.
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
