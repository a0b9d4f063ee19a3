//! Every game is solved as by brute force, under both conventions, and its records are valid for their readers. Only
//! the rules are shared: see `common/game/src/games/tests.rs` for their laws.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use sproutnet_game::{self as game, Game, Position};
use sproutnet_notation::GameCode;
use sproutnet_solver::play::{Convention, Exchange, Knowledge, Misere, Normal, Outcome, Play};
use sproutnet_solver::search::Table;
use sproutnet_solver::theory::quotient::Quotient;
use sproutnet_solver::theory::sequence::Sequence;

use sproutnet_testkit::solver::{Shelf, Solver};

/// The maximum number of positions after an example that are solved.
const MOST_ASKED: usize = 60;

/// The longest heap whose nimber is searched for.
const LONGEST_SEARCHED: usize = 40;

/// Nimbers and misère outcomes by the definition, of whole positions: no sum is split.
struct BruteForce<'a> {
    game: &'a dyn Game,
    known: HashMap<Position, (u32, bool)>,
}

impl BruteForce<'_> {
    /// The nimber, and whether the player to move wins misère play.
    fn solve(&mut self, position: &Position) -> (u32, bool) {
        if let Some(&known) = self.known.get(position) {
            return known;
        }
        let mut options = BTreeSet::new();
        let _ = self.game.moves(position, &mut |option| {
            options.insert(option);
            ControlFlow::Continue(())
        });
        let values: BTreeSet<_> = options.iter().map(|option| self.solve(option)).collect();
        let has = |nimber: u32| values.iter().any(|&(other, _)| other == nimber);
        let mut nimbers = 0..=values.len() as u32;
        let nimber = nimbers.find(|&nimber| !has(nimber)).expect("one is free");
        let wins = values.is_empty() || values.iter().any(|&(_, wins)| !wins);
        self.known.insert(position.clone(), (nimber, wins));
        (nimber, wins)
    }
}

fn solver<C: Convention>(game: &Arc<dyn Game>) -> Solver<C> {
    let table = Table::new(16 << 20).expect("memory");
    Solver::shared(Arc::clone(game), table, C::new)
}

#[test]
fn every_game_is_solved_as_by_brute_force_and_its_records_travel() {
    for game in game::all() {
        let mut brute_force = BruteForce {
            game: &*game,
            known: HashMap::new(),
        };
        for example in game.info().examples {
            brute_force.solve(&game.parse(example).expect("a position"));
        }
        let normal = solver::<Normal>(&game);
        let misere = solver::<Misere>(&game);
        let mut asked: Vec<_> = brute_force.known.iter().collect();
        // The largest first, so that little is known when it is asked.
        asked.sort_by_key(|(position, _)| {
            (std::cmp::Reverse(game.max_moves_of(position)), *position)
        });
        let most = MOST_ASKED * game.info().examples.len();
        let step = asked.len().div_ceil(most);
        let asked: Vec<_> = asked.into_iter().step_by(step).collect();
        for &(position, &(nimber, wins)) in &asked {
            let text = game.print(position);
            assert_eq!(normal.nimber(&text), nimber, "{}:{text}", game.name());
            let outcome = Outcome::win_if(nimber != 0);
            assert_eq!(normal.outcome(&text), outcome, "{}:{text}", game.name());
            let outcome = Outcome::win_if(wins);
            assert_eq!(
                misere.outcome(&text),
                outcome,
                "{}:{text} misère",
                game.name()
            );
        }

        let records = [
            normal.convention.take_records(),
            misere.convention.take_records(),
        ]
        .concat();
        assert!(!records.is_empty(), "{}", game.name());
        let knowledge = Knowledge::default();
        for record in &records {
            // Sums file facts about nimbers under the games of their lands.
            let code = GameCode(record.key[0]);
            let is_own = code == game.code() || game.unfiled(code, &[]).is_some();
            assert!(is_own, "{}", game.name());
            let admitted = knowledge.admit(&record.key, record.value);
            admitted.unwrap_or_else(|error| panic!("{}: {error}", game.name()));
        }
        let shelf = Shelf::of(&records);
        let table = || Table::new(1 << 20).expect("memory");
        let normal = Solver::<Normal>::shared(Arc::clone(&game), table(), |lands| {
            Normal::over(lands, shelf.clone())
        });
        for &(position, &(nimber, _)) in &asked {
            let text = game.print(position);
            let outcome = Outcome::win_if(nimber != 0);
            assert_eq!(normal.known(&text), Some(outcome), "{}:{text}", game.name());
        }
        // No other game takes the records for its own.
        for other in game::all() {
            if game.unfiled(other.code(), &[]).is_none() {
                let of_other = records[0].subject(other.code(), Play::Normal);
                assert_eq!(of_other, None, "{}", other.name());
            }
        }
    }
}

