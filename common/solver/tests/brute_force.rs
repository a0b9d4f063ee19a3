//! Everything that can be reached from four spots, valued by the definitions and by search.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use sproutnet_game::{Game, Position, Sprouts};
use sproutnet_solver::play::{Misere, Normal, Outcome};

use sproutnet_testkit::solver::Solver;

/// Positions by the definitions: no lands are valued, no sums are split.
#[derive(Default)]
struct BruteForce {
    options: HashMap<Position, BTreeSet<Position>>,
    nimbers: HashMap<Position, u32>,
    misere_wins: HashMap<Position, bool>,
}

impl BruteForce {
    fn options(&mut self, position: &Position) -> BTreeSet<Position> {
        let generate = || {
            let mut options = BTreeSet::new();
            let end = Sprouts.moves(position, &mut |option| {
                options.insert(option);
                ControlFlow::Continue(())
            });
            assert!(end.is_continue());
            options
        };
        let options = self.options.entry(position.clone());
        options.or_insert_with(generate).clone()
    }

    /// The smallest number that is not the nimber of an option.
    fn nimber(&mut self, position: &Position) -> u32 {
        if let Some(&nimber) = self.nimbers.get(position) {
            return nimber;
        }
        let options = self.options(position);
        let nimbers: BTreeSet<u32> = options.iter().map(|option| self.nimber(option)).collect();
        let nimber = (0..=nimbers.len() as u32).find(|nimber| !nimbers.contains(nimber));
        let nimber = nimber.expect("one of so many numbers is missing");
        self.nimbers.insert(position.clone(), nimber);
        nimber
    }

    /// Whether the player to move wins when the last move loses.
    fn misere_wins(&mut self, position: &Position) -> bool {
        if let Some(&wins) = self.misere_wins.get(position) {
            return wins;
        }
        let options = self.options(position);
        // All of them, so that everything below the position is met.
        let after = options.iter().map(|option| self.misere_wins(option));
        let losses = after.filter(|wins| !wins).count();
        let wins = options.is_empty() || losses > 0;
        self.misere_wins.insert(position.clone(), wins);
        wins
    }
}

fn start(spots: u32) -> Position {
    let position = Sprouts.parse(&Sprouts::start(spots));
    position.expect("a start position is a position")
}

#[test]
fn nimbers_and_normal_outcomes() {
    let solver = Solver::<Normal>::new(Sprouts);
    let mut brute_force = BruteForce::default();
    brute_force.nimber(&start(4));
    assert!(brute_force.nimbers.len() > 1000);
    for (position, &nimber) in &brute_force.nimbers {
        let text = Sprouts.print(position);
        assert_eq!(
            solver.outcome(&text),
            Outcome::win_if(nimber != 0),
            "{text}"
        );
        assert_eq!(solver.nimber(&text), nimber, "{text}");
    }
}

#[test]
fn misere_outcomes() {
    let solver = Solver::<Misere>::new(Sprouts);
    let mut brute_force = BruteForce::default();
    brute_force.misere_wins(&start(4));
    assert!(brute_force.misere_wins.len() > 1000);
    for (position, &wins) in &brute_force.misere_wins {
        let text = Sprouts.print(position);
        assert_eq!(solver.outcome(&text), Outcome::win_if(wins), "{text}");
    }
}
