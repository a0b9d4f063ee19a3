use std::collections::{BTreeMap, BTreeSet};

use super::super::random::Random;
use super::text::name;
use super::{Corner, Dart, Face, MAX_DEGREE, PlanarMap};

/// The number of random games from each start position.
const PLAYOUTS: usize = 300;

/// The text without names of letters (`a` small, `A` capital) and without order: boundaries in their
/// smallest rotation, boundaries and regions sorted.
///
/// Different shapes are different positions. For the small positions here equal shapes are equal positions.
fn shape(map: &PlanarMap) -> String {
    let boundary_shape = |boundary: &str| {
        let kinds: String = boundary
            .chars()
            .map(|c| match c {
                'a'..='z' => 'a',
                'A'..='Z' => 'A',
                _ => c,
            })
            .collect();
        (0..kinds.len())
            .map(|at| format!("{}{}", &kinds[at..], &kinds[..at]))
            .min()
            .expect("a boundary has a spot")
    };
    let mut regions: Vec<String> = map
        .text()
        .split('|')
        .map(|region| {
            let mut boundaries: Vec<String> = region.split('.').map(boundary_shape).collect();
            boundaries.sort_unstable();
            boundaries.join(".")
        })
        .collect();
    regions.sort_unstable();
    regions.join("|")
}

/// Checks the shapes of the options, and the number of each.
fn assert_options(map: &PlanarMap, expected: &[(&str, usize)]) {
    let mut found = BTreeMap::new();
    for option in map.moves() {
        *found.entry(shape(&option)).or_insert(0) += 1;
    }
    let expected = expected
        .iter()
        .map(|&(text, times)| (text.to_owned(), times));
    assert_eq!(found, expected.collect(), "options of {}", map.text());
}

fn option_with_shape(map: &PlanarMap, wanted: &str) -> PlanarMap {
    let found = map.moves().into_iter().find(|m| shape(m) == wanted);
    found.unwrap_or_else(|| panic!("no move to {wanted} from {}", map.text()))
}

impl PlanarMap {
    /// The lives of all spots: three for each spot, less one for each dart. A move adds one spot and four
    /// darts, so it takes exactly one life.
    fn lives(&self) -> usize {
        MAX_DEGREE * self.spots - self.darts.len()
    }
}

/// The number of sequences of `depth` moves.
fn perft(map: &PlanarMap, depth: usize) -> usize {
    if depth == 0 {
        return 1;
    }
    map.moves().iter().map(|m| perft(m, depth - 1)).sum()
}

#[derive(Clone, Copy)]
enum Play {
    Normal,
    Misere,
}

fn wins(map: &PlanarMap, play: Play) -> bool {
    let curves = map.curves();
    if curves.is_empty() {
        return matches!(play, Play::Misere);
    }
    curves.iter().any(|curve| !wins(&map.play(curve), play))
}

/// All lengths of games from here. Each map on the way is checked.
fn lengths(map: &PlanarMap) -> BTreeSet<usize> {
    assert_eq!(map.check(), Ok(()));
    let options = map.moves();
    if options.is_empty() {
        return BTreeSet::from([0]);
    }
    let longer = |m: &PlanarMap| lengths(m).into_iter().map(|length| length + 1);
    options.iter().flat_map(longer).collect()
}

#[test]
fn start_positions() {
    for (spots, text) in [(0, "!"), (1, "0"), (2, "0.0"), (5, "0.0.0.0.0")] {
        let map = PlanarMap::start(spots);
        assert_eq!(map.text(), text);
        assert_eq!(map.lives(), 3 * spots);
        assert_eq!(map.check(), Ok(()));
    }
    assert!(PlanarMap::start(0).moves().is_empty());
}

#[test]
fn first_moves() {
    for spots in 1..=9 {
        let joins = spots * (spots - 1) / 2;
        let loops = spots << (spots - 1);
        assert_eq!(PlanarMap::start(spots).moves().len(), joins + loops);
    }
    assert_options(&PlanarMap::start(1), &[("AA|AA", 1)]);
    assert_options(&PlanarMap::start(2), &[("1a1a", 1), ("0.AA|AA", 4)]);
    assert_options(
        &PlanarMap::start(3),
        &[("0.1a1a", 3), ("0.0.AA|AA", 6), ("0.AA|0.AA", 6)],
    );
}

#[test]
fn moves_on_one_boundary() {
    let line = option_with_shape(&PlanarMap::start(2), "1a1a");
    let loop_at_an_end = ("1a3A3a|3A", 2);
    let end_to_either_side_of_the_middle = ("13AA3|3AA", 4);
    let both_ends = ("AAAA|AAAA", 1);
    assert_options(
        &line,
        &[loop_at_an_end, end_to_either_side_of_the_middle, both_ends],
    );
}

#[test]
fn moves_beside_another_boundary() {
    let ring = option_with_shape(&PlanarMap::start(2), "0.AA|AA");
    assert_options(
        &ring,
        &[
            // The isolated spot's loop, around the ring or beside it.
            ("AA|AA|AA.AA", 2),
            // The isolated spot to either spot of the ring.
            ("1a3A3a|3A", 2),
            // Across the ring's far side; across this side, with the isolated spot in either part.
            ("0.33|33A|33A", 1),
            ("0.33A|33|33A", 2),
        ],
    );
}

