//! The collection of puzzles is a file. One test makes it, another proves each of its lines by the rules alone.

use std::collections::{BTreeSet, HashMap};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

use sproutnet_drawing::sheet::Sheet;
use sproutnet_game::{Game, Position, Sprouts};
use sproutnet_solver::play::Play;

/// A grade: its name, its number of puzzles, and the numbers of different moves in its positions.
const GRADES: [(&str, usize, RangeInclusive<usize>); 3] = [
    ("easy", 60, 3..=8),
    ("medium", 60, 9..=14),
    ("hard", 40, 15..=40),
];

/// The numbers of spots at the start of the matches in which the positions of the puzzles occur.
const STARTS: RangeInclusive<u32> = 2..=5;

const HEAD: &str = "\
# The puzzles: grade, convention, position, and the position after the only winning move. Made by a test:
# SPROUTNET_GENERATE=1 cargo test --workspace --release generated
";

/// What was found out about positions.
#[derive(Default)]
pub(crate) struct Found {
    options: HashMap<Position, Vec<Position>>,
    wins: HashMap<(Position, Play), bool>,
}

impl Found {
    /// The different moves in a position, in order.
    pub(crate) fn options(&mut self, position: &Position) -> Vec<Position> {
        let find = || {
            let mut options = Vec::new();
            let end = Sprouts.moves(position, &mut |option| {
                options.push(option);
                ControlFlow::Continue(())
            });
            assert!(end.is_continue());
            options.sort();
            options.dedup();
            options
        };
        let options = self.options.entry(position.clone());
        options.or_insert_with(find).clone()
    }

    /// Whether the player to move wins, by the definition alone.
    pub(crate) fn wins(&mut self, position: &Position, play: Play) -> bool {
        let key = (position.clone(), play);
        if let Some(&wins) = self.wins.get(&key) {
            return wins;
        }
        let options = self.options(position);
        let wins = match play {
            Play::Misere if options.is_empty() => true,
            _ => options.iter().any(|option| !self.wins(option, play)),
        };
        self.wins.insert(key, wins);
        wins
    }

    /// The only winning move, if there is exactly one.
    fn only_winning(&mut self, position: &Position, play: Play) -> Option<Position> {
        let mut options = self.options(position);
        options.retain(|option| !self.wins(option, play));
        (options.len() == 1).then(|| options.swap_remove(0))
    }

    /// All positions in matches from the starts.
    fn reached(&mut self) -> BTreeSet<Position> {
        let start = |spots| Sprouts.parse(&Sprouts::start(spots)).expect("a start");
        let mut open: Vec<Position> = STARTS.map(start).collect();
        let mut reached = BTreeSet::new();
        while let Some(position) = open.pop() {
            if !reached.contains(&position) {
                open.extend(self.options(&position));
                reached.insert(position);
            }
        }
        reached
    }
}

/// Whether a position and its winning move fit on the board.
fn can_be_drawn(position: &Position, answer: &Position) -> bool {
    let sheet = Sheet::of(position);
    sheet.is_ok_and(|sheet| sheet.fits_a_match() && sheet.route_to(answer).is_some())
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../common/board/src/puzzles.txt")
}

/// The collection: of all positions that fit, those with the shortest texts, which have the simplest drawings. Each
/// occurs once. Within a grade, the conventions alternate, and positions with fewer moves come first.
fn collection() -> String {
    let mut known = Found::default();
    let mut positions: Vec<Position> = known.reached().into_iter().collect();
    // A sum of lands has fences in its drawing.
    positions.retain(|position| position.lands().len() == 1);
    positions.sort_by_cached_key(|position| {
        let text = Sprouts.print(position);
        (text.len(), text)
    });
    let mut text = HEAD.to_owned();
    for (grade, count, moves) in GRADES {
        let mut found = [Vec::new(), Vec::new()];
        for position in &positions {
            let options = known.options(position).len();
            if !moves.contains(&options) {
                continue;
            }
            // The convention with fewer puzzles so far comes first.
            let fewer = usize::from(found[1].len() < found[0].len());
            for side in [fewer, 1 - fewer] {
                if found[side].len() == count / 2 {
                    continue;
                }
                let play = Play::ALL[side];
                let Some(answer) = known.only_winning(position, play) else {
                    continue;
                };
                if can_be_drawn(position, &answer) {
                    let [of, answer] = [position, &answer].map(|of| Sprouts.print(of));
                    found[side].push((options, of, answer));
                    break;
                }
            }
        }
        let found = found.map(|mut found| {
            found.sort();
            assert_eq!(found.len(), count / 2, "{grade}");
            found
        });
        for i in 0..count {
            let (_, position, answer) = &found[i % 2][i / 2];
            let play = Play::ALL[i % 2];
            text += &format!("{grade} {play} {position} {answer}\n");
        }
    }
    text
}

#[test]
fn the_puzzles_are_generated() {
    let made = collection();
    if std::env::var_os("SPROUTNET_GENERATE").is_some() {
        std::fs::write(file(), &made).expect("written");
    }
    let kept = std::fs::read_to_string(file()).expect("the collection");
    assert!(
        kept == made,
        "the puzzles are old: run with SPROUTNET_GENERATE=1"
    );
}

#[test]
fn puzzles_differ_and_each_has_one_winning_move() {
    let kept = std::fs::read_to_string(file()).expect("the collection");
    let mut known = Found::default();
    let mut seen = BTreeSet::new();
    let mut counts = [0; 3];
    for line in kept.lines().filter(|line| !line.starts_with('#')) {
        let [grade, play, position, answer] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let grade = GRADES.iter().position(|of| of.0 == grade).expect("a grade");
        let side = Play::ALL
            .iter()
            .position(|of| of.name() == play)
            .expect("a convention");
        assert_eq!(side, counts[grade] % 2, "the conventions alternate: {line}");
        counts[grade] += 1;
        let [position, answer] = [position, answer].map(|of| Sprouts.parse(of).expect(of));
        assert!(
            GRADES[grade].2.contains(&known.options(&position).len()),
            "{line}"
        );
        let only = known.only_winning(&position, Play::ALL[side]);
        assert_eq!(only, Some(answer), "{line}");
        assert!(seen.insert(position), "twice: {line}");
    }
    assert_eq!(counts, GRADES.map(|of| of.1));
}
