//! The string engine against the laws it must obey and against the planar map.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::planar::PlanarMap;
use super::random::Random;
use super::{Rules, Sprouts, canonical, encoding, moves};
use crate::{Game, Land, OptionSink, Position};
use sproutnet_notation::raw::{RawPosition, Spot};

pub(super) fn parse(text: &str) -> Position {
    match Sprouts.parse_stored(text) {
        Ok(position) => position,
        Err(error) => panic!("{text}: {error}"),
    }
}

fn canonical_text(text: &str) -> String {
    Sprouts.print(&parse(text))
}

/// The options of a position, each a move in one of its lands.
fn options(position: &Position) -> BTreeSet<Position> {
    let mut options = BTreeSet::new();
    let end = Sprouts.moves(position, &mut |option| {
        options.insert(option);
        ControlFlow::Continue(())
    });
    assert!(end.is_continue());
    options
}

fn options_on_the_map(map: &PlanarMap) -> BTreeSet<Position> {
    map.moves().iter().map(|map| parse(&map.text())).collect()
}

/// The lives of all spots; a letter counts once.
pub(super) fn lives(raw: &RawPosition) -> u32 {
    let mut letters = HashSet::new();
    let boundaries = (0..raw.regions()).flat_map(|region| raw.boundaries(region));
    let spots = boundaries
        .flatten()
        .filter(|spot| spot.number().is_none_or(|_| letters.insert(**spot)));
    spots.map(|spot| spot.lives()).sum()
}

#[test]
fn equivalences_by_example() {
    for (text, canonical) in [
        ("!", "!"),
        ("0", "0"),
        ("0*2.0", "0*3"),
        ("0*5.12", "0*5.12"),
        ("1.0.2", "0.1.2"),
        ("0.0.}]!", "0*2"),
        ("0.12.}AB.}AB.}]1.}]!", "1+AB|0.12|AB"),
        ("3", "!"),
        ("31.0", "0.1"),
        ("2", "!"),
        ("1", "1"),
        ("1.2", "12"),
        ("2.2.2", "222"),
        ("1aab.0", "0.122"),
        ("0.1aa2b", "0.1222"),
        ("a1a.0", "0.12"),
        ("0.1.A", "0.1.2"),
        ("AB|A", "1"),
        ("22", "1"),
        ("AB|AB", "1"),
        ("AB|BA.2", "AB|2AB"),
        ("0.1.AA", "0.1.2"),
        ("0.1.A1A2", "0.1.1a2a"),
        ("0.AB|ABC|C.0.0", "0*2.A|0.BC|ABC"),
    ] {
        let read = parse(text);
        let expected = parse(canonical);
        assert_eq!(read, expected, "{text} against {canonical}");
    }
}

#[test]
fn canonical_text_is_stable() {
    for text in [
        "!",
        "0*12",
        "0*3.1a1a",
        "0*2.AB|0.AB",
        "1",
        "12",
        "22",
        "AB|AB",
        "0.1a2a|AB|AB",
    ] {
        let canonical = canonical_text(text);
        assert_eq!(canonical_text(&canonical), canonical);
    }
    assert_eq!(canonical_text("0.0.0"), "0*3");
    assert_eq!(canonical_text("0*3.1b1b"), "0*3.1a1a");
}

#[test]
fn ties_that_only_a_search_can_break() {
    // Links that look alike in every local view: regions `0.X.Y` in one ring of six, or in two rings
    // of three.
    let ring = |names: &str| {
        let names: Vec<char> = names.chars().collect();
        let regions: Vec<String> = (0..names.len())
            .map(|i| format!("0.{}.{}", names[i], names[(i + 1) % names.len()]))
            .collect();
        regions.join("|")
    };
    // A letter joins each ring to one region, `0.XYg`, so there is one land.
    let hung = |names: &str, hooks: &str| {
        let ring = ring(names);
        let regions = ring.split('|').zip(hooks.chars());
        let regions: Vec<String> = regions
            .map(|(region, hook)| format!("{region}{hook}"))
            .collect();
        regions.join("|")
    };
    let one = parse(&format!("G.H.I.J.K.L|{}", hung("ABCDEF", "GHIJKL")));
    let two = parse(&format!(
        "G.H.I.J.K.L|{}|{}",
        hung("ABC", "GHI"),
        hung("DEF", "JKL")
    ));
    assert_ne!(one, two);
    assert_eq!(
        one,
        parse(&format!("{}|L.K.J.I.H.G", hung("CEABFD", "LGHIJK")))
    );
    // Many equal places around a centre. Automorphisms make this fast.
    let mut centre = String::from("0");
    let mut leaves = String::new();
    for k in 1..=40 {
        centre.push_str(&format!(".n({})n({})", 2 * k - 1, 2 * k));
        leaves.push_str(&format!("|0.n({})n({})", 2 * k - 1, 2 * k));
    }
    let star = parse(&(centre + &leaves));
    assert_eq!(parse(&Sprouts.print(&star)), star);
}

