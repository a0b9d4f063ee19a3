//! `sproutnet genus`, `canonical` and `count`: values of positions in sums, and numbers of positions.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use crate::command::{json, run, run_with_input};
use serde_json::{Value, json};
use sproutnet_game::{self as game, Game, Position};
use tempfile::tempdir;

/// The number of heaps *2 up to which genera are compared.
const TWOS: usize = 5;

/// A game by the definitions: whole positions beside heaps of Nim.
struct BruteForce<'a> {
    game: &'a dyn Game,
    options: HashMap<Position, BTreeSet<Position>>,
    nimbers: HashMap<Position, u32>,
    /// Whether the player to move wins a position beside heaps, which are sorted, under misère play.
    wins: HashMap<(Position, Vec<u32>), bool>,
}

impl<'a> BruteForce<'a> {
    fn of(game: &'a dyn Game) -> Self {
        Self {
            game,
            options: HashMap::new(),
            nimbers: HashMap::new(),
            wins: HashMap::new(),
        }
    }

    fn options(&mut self, position: &Position) -> BTreeSet<Position> {
        let game = self.game;
        let find = || {
            let mut options = BTreeSet::new();
            let _ = game.moves(position, &mut |option| {
                options.insert(option);
                ControlFlow::Continue(())
            });
            options
        };
        let options = self.options.entry(position.clone());
        options.or_insert_with(find).clone()
    }

    /// All positions that can be reached from a position.
    fn below(&mut self, position: &Position) -> BTreeSet<Position> {
        let mut met = BTreeSet::new();
        let mut open = vec![position.clone()];
        while let Some(position) = open.pop() {
            if met.insert(position.clone()) {
                open.extend(self.options(&position));
            }
        }
        met
    }

    fn nimber(&mut self, position: &Position) -> u32 {
        if let Some(&nimber) = self.nimbers.get(position) {
            return nimber;
        }
        let options = self.options(position);
        let met: BTreeSet<u32> = options.iter().map(|option| self.nimber(option)).collect();
        let nimber = (0..=met.len() as u32).find(|nimber| !met.contains(nimber));
        let nimber = nimber.expect("fewer are met");
        self.nimbers.insert(position.clone(), nimber);
        nimber
    }

    fn wins(&mut self, position: &Position, mut heaps: Vec<u32>) -> bool {
        heaps.retain(|&heap| heap > 0);
        heaps.sort_unstable();
        let key = (position.clone(), heaps);
        if let Some(&wins) = self.wins.get(&key) {
            return wins;
        }
        let (position, heaps) = &key;
        let options = self.options(position);
        let mut wins = options.is_empty() && heaps.is_empty();
        wins |= options
            .iter()
            .any(|option| !self.wins(option, heaps.clone()));
        for (i, &heap) in heaps.iter().enumerate() {
            for smaller in 0..heap {
                let mut heaps = heaps.clone();
                heaps[i] = smaller;
                wins = wins || !self.wins(position, heaps);
            }
        }
        self.wins.insert(key, wins);
        wins
    }

    /// The misère nimbers of a position beside 0, 1, 2, … heaps *2.
    fn misere_nimbers(&mut self, position: &Position) -> Vec<u32> {
        let nimber = |twos| {
            let mut heaps = (0..).map(|heap| [vec![2; twos], vec![heap]].concat());
            let lost = heaps.position(|heaps| !self.wins(position, heaps));
            lost.expect("one heap makes it lost") as u32
        };
        (0..=TWOS).map(nimber).collect()
    }
}

/// The nimber and the first misère nimbers that a genus tells.
fn read_genus(text: &str) -> (u32, Vec<u32>) {
    let (nimber, misere) = text.split_once('^').expect("a genus");
    let number = |text: &str| text.parse().expect("a number");
    let mut misere: Vec<u32> = if misere.contains(',') {
        misere.split(',').map(number).collect()
    } else {
        misere
            .chars()
            .map(|digit| number(&digit.to_string()))
            .collect()
    };
    while misere.len() <= TWOS {
        misere.push(misere.last().expect("a number") ^ 2);
    }
    misere.truncate(TWOS + 1);
    (number(nimber), misere)
}

