//! Surfaces against Sprouts, against polygons that are glued to surfaces, and against brute force without equivalences.

mod polygons;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::text::{mark_numbers, surfaces};

use self::polygons::Drawing;
use super::super::tests::options;
use super::Surfaces;
use crate::sprouts::{Rules, raw_position};
use crate::{Game, Land, OptionSink, Position, Sprouts};

fn read(text: &str) -> Position {
    let read = Surfaces.parse(text);
    read.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn texts<'a>(positions: impl Iterator<Item = &'a Position>) -> Vec<String> {
    positions.map(|position| Surfaces.print(position)).collect()
}

/// Compares the options of a drawing with those of its position, and returns the drawings of the options. Curves that
/// cross few sides do not find all options.
fn checked_moves(drawing: &Drawing, most_crossed: usize, finds_all: bool) -> Vec<Drawing> {
    let drawings = drawing.moves(most_crossed);
    let drawn: BTreeSet<Position> = drawings
        .iter()
        .map(|drawing| read(&drawing.text()))
        .collect();
    let found = options(&Surfaces, &read(&drawing.text()));
    let wrong = texts(drawn.difference(&found));
    assert!(wrong.is_empty(), "drawn from {}: {wrong:?}", drawing.text());
    if finds_all {
        let wrong = texts(found.difference(&drawn));
        assert!(wrong.is_empty(), "found from {}: {wrong:?}", drawing.text());
    }
    drawings
}

#[test]
fn options_are_those_of_polygons_at_every_position_below_small_starts() {
    // The spots, the surface, how many sides curves cross until they find all options, and the positions.
    for (spots, surface, most_crossed, positions) in [
        (1, 0, 2, 3),
        (2, 0, 3, 16),
        (3, 0, 4, 136),
        (1, 1, 5, 3),
        (1, 2, 6, 3),
        (1, -1, 3, 3),
        (1, -2, 4, 3),
        (1, -3, 6, 3),
        (2, 1, 5, 28),
        (2, -1, 4, 25),
        (2, -2, 5, 36),
    ] {
        let mut met = BTreeSet::new();
        let mut left = vec![Drawing::start(spots, surface)];
        while let Some(drawing) = left.pop() {
            if met.insert(read(&drawing.text())) {
                left.append(&mut checked_moves(&drawing, most_crossed, true));
            }
        }
        assert_eq!(met.len(), positions, "{spots} on {surface}");
    }
}

/// Boundaries that differ from their mirror images.
#[test]
fn options_are_those_of_polygons_where_orientation_matters() {
    // The lines at each spot, the regions, and how many sides curves cross until they find all options.
    let both: &[&[usize]] = &[&[0, 1, 2], &[3, 4, 5]];
    let three: &[&[usize]] = &[&[0, 1, 2], &[3, 4, 5], &[6]];
    for (surface, boundaries, most_crossed) in [
        (0, both, 2),
        (-1, both, 5),
        (-2, both, 5),
        (1, both, 5),
        (-1, three, 5),
    ] {
        let lines = [1, 2, 2, 1, 2, 2, 0];
        let drawing = Drawing::of(&lines, &[(surface, boundaries), (0, &[&[2, 5]])]);
        let drawings = checked_moves(&drawing, most_crossed, true);
        assert!(drawings.len() > 80, "{}", drawing.text());
    }
}

#[test]
fn options_are_those_of_polygons_along_random_plays() {
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..60 {
        let surface = [1, 2, -1, -2, -3][round % 5];
        let mut drawing = Drawing::start(2 + round % 3, surface);
        loop {
            let most_crossed = if surface == -1 { 3 } else { 2 };
            let drawings = checked_moves(&drawing, most_crossed, false);
            let Some(next) = random.choice(drawings) else {
                break;
            };
            drawing = next;
        }
    }
}

/// Nimbers and misère outcomes by the definition, of texts to which no equivalence is applied, except that dead spots
/// are left out, and boundaries without others.
#[derive(Default)]
struct Plain(HashMap<String, (u32, bool)>);

impl Plain {
    fn solve(&mut self, raw: &RawPosition) -> (u32, bool) {
        let key = surfaces::print(raw);
        if let Some(&known) = self.0.get(&key) {
            return known;
        }
        let mut values = BTreeSet::new();
        let _ = Rules::SURFACES.raw_moves(raw, &mut |option| {
            values.insert(self.solve(option));
            ControlFlow::Continue(())
        });
        let value = value(&values);
        self.0.insert(key, value);
        value
    }
}

/// The nimber of a position, and whether the player to move wins misère play, from those of its options.
fn value(options: &BTreeSet<(u32, bool)>) -> (u32, bool) {
    let has = |nimber: u32| options.iter().any(|&(other, _)| other == nimber);
    let nimber = (0..=options.len() as u32)
        .find(|&nimber| !has(nimber))
        .expect("one is free");
    let wins = options.is_empty() || options.iter().any(|&(_, wins)| !wins);
    (nimber, wins)
}

