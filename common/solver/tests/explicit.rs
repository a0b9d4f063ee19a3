//! Games given by their options, and heaps under sets of moves, against brute force that knows the definitions only.

use std::collections::{BTreeSet, HashMap};

use sproutnet_game::{Explicit, TakeAndBreak};
use sproutnet_solver::play::{Misere, Normal, Outcome};

use sproutnet_testkit::solver::Solver;

/// A game is the set of its options.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Set(BTreeSet<Set>);

impl Set {
    /// A random game with at most this number of moves.
    fn random(moves: u32, random: &mut fastrand::Rng) -> Self {
        let options = match moves {
            0 => 0,
            _ => random.u32(0..4),
        };
        let option = |_| Self::random(random.u32(0..moves), &mut *random);
        Self((0..options).map(option).collect())
    }

    /// The game, with options repeated and in any order, and with heaps of Nim spelled out.
    fn text(&self, random: &mut fastrand::Rng) -> String {
        let mut options: Vec<String> = self.0.iter().map(|option| option.text(random)).collect();
        if let Some(again) = options.first().cloned() {
            options.push(again);
        }
        random.shuffle(&mut options);
        format!("{{{}}}", options.join(","))
    }
}

/// What a player may do in a sum, and what comes of it.
#[derive(Default)]
struct BruteForce(HashMap<Vec<Set>, (u32, bool)>);

impl BruteForce {
    /// The nimber of a sum, and whether the player to move wins misère play.
    fn solve(&mut self, mut sum: Vec<Set>) -> (u32, bool) {
        sum.sort();
        if let Some(&known) = self.0.get(&sum) {
            return known;
        }
        let mut values = Vec::new();
        for (i, game) in sum.iter().enumerate() {
            for option in &game.0 {
                let mut after = sum.clone();
                after[i] = option.clone();
                values.push(self.solve(after));
            }
        }
        let mut nimbers = 0..;
        let is_free = |nimber: &u32| !values.iter().any(|(other, _)| other == nimber);
        let nimber = nimbers.find(is_free).expect("one is free");
        let wins = values.is_empty() || values.iter().any(|&(_, wins)| !wins);
        self.0.insert(sum, (nimber, wins));
        (nimber, wins)
    }
}

#[test]
fn random_sums_of_sets_are_solved_as_by_brute_force() {
    let mut random = fastrand::Rng::with_seed(0);
    let mut brute_force = BruteForce::default();
    let normal = Solver::<Normal>::new(Explicit);
    let misere = Solver::<Misere>::new(Explicit);
    let (mut differ, mut lost) = (0, 0);
    for _ in 0..400 {
        let games = random.usize(1..=3);
        let sum: Vec<Set> = (0..games).map(|_| Set::random(4, &mut random)).collect();
        let texts: Vec<String> = sum.iter().map(|game| game.text(&mut random)).collect();
        let text = texts.join("+");
        let (nimber, wins) = brute_force.solve(sum);
        assert_eq!(normal.nimber(&text), nimber, "{text}");
        assert_eq!(
            normal.outcome(&text),
            Outcome::win_if(nimber != 0),
            "{text}"
        );
        assert_eq!(misere.outcome(&text), Outcome::win_if(wins), "{text}");
        differ += u32::from(wins == (nimber == 0));
        lost += u32::from(!wins);
    }
    assert!(differ > 20 && lost > 20, "{differ} {lost}");
}

/// The nimber of heaps, and whether the player to move wins misère play; the heaps ascend and are not empty.
fn of_heaps(
    may_take: fn(usize, u32) -> bool,
    known: &mut HashMap<Vec<u32>, (u32, bool)>,
    heaps: &[u32],
) -> (u32, bool) {
    if let Some(&known) = known.get(heaps) {
        return known;
    }
    let mut values = Vec::new();
    for (i, &size) in heaps.iter().enumerate() {
        for one in 0..=size {
            for two in one..=size - one {
                for three in (two..=size).take_while(|three| one + two + three <= size) {
                    let left = [one, two, three].into_iter().filter(|&heap| heap > 0);
                    let count = left.clone().count();
                    let taken = size - one - two - three;
                    if !may_take(count, taken) {
                        continue;
                    }
                    let mut after: Vec<u32> = heaps.to_vec();
                    after.remove(i);
                    after.extend(left);
                    after.sort_unstable();
                    values.push(of_heaps(may_take, known, &after));
                }
            }
        }
    }
    let mut nimbers = 0..;
    let is_free = |nimber: &u32| !values.iter().any(|(other, _)| other == nimber);
    let nimber = nimbers.find(is_free).expect("one is free");
    let wins = values.is_empty() || values.iter().any(|&(_, wins)| !wins);
    known.insert(heaps.to_vec(), (nimber, wins));
    (nimber, wins)
}

#[test]
fn heaps_under_sets_are_solved_as_by_brute_force() {
    type MayTake = fn(usize, u32) -> bool;
    let normal = Solver::<Normal>::new(TakeAndBreak);
    let misere = Solver::<Misere>::new(TakeAndBreak);
    for (sets, may_take) in [
        (
            "{1..|1..|1..}",
            (|heaps, taken| heaps <= 2 && taken > 0) as MayTake,
        ),
        ("{|1..|0..}", |heaps, taken| {
            heaps == 1 && taken > 0 || heaps == 2
        }),
        ("{|1,3..}", |heaps, taken| {
            heaps == 1 && taken > 0 && taken != 2
        }),
        ("{1,4..||2|0}", |heaps, taken| match heaps {
            0 => taken == 1 || taken >= 4,
            2 => taken == 2,
            3 => taken == 0,
            _ => false,
        }),
    ] {
        let mut known = HashMap::new();
        for one in 1..8 {
            for two in one..8 {
                let (nimber, wins) = of_heaps(may_take, &mut known, &[one, two]);
                let text = format!("{sets}:{one}+{two}");
                assert_eq!(normal.nimber(&text), nimber, "{text}");
                assert_eq!(
                    misere.outcome(&text),
                    Outcome::win_if(wins),
                    "{text} misère"
                );
            }
        }
    }
}