#[test]
fn two_boundaries_with_the_same_letters_in_any_order() {
    // Letters differ only far away. Most of these lands cannot be drawn.
    let mut random = Random(0xcafe_f00d);
    for letters in 4..=12 {
        for _ in 0..100 {
            let mut names: Vec<char> = ('A'..='Z').take(letters).collect();
            let inner: String = names.iter().collect();
            random.shuffle(&mut names);
            let outer: String = names.iter().collect();
            let text = format!("{inner}|{outer}");
            let position = parse(&text);
            assert_eq!(parse(&Sprouts.print(&position)), position, "{text}");
            for land in position.lands() {
                assert_eq!(Sprouts.land(land.as_bytes()).as_ref(), Ok(land), "{text}");
                let copy = canonical::position(&disguise(land, &mut random), Rules::SPROUTS);
                assert_eq!(copy, position, "{text}");
            }
        }
    }
}

#[test]
fn both_engines_have_the_same_options_below_five_spots() {
    for spots in 1..=4 {
        let mut met = HashSet::new();
        let mut waiting = vec![PlanarMap::start(spots)];
        while let Some(map) = waiting.pop() {
            let position = parse(&map.text());
            assert_eq!(Sprouts::on_map(&map), position, "{}", map.text());
            if !met.insert(position.clone()) {
                continue;
            }
            assert_eq!(
                options(&position),
                options_on_the_map(&map),
                "{}",
                map.text()
            );
            waiting.extend(map.moves());
        }
    }
}

#[test]
fn both_engines_have_the_same_options_in_random_games() {
    let mut random = Random(0x5eed_cafe);
    let mut compared = 0;
    while compared < 3_000 {
        let spots = 5 + random.below(5);
        let mut map = PlanarMap::start(spots);
        loop {
            let position = parse(&map.text());
            assert_eq!(Sprouts::on_map(&map), position, "{}", map.text());
            let mut successors = map.moves();
            assert_eq!(
                options(&position),
                options_on_the_map(&map),
                "{}",
                map.text()
            );
            compared += 1;
            if successors.is_empty() {
                break;
            }
            let chosen = random.below(successors.len());
            map = successors.swap_remove(chosen);
        }
    }
}

/// The canonical positions reachable from the start, including itself and the end of the game.
fn reachable(spots: u32) -> usize {
    let mut met = HashSet::from([parse(&Sprouts::start(spots))]);
    let mut waiting: Vec<Position> = met.iter().cloned().collect();
    while let Some(position) = waiting.pop() {
        for option in options(&position) {
            if met.insert(option.clone()) {
                waiting.push(option);
            }
        }
    }
    met.len()
}

#[test]
fn numbers_of_reachable_positions() {
    // Column 3 of the reference is an upper bound: isomorphism classes of a one-pass form.
    let reference = include_str!("../../../solver/tests/reference/reachable_counts.tsv");
    let bounds: Vec<usize> = reference
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| {
            line.split('\t')
                .nth(2)
                .and_then(|n| n.parse().ok())
                .expect("a count")
        })
        .collect();
    for (i, exact) in [3, 16, 136, 1393, 16300].into_iter().enumerate() {
        assert!(exact <= bounds[i]);
        assert_eq!(reachable(i as u32 + 1), exact, "{} spots", i + 1);
    }
}

/// A position after some random moves from a start with up to eight spots.
fn played() -> impl Strategy<Value = Position> {
    (1u32..=8, any::<u64>(), 0usize..20).prop_map(|(spots, seed, moves)| {
        let mut random = Random(seed | 1);
        let mut position = parse(&Sprouts::start(spots));
        for _ in 0..moves {
            let options: Vec<Position> = options(&position).into_iter().collect();
            if options.is_empty() {
                break;
            }
            position = options[random.below(options.len())].clone();
        }
        position
    })
}