/// The same for canonical positions.
fn solve(position: &Position, known: &mut HashMap<Position, (u32, bool)>) -> (u32, bool) {
    if let Some(&known) = known.get(position) {
        return known;
    }
    let options = options(&Surfaces, position);
    let values = options.iter().map(|option| solve(option, known)).collect();
    known.insert(position.clone(), value(&values));
    value(&values)
}

#[test]
fn equivalences_change_neither_nimbers_nor_misere_outcomes() {
    let mut known = HashMap::new();
    for text in [
        "0*2",
        "0*2@1",
        "0*2@2",
        "0*2@-1",
        "0*2@-2",
        "0*2@-3",
        "0.22@1",
        "0.22@-1",
        "1A2A@-2",
        "1.2A@-1|2A",
        "12A@-2|1A",
        "0.A.A@1",
        "1.1.2@3",
        "1.1.2@-5",
        "1122}@2",
        "1212}@-4",
    ] {
        let mut plain = Plain::default();
        let raw = surfaces::parse(text).expect(text);
        assert_eq!(plain.solve(&raw), solve(&read(text), &mut known), "{text}");
    }
}

#[test]
fn start_positions_have_the_published_winners_and_nimbers_of_the_table() {
    // Spots 1 to 3 on the sphere, one and two handles, one to three crosscaps: nimbers, and misère wins.
    let mut known = HashMap::new();
    for (suffix, nimbers, wins) in [
        ("", [0, 0, 1], [true, false, false]),
        ("@1", [0, 0, 1], [true, false, false]),
        ("@2", [0, 0, 1], [true, false, false]),
        ("@-1", [0, 1, 1], [true, false, false]),
        ("@-2", [0, 1, 1], [true, false, false]),
        ("@-3", [0, 1, 1], [true, false, false]),
    ] {
        for spots in 1..=3 {
            let text = format!("0*{spots}{suffix}");
            let expected = (nimbers[spots - 1], wins[spots - 1]);
            assert_eq!(solve(&read(&text), &mut known), expected, "{text}");
        }
    }
}

#[test]
fn without_a_suffix_it_is_sprouts() {
    let mut met = BTreeSet::new();
    let mut left =
        Vec::from(["0*3", "0*2.1a1a", "0.AB|AB+1.1"].map(|text| Sprouts.parse(text).expect(text)));
    let mut read_here = BTreeSet::new();
    while let Some(position) = left.pop() {
        if !met.insert(position.clone()) {
            continue;
        }
        let here = |position: &Position| read(&mark_numbers(&Sprouts.print(position)));
        read_here.insert(here(&position));
        let of_sprouts = options(&Sprouts, &position);
        let expected: BTreeSet<Position> = of_sprouts.iter().map(here).collect();
        assert_eq!(
            expected,
            options(&Surfaces, &here(&position)),
            "{}",
            Sprouts.print(&position)
        );
        left.extend(of_sprouts);
    }
    assert_eq!(met.len(), read_here.len());
}

/// The options passed by a generator, and the number of those in outline.
#[derive(Default)]
struct Passed {
    lands: Vec<Land>,
    options: Vec<Position>,
    outlines: usize,
}

impl OptionSink for Passed {
    fn land(&mut self, canonical: &[u8], max_moves: u32) {
        let land = Surfaces.land(canonical).expect("canonical bytes");
        assert_eq!(Surfaces.max_moves(&land), max_moves);
        self.lands.push(land);
    }

    fn end(&mut self) -> ControlFlow<()> {
        let option = Position::new(std::mem::take(&mut self.lands));
        self.options.push(option);
        ControlFlow::Continue(())
    }

    fn outline(&mut self, max_moves: &mut dyn Iterator<Item = u32>) {
        for moves in max_moves {
            assert!(moves > 0);
        }
        self.outlines += 1;
    }
}

#[test]
fn one_generator_serves_all_lands_whole_or_in_part() {
    let generator = Surfaces.generator();
    for start in ["0*3@1", "0*3@-2", "0*2.1A.A@-1", "0*3.AB@1|AB"] {
        let mut met = BTreeSet::new();
        let mut left = vec![read(start)];
        while let Some(position) = left.pop().filter(|_| met.len() < 300) {
            for land in position.lands() {
                let alone = options(&Surfaces, &Position::new(vec![land.clone()]));
                let (mut all, mut first) = (Passed::default(), Passed::default());
                let _ = generator.each_option(land.as_bytes(), &mut all);
                let in_part = generator.expand_partially(land.as_bytes(), 3, &mut first);
                assert!(in_part.is_some() && all.outlines == 0);
                assert_eq!(all.options.iter().cloned().collect::<BTreeSet<_>>(), alone);
                assert_eq!(first.options, all.options[..first.options.len()]);
                assert_eq!(first.options.len(), all.options.len().min(3));
                assert_eq!(first.outlines, all.options.len() - first.options.len());
            }
            let next = options(&Surfaces, &position).into_iter();
            left.extend(next.filter(|option| met.insert(option.clone())));
        }
    }
}