#[test]
fn genera_are_those_of_the_definition() {
    let data = tempdir().expect("a folder");
    let mut compared = 0;
    for start in [
        "0*3",
        "0*1+0*2",
        "kayles:7",
        "kayles:4+5",
        "grundy:11",
        "nim:3+4",
        "octal(4.14):7",
        "cram:3x3",
        "node-kayles:path(8)",
    ] {
        let (game, position) = game::parse(start).expect("a position");
        let mut brute_force = BruteForce::of(&*game);
        let below: Vec<Position> = brute_force.below(&position).into_iter().collect();
        let texts = below
            .iter()
            .map(|position| game::qualified(&*game, &game.print(position)));
        let texts: Vec<String> = texts.collect();
        let asked = run_with_input(data.path(), &["genus", "-", "--json"], &texts.join("\n"));
        let answers = asked.with_code(0).json();
        assert_eq!(answers.len(), below.len());
        for (position, answer) in below.iter().zip(&answers) {
            let genus = answer["genus"].as_str().expect("a genus");
            let (nimber, misere) = read_genus(genus);
            assert_eq!(nimber, brute_force.nimber(position), "{answer}");
            assert_eq!(misere, brute_force.misere_nimbers(position), "{answer}");
            assert_eq!(answer["nimber"], nimber, "{answer}");
            assert_eq!(answer["misere_nimber"], misere[0], "{answer}");
            // If the genera of all positions below are those of Nim, the position is tame.
            let mut of_nim = |position: &Position| {
                let nimber = brute_force.nimber(position);
                let firm: Vec<u32> = (0..=TWOS as u32)
                    .map(|twos| nimber ^ (twos % 2 * 2))
                    .collect();
                let misere = brute_force.misere_nimbers(position);
                let fickle = [vec![1, 2, 0, 2, 0, 2], vec![0, 3, 1, 3, 1, 3]];
                misere == firm || fickle.get(nimber as usize) == Some(&misere)
            };
            let options_below = BruteForce::of(&*game).below(position);
            if options_below.iter().all(&mut of_nim) {
                assert_eq!(answer["tame"], true, "{answer}");
            } else if !of_nim(position) {
                assert_eq!(answer["tame"], false, "{answer}");
            }
            compared += 1;
        }
    }
    assert!(compared > 300, "{compared}");
}

/// Nimber and misère nimber of land L(i, j), a loop with i spots on one side and j on the other: World Game of Sprouts
/// Association, "Sprouts with Misère Grundy Tables" (2007).
const LOOPS: [(u32, u32, [u32; 2]); 16] = [
    (0, 0, [1, 0]),
    (1, 0, [2, 2]),
    (2, 0, [2, 1]),
    (3, 0, [0, 3]),
    (4, 0, [2, 2]),
    (5, 0, [2, 0]),
    (1, 1, [0, 1]),
    (2, 1, [0, 3]),
    (4, 1, [1, 0]),
    (2, 2, [0, 0]),
    (3, 2, [2, 0]),
    (4, 2, [1, 2]),
    (5, 2, [1, 1]),
    (3, 3, [1, 1]),
    (4, 3, [2, 1]),
    (4, 4, [0, 1]),
];