#[test]
fn sequences_are_what_the_search_finds() {
    for (name, text) in [
        ("kayles", "kayles:"),
        ("nim", "nim:"),
        ("subtraction{1,3,4}", "subtraction{1,3,4}:"),
        ("subtraction{2,5,9}", "subtraction{2,5,9}:"),
        ("octal(0.77)", "octal(0.77):"),
        ("octal(0.137)", "octal(0.137):"),
        ("octal(0.07)", "octal(0.07):"),
        ("octal(0.356)", "octal(0.356):"),
        ("octal(4.007)", "octal(4.007):"),
        ("octal(4.3)", "octal(4.3):"),
        ("octal(0.135)", "octal(0.135):"),
        ("octal(4.3...)", "octal(4.3...):"),
        ("octal(0.572...)", "octal(0.572...):"),
        ("hexadecimal(0.F)", "hexadecimal(0.F):"),
        ("hexadecimal(8.1A)", "hexadecimal(8.1A):"),
        (
            "take-and-break{1..|1..|1..}",
            "take-and-break{1..|1..|1..}:",
        ),
        ("take-and-break{|1,3..||0}", "take-and-break{|1,3..||0}:"),
        ("grundy", "grundy:"),
    ] {
        let (_, heap) = game::heap(name).expect("a game of heaps");
        let expected = Sequence::of(&*heap, LONGEST_SEARCHED + 1).nimbers;
        let (game, _) = game::split_game(text).expect("a game");
        let solver = solver::<Normal>(&game);
        for (size, &nimber) in expected.iter().enumerate() {
            let text = format!("{text}{size}");
            let (_, text) = game::split_game(&text).expect("a game");
            assert_eq!(solver.nimber(&text), nimber, "{name} {size}");
        }
    }
}

#[test]
fn wythoffs_lost_pairs_are_those_of_the_formula() {
    let game: Arc<dyn Game> = Arc::new(game::Wythoff);
    let solver = solver::<Normal>(&game);
    let phi = f64::midpoint(1.0, 5f64.sqrt());
    let lost: BTreeSet<(u32, u32)> = (0..8)
        .map(|k| (f64::from(k) * phi, f64::from(k) * phi * phi))
        .map(|(one, other)| (one as u32, other as u32))
        .collect();
    for one in 0..=10 {
        for other in one..=16 {
            let outcome = solver.outcome(&format!("{one},{other}"));
            assert_eq!(
                outcome == Outcome::Loss,
                lost.contains(&(one, other)),
                "{one},{other}"
            );
        }
    }
}

#[test]
fn nim_is_added_in_binary_and_misere_nim_differs_only_in_small_heaps() {
    let game: Arc<dyn Game> = Arc::new(game::Nim);
    let normal = solver::<Normal>(&game);
    let misere = solver::<Misere>(&game);
    for one in 0..=6u32 {
        for other in one..=9 {
            for third in other..=9 {
                let text = format!("{one}+{other}+{third}");
                let sum = one ^ other ^ third;
                assert_eq!(normal.nimber(&text), sum, "{text}");
                // Bouton (1901).
                let wins = if third <= 1 { sum == 0 } else { sum != 0 };
                assert_eq!(misere.outcome(&text), Outcome::win_if(wins), "{text}");
            }
        }
    }
}

#[test]
fn nimbers_may_be_larger_than_a_record_can_exclude() {
    let game: Arc<dyn Game> = Arc::new(game::Nim);
    let normal = solver::<Normal>(&game);
    for size in [60, 61, 62, 63, 64, 65, 90, 128] {
        assert_eq!(normal.nimber(&size.to_string()), size, "{size}");
    }
    assert_eq!(normal.outcome("64+66+2"), Outcome::Loss);
    assert_eq!(normal.outcome("64+66+3"), Outcome::Win);
    assert_eq!(normal.nimber("100+101"), 1);
    let records = normal.convention.take_records();
    let knowledge = Knowledge::default();
    for record in &records {
        let admitted = knowledge.admit(&record.key, record.value);
        admitted.unwrap_or_else(|error| panic!("{record:?}: {error}"));
    }
    let shelf = Shelf::of(&records);
    let table = Table::new(1 << 20).expect("memory");
    let again = Solver::<Normal>::shared(game, table, |lands| Normal::over(lands, shelf));
    assert_eq!(again.known("64+66+2"), Some(Outcome::Loss));
    assert_eq!(again.nimber("128"), 128);
    assert!(again.convention.take_records().is_empty());
}

#[test]
fn quotients_predict_what_the_search_finds() {
    let mut random = fastrand::Rng::with_seed(9);
    for (name, largest) in [("kayles", 25), ("octal", 20), ("nim", 9), ("grundy", 19)] {
        let prefix = if name == "octal" { "(0.123)" } else { "" };
        let (_, heap) = game::heap(&format!("{name}{prefix}")).expect("a game of heaps");
        let quotient = Quotient::of(&*heap, largest).expect("it is found");
        let misere = solver::<Misere>(&game::by_name(name).expect("a game"));
        for _ in 0..1000 {
            let sizes: Vec<u32> = (0..random.usize(1..5))
                .map(|_| random.u32(1..=12.min(largest)))
                .collect();
            let heaps: Vec<String> = sizes.iter().map(u32::to_string).collect();
            let heaps = heaps.join("+");
            let text = if prefix.is_empty() {
                heaps
            } else {
                format!("{prefix}:{heaps}")
            };
            assert_eq!(
                quotient.outcome(sizes),
                Some(misere.outcome(&text)),
                "{name}:{text}"
            );
        }
    }
}