/// A text of the same land: everything in a random order, from a random place, and sometimes mirrored.
fn respelled(land: &Land, random: &mut fastrand::Rng) -> String {
    let raw = raw_position(land);
    let mut letters: Vec<usize> = (0..raw.letters()).collect();
    random.shuffle(&mut letters);
    let mut regions: Vec<usize> = (0..raw.regions()).collect();
    random.shuffle(&mut regions);
    let mut written = RawPosition::default();
    for region in regions {
        let surface = raw.surface(region);
        let together = random.bool();
        let boundaries = raw.boundaries(region).map(<[Spot]>::to_vec);
        let mut boundaries: Vec<Vec<Spot>> = boundaries.collect();
        random.shuffle(&mut boundaries);
        for boundary in &mut boundaries {
            let start = random.usize(..boundary.len());
            boundary.rotate_left(start);
            let is_mirrored = if surface.is_orientable() {
                together
            } else {
                random.bool()
            };
            if is_mirrored {
                boundary.reverse();
            }
            for spot in &mut *boundary {
                *spot = spot
                    .number()
                    .map_or(*spot, |number| Spot::letter(letters[number]));
            }
            written.push_boundary(boundary);
        }
        written.end_region_on(surface);
    }
    surfaces::print(&written)
}

#[test]
fn the_canonical_form_does_not_depend_on_how_a_position_is_written() {
    let mut random = fastrand::Rng::with_seed(3);
    for round in 0..300 {
        let start = ["0*4", "0*4@1", "0*5@2", "0*4@-1", "0*5@-2", "0*3@-3"][round % 6];
        let mut position = read(start);
        while !position.lands().is_empty() {
            let text = Surfaces.print(&position);
            for _ in 0..5 {
                let lands = position.lands().iter().rev();
                let lands = lands.map(|land| respelled(land, &mut random));
                let other = lands.collect::<Vec<_>>().join("+");
                assert_eq!(read(&other), position, "{other} for {text}");
            }
            let options: Vec<Position> = options(&Surfaces, &position).into_iter().collect();
            position = random.choice(options).expect("a land has a move");
        }
    }
    for (text, canonical) in [
        ("12A.12B.0@-1|AB", "12A.21B.0@-1|AB"),
        ("0.2@-3", "0.2@2"),
        ("0*1@-3", "0*1"),
        ("1.2@4", "1.2"),
        ("0.2@-3|A1A@7+33}@1", "0.2@-1+12}"),
    ] {
        assert_eq!(read(text), read(canonical), "{text}");
    }
    for (one, other) in [
        ("12A.12B.0|AB", "12A.21B.0|AB"),
        ("12A.12B.0@2|AB", "12A.21B.0@2|AB"),
        ("0.2@1", "0.2"),
        ("0*2@1", "0*2@-1"),
        ("0.11@1", "0.11@2"),
    ] {
        assert_ne!(read(one), read(other), "{one} {other}");
    }
}

#[test]
fn what_may_be_wrong_is_refused_or_read_back() {
    let mut random = fastrand::Rng::with_seed(11);
    let words = [
        "0", "1", "2", "3", "a", "A", "B", "C", ".", ".", "|", "+", "@", "@1", "@-1", "@-2", "0*2",
        "AB", "12A", "}", "!", "]", " ", "-", "m(1)", "n(2)", "0*334", "@61",
    ];
    let mut accepted = 0;
    for _ in 0..60_000 {
        let some = (0..random.usize(1..12)).map(|_| words[random.usize(..words.len())]);
        let text: String = some.collect();
        match Surfaces.parse(&text) {
            Ok(position) => {
                accepted += 1;
                assert_eq!(read(&Surfaces.print(&position)), position, "{text}");
                for land in position.lands() {
                    assert_eq!(Surfaces.land(land.as_bytes()).as_ref(), Ok(land), "{text}");
                }
            }
            Err(error) => {
                let columns = 1..=text.chars().count() + 1;
                assert!(columns.contains(&error.column), "{text}: {error}");
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
    let mut lands = 0;
    for round in 0..200_000 {
        let bytes: Vec<u8> = match round % 2 {
            0 => (0..random.usize(..12)).map(|_| random.u8(..)).collect(),
            _ => {
                let land = read(["0.AB@-1|AB", "0.1A.A@2", "12A.12B|AB@-3"][random.usize(..3)]);
                let mut bytes = land.lands()[0].as_bytes().to_vec();
                for _ in 0..random.usize(1..3) {
                    let at = random.usize(..bytes.len());
                    bytes[at] = [random.u8(..10), 0xff][random.usize(..2)];
                }
                bytes
            }
        };
        if let Ok(land) = Surfaces.land(&bytes) {
            lands += 1;
            assert_eq!(land.as_bytes(), bytes);
            assert_eq!(Surfaces.check(&bytes), Ok(Surfaces.max_moves(&land)));
            let position = Position::new(vec![land]);
            assert_eq!(read(&Surfaces.print(&position)), position, "{bytes:?}");
        }
    }
    assert!(lands > 500, "{lands}");
}