#[test]
fn every_subset_of_other_boundaries_is_cut_off() {
    let map = option_with_shape(&PlanarMap::start(6), "0.0.0.0.1a1a");
    let isolated = |boundaries: &[Corner]| -> Vec<Corner> {
        let isolated = |c: &&Corner| matches!(c, Corner::Isolated(_));
        boundaries.iter().filter(isolated).copied().collect()
    };
    let mut times_cut_off = BTreeMap::new();
    for option in map.moves() {
        let sides: Vec<Vec<Corner>> = option
            .faces
            .iter()
            .map(|face| isolated(&face.boundaries))
            .collect();
        // Two faces and no isolated spot used: a curve on the boundary of the line.
        if let [one, other] = &sides[..]
            && one.len() + other.len() == 4
        {
            *times_cut_off.entry(format!("{one:?}")).or_insert(0) += 1;
        }
    }
    // Sixteen subsets, each with the seven curves on the line alone.
    assert_eq!(times_cut_off.len(), 16);
    assert!(times_cut_off.values().all(|&times| times == 7));
}

#[test]
fn sequences_counted_by_hand() {
    let one = PlanarMap::start(1);
    assert_eq!([1, 2, 3].map(|depth| perft(&one, depth)), [1, 2, 0]);
    // Seven moves from the line with two ends, and seven from the ring, which occurs four times.
    let two = PlanarMap::start(2);
    assert_eq!([1, 2].map(|depth| perft(&two, depth)), [5, 7 + 4 * 7]);
}

#[test]
fn random_playouts() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for spots in 1..=9 {
        for _ in 0..PLAYOUTS {
            let mut map = PlanarMap::start(spots);
            let mut length = 0;
            loop {
                let curves = map.curves();
                if curves.is_empty() {
                    break;
                }
                let after = map.play(&curves[random.below(curves.len())]);
                assert_eq!(after.check(), Ok(()), "after {}", map.text());
                assert_eq!(after.lives() + 1, map.lives());
                length += 1;
                map = after;
            }
            assert!((2 * spots..3 * spots).contains(&length), "{}", map.text());
        }
    }
}

#[test]
fn text_says_how_many_lives_there_are() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..PLAYOUTS {
        let mut map = PlanarMap::start(5);
        loop {
            // A spot has as many corners as lines; an isolated one has one corner.
            let text = map.text();
            let met = |wanted: fn(char) -> bool| text.chars().filter(|&c| wanted(c)).count();
            let twos = met(|c| c.is_ascii_alphabetic());
            let (threes, fresh) = (met(|c| c == '3'), met(|c| c == '0'));
            assert_eq!((twos % 2, threes % 3), (0, 0), "{text}");
            assert_eq!(fresh * 3 + met(|c| c == '1') * 2 + twos / 2, map.lives());
            let curves = map.curves();
            if curves.is_empty() {
                break;
            }
            map = map.play(&curves[random.below(curves.len())]);
        }
    }
}

#[test]
fn every_game_from_two_spots() {
    assert_eq!(lengths(&PlanarMap::start(1)), BTreeSet::from([2]));
    assert_eq!(lengths(&PlanarMap::start(2)), BTreeSet::from([4, 5]));
}

#[test]
fn outcomes_by_brute_force() {
    let outcomes = |play| [1, 2, 3].map(|spots| wins(&PlanarMap::start(spots), play));
    assert_eq!(outcomes(Play::Normal), [false, false, true]);
    assert_eq!(outcomes(Play::Misere), [true, false, false]);
}

#[test]
fn names_past_the_alphabet() {
    let smalls = [1, 26, 27, 28].map(|number| name('a'..='z', 'm', number));
    assert_eq!(smalls, ["a", "z", "m(27)", "m(28)"]);
    let capitals = [1, 26, 27, 100].map(|number| name('A'..='Z', 'n', number));
    assert_eq!(capitals, ["A", "Z", "n(27)", "n(100)"]);
}

#[test]
fn check_finds_damage() {
    let assert_broken = |damage: fn(&mut PlanarMap), law: &str| {
        let mut map = option_with_shape(&PlanarMap::start(3), "0.0.AA|AA");
        damage(&mut map);
        let error = map.check().expect_err(law);
        assert!(error.contains(law), "{error}");
    };
    assert_broken(|map| map.darts[0].next = 99, "outside the map");
    assert_broken(|map| map.darts[0].twin = 0, "twin's twin");
    assert_broken(|map| map.darts.swap(0, 2), "twin's twin");
    assert_broken(|map| map.darts[0].next = map.darts[0].twin, "follows two");
    assert_broken(|map| map.spots += 1, "a boundary 0 times");
    assert_broken(|map| drop(map.faces.pop()), "on 0 boundaries");
    assert_broken(
        |map| map.faces.push(map.faces[0].clone()),
        "on 2 boundaries",
    );
    assert_broken(
        // The isolated spots on a sphere of their own.
        |map| {
            let isolated = |c: &mut Corner| matches!(c, Corner::Isolated(_));
            let boundaries = map.faces.iter_mut();
            let boundaries = boundaries
                .flat_map(|f| f.boundaries.extract_if(.., isolated))
                .collect();
            map.faces.push(Face { boundaries });
        },
        "do not connect",
    );
    assert_broken(
        // Both faces joined into one, which gives a handle.
        |map| {
            let glued = map.faces.pop().expect("there are two faces");
            map.faces[0].boundaries.extend(glued.boundaries);
        },
        "Euler's formula",
    );
    assert_broken(
        // Three lines between two spots, in the same order around both: a torus.
        |map| {
            let dart = |origin, twin, next| Dart { origin, twin, next };
            map.spots = 2;
            map.darts = vec![
                dart(0, 3, 4),
                dart(0, 4, 5),
                dart(0, 5, 3),
                dart(1, 0, 1),
                dart(1, 1, 2),
                dart(1, 2, 0),
            ];
            map.faces = vec![Face {
                boundaries: vec![Corner::Before(0)],
            }];
        },
        "not planar",
    );
}