/// The same land in another form: letters renamed, boundaries rotated, regions mirrored, all in another
/// order.
fn disguise(land: &Land, random: &mut Random) -> RawPosition {
    let raw = encoding::read(land.as_bytes());
    let mut names: Vec<Spot> = (0..raw.letters()).map(Spot::letter).collect();
    random.shuffle(&mut names);
    let mut regions: Vec<Vec<Vec<Spot>>> = (0..raw.regions())
        .map(|region| raw.boundaries(region).map(<[Spot]>::to_vec).collect())
        .collect();
    let mut copy = RawPosition::default();
    copy.reserve_letters(raw.letters());
    random.shuffle(&mut regions);
    for mut region in regions {
        let mirror = random.below(2) == 0;
        random.shuffle(&mut region);
        for mut boundary in region {
            if mirror {
                boundary.reverse();
            }
            let size = boundary.len();
            boundary.rotate_left(random.below(size));
            for spot in &mut boundary {
                *spot = spot.number().map_or(*spot, |number| names[number]);
            }
            copy.push_boundary(&boundary);
        }
        copy.end_region();
    }
    copy
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_disguised_land_is_recognised(position in played(), seed in any::<u64>()) {
        let mut random = Random(seed | 1);
        for land in position.lands() {
            let copy = canonical::position(&disguise(land, &mut random), Rules::SPROUTS);
            prop_assert_eq!(copy.lands(), std::slice::from_ref(land));
        }
    }

    #[test]
    fn what_is_played_can_be_drawn(position in played()) {
        for land in position.lands() {
            prop_assert_eq!(Sprouts.check_possible(land.as_bytes()), Ok(()));
        }
    }

    #[test]
    fn text_and_bytes_round_trip(position in played()) {
        let text = Sprouts.print(&position);
        prop_assert_eq!(&parse(&text), &position);
        prop_assert_eq!(canonical_text(&text), text);
        for land in position.lands() {
            let read = Sprouts.land(land.as_bytes());
            prop_assert_eq!(read.as_ref(), Ok(land));
        }
    }

    #[test]
    fn a_move_takes_one_life_and_simplification_gives_none(position in played()) {
        for land in position.lands() {
            let raw = encoding::read(land.as_bytes());
            let before = lives(&raw);
            let end = moves::each(&raw, Rules::SPROUTS, &mut |option| {
                assert_eq!(lives(option), before - 1);
                let lands = canonical::position(option, Rules::SPROUTS);
                let after: u32 = lands.lands().iter().map(|l| lives(&encoding::read(l.as_bytes()))).sum();
                assert!(after < before);
                let lengths: u32 = lands.lands().iter().map(|l| Sprouts.max_moves(l)).sum();
                assert!(lengths < Sprouts.max_moves(land));
                ControlFlow::Continue(())
            });
            prop_assert!(end.is_continue());
        }
    }

    #[test]
    fn any_bytes_are_a_land_or_an_error(bytes in prop::collection::vec(0u8..12, 0..24)) {
        if let Ok(land) = Sprouts.land(&bytes) {
            prop_assert_eq!(land.as_bytes(), &bytes[..]);
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "[0-3a-cA-D.|+!}\\]*mn() é]{0,30}") {
        match Sprouts.parse(&text) {
            Ok(position) => {
                let printed = Sprouts.print(&position);
                prop_assert_eq!(&parse(&printed), &position);
                // Every reader takes the text for people and programs for the same position.
                let shown = crate::qualified(&Sprouts, &printed);
                prop_assert_eq!(&parse(&shown), &position);
                prop_assert_eq!(&*crate::typed(&shown), &shown);
                let (_, asked) = crate::parse(&shown).expect("it was printed");
                prop_assert_eq!(asked, position);
            }
            Err(error) => prop_assert!((1..=text.chars().count() + 1).contains(&error.column)),
        }
    }
}

#[test]
fn the_largest_positions_can_be_handled() {
    for text in ["0*333", "0*120", &format!("0*330.{}", "1a1a")] {
        let position = parse(text);
        assert_eq!(Sprouts.print(&position), text);
    }
    assert_eq!(options(&parse("0*120")).len(), 61);
    // A boundary of 999 letters and spots, and its options.
    let long: String = (1..=499).map(|k| format!("m({k})2m({k})")).collect();
    let position = parse(&long);
    assert_eq!(parse(&Sprouts.print(&position)), position);
}

#[test]
fn options_are_told_in_canonical_form_with_their_lengths() {
    struct Checked(Vec<Vec<u8>>);
    impl OptionSink for Checked {
        fn land(&mut self, canonical: &[u8], length: u32) {
            let land = Sprouts.land(canonical).expect("a canonical land");
            assert_eq!(Sprouts.max_moves(&land), length);
            self.0.push(canonical.to_vec());
        }

        fn end(&mut self) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
    let generator = Sprouts.generator();
    let mut random = Random(1);
    for spots in 4..=12 {
        for _ in 0..20 {
            let start = parse(&format!("0*{spots}"));
            let mut land = start.lands()[0].as_bytes().to_vec();
            loop {
                let mut options = Checked(Vec::new());
                assert!(generator.each_option(&land, &mut options).is_continue());
                if options.0.is_empty() {
                    break;
                }
                let chosen = random.below(options.0.len());
                land = options.0.swap_remove(chosen);
            }
        }
    }
}