/// The same of n spots, n from 0.
const STARTS: [[u32; 2]; 9] = [
    [0, 1],
    [0, 1],
    [0, 0],
    [1, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
    [0, 0],
];

#[test]
fn misere_nimbers_are_those_published() {
    let data = tempdir().expect("a folder");
    let side = |spots| match spots {
        0 => "AB".to_owned(),
        spots => format!("0*{spots}.AB"),
    };
    let loops = LOOPS.map(|(i, j, numbers)| (format!("{}|{}", side(i), side(j)), numbers));
    let starts = (0..).zip(STARTS);
    let starts = starts.map(|(spots, numbers)| (game::Sprouts::start(spots), numbers));
    let (texts, numbers): (Vec<String>, Vec<[u32; 2]>) = loops.into_iter().chain(starts).unzip();
    // With little memory, the larger ones are soon left to the search.
    let asked = [
        "genus", "-", "--json", "--within", "1m", "--memory", "64MiB",
    ];
    let answers = run_with_input(data.path(), &asked, &texts.join("\n")).json();
    for (answer, [nimber, misere]) in answers.iter().zip(numbers) {
        assert_eq!(answer["nimber"], nimber, "{answer}");
        assert_eq!(answer["misere_nimber"], misere, "{answer}");
    }
}

#[test]
fn a_genus_that_is_not_found_has_a_reason() {
    let data = tempdir().expect("a folder");
    for (position, within, reason) in [
        (
            "0*30",
            "1s",
            "it takes longer than the time limit; --within gives it more",
        ),
        ("nim:5000", "1s", "it may have more than 1000 moves left"),
        (
            "switching:gale(2)/short",
            "1s",
            "the players have different moves",
        ),
    ] {
        for command in ["genus", "canonical"] {
            let asked = run(
                data.path(),
                &[command, position, "--within", within, "--json"],
            );
            let answer = asked.with_code(3).json().remove(0);
            let found = answer["reason"].as_str().expect("a reason");
            assert!(found.starts_with(reason), "{answer}");
        }
    }
    let little = run(
        data.path(),
        &["canonical", "0*9", "--memory", "1MiB", "--json"],
    );
    let little = little.with_code(3).json().remove(0);
    assert_eq!(
        little["reason"],
        "it takes more memory than the limit; --memory gives it more"
    );
    let text = run(data.path(), &["canonical", "0*30", "--within", "100ms"]).with_code(3);
    assert!(
        text.stdout.starts_with("0*30: not found, because it takes"),
        "{}",
        text.stdout
    );
}

#[test]
fn canonical_forms() {
    let data = tempdir().expect("a folder");
    let asked = run(
        data.path(),
        &["canonical", "kayles:5", "nim:2+2+1", "--json"],
    );
    let answers = asked.with_code(0).json();
    assert_eq!(
        answers[0],
        json!({
            "position": "kayles:5", "canonical": "kayles:5", "nimber": 4,
            "form": "{*1,*2,*3,{*2,*3}}", "names": [], "birthday": 5, "followers": 6, "reason": null,
        })
    );
    assert_eq!(answers[1]["form"], "{*2,*3}+*1");
    let text = run(data.path(), &["canonical", "nim:2+2"]).with_code(0);
    let expected =
        "nim:2+2: 0 under normal play; under misère play\n  {*2,*3}\n  birthday 4, 5 forms\n";
    assert_eq!(text.stdout, expected);
    let genus = run(data.path(), &["genus", "kayles:3-5"]).with_code(0);
    let rows: Vec<Vec<&str>> = genus
        .stdout
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[1], ["kayles:3", "3^31", "3", "3", "tame", "-"]);
    assert_eq!(rows[3], ["kayles:5", "4^146", "4", "1", "wild", "-"]);
}

#[test]
fn counts() {
    let data = tempdir().expect("a folder");
    let asked = run(data.path(), &["count", "nim:2", "--json"]).with_code(0);
    assert_eq!(
        json(asked.stdout.trim()),
        json!({
            "position": "nim:2", "canonical": "nim:2", "complete": true, "positions": 3, "options": 2,
            "shortest": 1, "longest": 2, "lost": {"normal": 1, "misere": 1},
            "plies": [
                {"positions": 1, "lost": {"normal": 0, "misere": 0}},
                {"positions": 2, "lost": {"normal": 1, "misere": 1}},
                {"positions": 1, "lost": {"normal": 1, "misere": 0}},
            ],
        })
    );
    let part = run(data.path(), &["count", "5", "--most", "1000"]).with_code(3);
    assert!(
        part.stdout.starts_with("0*5: at least 1,000 positions, "),
        "{}",
        part.stdout
    );
    let part = run_with_input(
        data.path(),
        &["count", "-", "--most", "1000", "--json"],
        "0*5\nx\n",
    );
    let part = part.with_code(2).json();
    assert_eq!(part[0]["complete"], false);
    assert_eq!(part[0]["lost"], Value::Null);
    assert_eq!(part[1]["line"], 2);
}
