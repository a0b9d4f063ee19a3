//! Compares options with those of the search and with those on the planar map.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use fastrand::Rng;

use super::canonical::{Canoniser, fingerprint};
use super::{Land, moves};
use crate::format::Ruleset;
use sproutnet_game::sprouts::planar::PlanarMap;
use sproutnet_game::{Game, Position};

/// Lands, sorted.
type Sum = Vec<Land>;

fn sum(text: &str) -> Sum {
    sum_of(Ruleset::Sprouts, text)
}

fn sum_of(rules: Ruleset, text: &str) -> Sum {
    let raw = rules
        .parse(text)
        .unwrap_or_else(|error| panic!("`{text}`: {error}"));
    let lands = Land::all_of(&raw, rules, &mut Canoniser::default());
    let mut lands = lands.expect("nobody stops it");
    lands.sort_unstable();
    lands
}

fn options_of_land(rules: Ruleset, land: &Land) -> BTreeSet<Sum> {
    let mut options = BTreeSet::new();
    let mut canoniser = Canoniser::default();
    let flow: ControlFlow<()> = moves::each(land, rules, &mut |lands| {
        let canonical = |index| canoniser.land(lands.marks(index)).expect("nobody stops it");
        let mut option: Sum = (0..lands.len()).map(canonical).collect();
        option.sort_unstable();
        options.insert(option);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    options
}

fn options(rules: Ruleset, sum: &Sum) -> BTreeSet<Sum> {
    let mut options = BTreeSet::new();
    for (i, land) in sum.iter().enumerate() {
        for mut option in options_of_land(rules, land) {
            option.extend_from_slice(&sum[..i]);
            option.extend_from_slice(&sum[i + 1..]);
            option.sort_unstable();
            options.insert(option);
        }
    }
    options
}

/// Lands of the search and of the checker.
struct Pairs {
    rules: Ruleset,
    game: Arc<dyn Game>,
    here: HashMap<sproutnet_game::Land, Land>,
    there: HashMap<Land, sproutnet_game::Land>,
}

impl Pairs {
    fn new(rules: Ruleset) -> Self {
        Self {
            rules,
            game: sproutnet_game::by_name(rules.name()).expect("a game"),
            here: HashMap::new(),
            there: HashMap::new(),
        }
    }

    /// The same position in the checker. Two lands must be equal here exactly if they are equal in the search.
    fn same(&mut self, position: &Position) -> Sum {
        let mut lands: Sum = position
            .lands()
            .iter()
            .map(|land| self.land(land))
            .collect();
        lands.sort_unstable();
        lands
    }

    fn land(&mut self, land: &sproutnet_game::Land) -> Land {
        if let Some(known) = self.here.get(land) {
            return known.clone();
        }
        let text = self.game.print(&Position::new(vec![land.clone()]));
        let mut here = sum_of(self.rules, &text);
        let here = here.pop().filter(|_| here.is_empty()).expect(&text);
        let printed = self.game.parse(&here.to_string()).expect("a position");
        assert!(printed.lands().iter().eq([land]), "{here} is printed wrong");
        let longest = self.rules.longest_play(here.rank(self.rules));
        assert_eq!(longest, self.game.max_moves(land), "moves in {here}");
        self.here.insert(land.clone(), here.clone());
        let before = self.there.insert(here.clone(), land.clone());
        assert_eq!(before, None, "two different lands are {here}");
        here
    }

    /// Compares the options of a position, and returns them.
    fn compare(&mut self, position: &Position) -> Vec<Position> {
        let here = self.same(position);
        let mut there = Vec::new();
        let flow = self.game.moves(position, &mut |option| {
            there.push(option);
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        let expected: BTreeSet<Sum> = there.iter().map(|option| self.same(option)).collect();
        assert_eq!(
            options(self.rules, &here),
            expected,
            "options of {}",
            self.game.print(position)
        );
        there
    }
}

/// Compares all options of all positions that play reaches from a start. Returns the number of lands.
fn compare_all_below(rules: Ruleset, start: &str) -> usize {
    let mut pairs = Pairs::new(rules);
    let mut met = BTreeSet::new();
    let mut waiting = vec![pairs.game.parse(start).expect("a position")];
    while let Some(position) = waiting.pop() {
        for option in pairs.compare(&position) {
            for land in option.lands() {
                if met.insert(land.clone()) {
                    waiting.push(Position::new(vec![land.clone()]));
                }
            }
        }
    }
    assert_eq!(pairs.here.len(), 1 + met.len());
    met.len()
}

#[test]
fn all_options_below_small_starts_are_those_of_the_engine() {
    for (rules, start, least) in [
        (Ruleset::Sprouts, "0*4", 500),
        (Ruleset::Mixed, "0*2", 20),
        (Ruleset::Mixed, "0*2.x", 500),
    ] {
        let lands = compare_all_below(rules, start);
        assert!(lands > least, "{start}: {lands}");
    }
}

#[test]
fn options_in_games_at_random_are_those_of_the_engine() {
    let mut random = Rng::with_seed(2026);
    for (rules, most) in [(Ruleset::Sprouts, 3000), (Ruleset::Mixed, 300)] {
        let mut pairs = Pairs::new(rules);
        let mut compared = 0;
        while compared < most {
            let start = match rules {
                Ruleset::Sprouts => format!("0*{}", 5 + random.usize(..9)),
                Ruleset::Mixed => {
                    format!("0*{}.x*{}", 1 + random.usize(..2), 1 + random.usize(..2))
                }
            };
            let mut position = pairs.game.parse(&start).expect("a position");
            while !position.lands().is_empty() {
                let mut options = pairs.compare(&position);
                compared += 1;
                position = options.swap_remove(random.usize(..options.len()));
            }
        }
    }
}

#[test]
fn options_are_those_on_the_planar_map() {
    let mut random = Rng::with_seed(1967);
    let starts = (1..=6)
        .cycle()
        .take(240)
        .map(|spots| (Ruleset::Sprouts, spots, 0));
    let mixed = [(1, 0), (0, 1), (2, 0), (1, 1)]
        .into_iter()
        .cycle()
        .take(40);
    let mixed = mixed.map(|(spots, crosses)| (Ruleset::Mixed, spots, crosses));
    for (rules, spots, crosses) in starts.chain(mixed) {
        let mut map = PlanarMap::start_with_crosses(spots, crosses);
        loop {
            let mut next = map.moves();
            if rules == Ruleset::Mixed {
                next.extend(map.moves_with_crosses());
            }
            let here = sum_of(rules, &map.text());
            let after = next.iter().map(|map| sum_of(rules, &map.text()));
            let expected: BTreeSet<Sum> = after.collect();
            assert_eq!(options(rules, &here), expected, "options of {}", map.text());
            if next.is_empty() {
                break;
            }
            map = next.swap_remove(random.usize(..next.len()));
        }
    }
}

/// A land written in another way: regions and boundaries in another order, boundaries rotated, regions mirrored,
/// letters with other names.
fn rewritten(text: &str, random: &mut Rng) -> String {
    let names: Vec<char> = {
        let mut names: Vec<char> = ('A'..='Z').collect();
        random.shuffle(&mut names);
        names
    };
    let mut regions: Vec<String> = text
        .split('|')
        .map(|region| {
            let mirror = random.usize(..2) == 0;
            let mut boundaries: Vec<String> = region
                .split('.')
                .flat_map(|boundary| match boundary.strip_prefix("0*") {
                    Some(count) => vec!["0"; count.parse().expect("a number")],
                    None => vec![boundary],
                })
                .map(|boundary| {
                    let mut spots: Vec<char> = boundary
                        .chars()
                        .map(|spot| match spot {
                            'A'..='Z' => names[spot as usize - 'A' as usize],
                            _ => spot,
                        })
                        .collect();
                    if mirror {
                        spots.reverse();
                    }
                    let at = random.usize(..spots.len());
                    spots.rotate_left(at);
                    spots.into_iter().collect()
                })
                .collect();
            random.shuffle(&mut boundaries);
            boundaries.join(".")
        })
        .collect();
    random.shuffle(&mut regions);
    regions.join("|")
}

#[test]
fn a_land_has_one_form_however_it_is_written() {
    let mut random = Rng::with_seed(4);
    for text in [
        "0*3.1a1a",
        "AB.CD.EF.GH|0.AB|0.CD|0.EF|0.GH",
        "0.AB|1.BC|0.CD|1.DE|0.EA",
        "AB.CD.2|AC.BD.2|1.1",
        "ABC.1a2a|ABC.1a2a|0",
        "AB|BC|CA|0.D2E2F|DEF",
        "ABCDEF|ABCDEF.0",
        "2AB1C.abab|CAB.0.0",
    ] {
        let here = sum(text);
        for _ in 0..200 {
            let other = rewritten(text, &mut random);
            assert_eq!(sum(&other), here, "{other} is {text}");
        }
        for land in &here {
            assert!(sum(&land.to_string()).iter().eq([land]), "{land}");
        }
    }
}

/// Many regions that look the same must not take long.
#[test]
fn symmetric_lands_are_written_quickly() {
    let names: Vec<char> = ('A'..='X').collect();
    let loops: Vec<String> = names.chunks(2).map(|pair| pair.iter().collect()).collect();
    let outside = loops.join(".");
    let inside: Vec<String> = loops.iter().map(|pair| format!("0.{pair}")).collect();
    let text = format!("{outside}|{}", inside.join("|"));
    let mut random = Rng::with_seed(7);
    let here = sum(&text);
    assert_eq!(sum(&rewritten(&text, &mut random)), here);
}

#[test]
fn the_sign_does_not_depend_on_the_form() {
    let mut random = Rng::with_seed(11);
    let mut signs = BTreeSet::new();
    let mut lands = BTreeSet::new();
    for text in ["0.0.0.1a1a", "0.AB|1.BC|0.CD|1.DE|0.EA", "AB.0|AB.1"] {
        let mut here = sum(text);
        while let Some(land) = here.pop() {
            let other = rewritten(&land.to_string(), &mut random);
            for same in sum(&other) {
                assert_eq!(
                    fingerprint(same.marks()),
                    fingerprint(land.marks()),
                    "{other}"
                );
            }
            signs.insert(fingerprint(land.marks()));
            lands.insert(land.clone());
            let options: Vec<Sum> = options_of_land(Ruleset::Sprouts, &land)
                .into_iter()
                .collect();
            here.extend(options[random.usize(..options.len())].iter().cloned());
        }
    }
    assert!(signs.len() * 4 > lands.len() * 3);
}
