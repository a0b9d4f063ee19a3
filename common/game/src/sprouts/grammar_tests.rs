//! Well-formed bytes, most of them of no drawing, through everything that is done with a land.

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::sample::Index;

use super::{Rules, Sprouts, canonical, encoding, grammar, tests};
use crate::{Game, Land};
use sproutnet_notation::plane;

/// An entry of a boundary: a spot with one line or two, or a copy of a letter.
type Place = u8;

/// Regions, each a number of isolated spots and other boundaries.
type RegionKey = Vec<(u16, Vec<Vec<Place>>)>;

fn drawing() -> impl Strategy<Value = RegionKey> {
    let boundary = prop::collection::vec(0..8_u8, 1..6);
    let region = (0..3_u16, prop::collection::vec(boundary, 0..4));
    prop::collection::vec(region, 1..5)
}

/// The encoding of a drawing whose letters are joined by `partners`: as pairs if both are on one boundary,
/// else as links. A letter without a partner becomes a spot, and so do two letters in one region that are
/// on different boundaries.
fn encode(drawing: &RegionKey, partners: &[Index]) -> Vec<u8> {
    let mut letters = Vec::new();
    for (r, (_, boundaries)) in drawing.iter().enumerate() {
        for (b, boundary) in boundaries.iter().enumerate() {
            let copies = boundary.iter().enumerate().filter(|&(_, &place)| place > 1);
            letters.extend(copies.map(|(p, _)| (r, b, p)));
        }
    }
    let mut joined = Vec::new();
    let mut partners = partners.iter().cycle();
    while letters.len() > 1 {
        let first = letters.remove(0);
        let other = partners.next().map_or(0, |i| i.index(letters.len()));
        let second = letters.remove(other);
        if first.0 != second.0 || first.1 == second.1 {
            joined.push((first, second));
        }
    }
    let mut writer = encoding::Writer::default();
    let mut links = Vec::new();
    for (r, (isolated, boundaries)) in drawing.iter().enumerate() {
        if boundaries.is_empty() && *isolated == 0 {
            continue;
        }
        if *isolated > 0 {
            writer.symbol(encoding::ISOLATED);
            writer.symbol(*isolated);
        }
        for (b, boundary) in boundaries.iter().enumerate() {
            let mut pairs = Vec::new();
            for (p, place) in boundary.iter().enumerate() {
                let here = (r, b, p);
                let joint = joined.iter().position(|&(a, b)| a == here || b == here);
                let Some(joint) = joint else {
                    match place {
                        0 => writer.symbol(encoding::END),
                        _ => writer.symbol(encoding::MID),
                    }
                    continue;
                };
                let (first, second) = joined[joint];
                let is_link = (first.0, first.1) != (second.0, second.1);
                let met = if is_link { &mut links } else { &mut pairs };
                let number = met
                    .iter()
                    .position(|&met| met == joint)
                    .unwrap_or(met.len());
                if number == met.len() {
                    met.push(joint);
                }
                if is_link {
                    writer.symbol(encoding::link(number as u16));
                } else {
                    writer.symbol(encoding::pair(number as u16));
                }
            }
            writer.symbol(encoding::END_OF_BOUNDARY);
        }
        writer.symbol(encoding::END_OF_REGION);
    }
    writer.into_bytes()
}

/// Uses the bytes of a land in every way. Returns whether they were well-formed.
fn put_to_use(bytes: &[u8]) -> Result<bool, TestCaseError> {
    let Ok(lives) = grammar::lives(bytes, Rules::SPROUTS) else {
        prop_assert!(Sprouts.land(bytes).is_err());
        return Ok(false);
    };
    let raw = encoding::read(bytes);
    prop_assert_eq!(tests::lives(&raw), lives);
    let drawn = plane::mirrored_regions(&raw);
    prop_assert_eq!(Sprouts.check_possible(bytes).is_ok(), drawn.is_ok());
    let position = canonical::position(&raw, Rules::SPROUTS);
    let sum: u32 = position
        .lands()
        .iter()
        .map(|land| Sprouts.max_moves(land) + 1)
        .sum();
    prop_assert!(sum <= lives);
    for land in position.lands() {
        prop_assert_eq!(Sprouts.land(land.as_bytes()), Ok(land.clone()));
        expand(land)?;
    }
    if let Ok(land) = Sprouts.land(bytes) {
        prop_assert_eq!(position.lands(), &[land]);
    }
    Ok(true)
}

/// Each option takes a move, and its lands are well-formed as well.
fn expand(land: &Land) -> Result<(), TestCaseError> {
    let length = Sprouts.max_moves(land);
    let mut longest = 0;
    let end = Sprouts.options(land, &mut |option| {
        let lengths = option.lands().iter().map(|land| {
            let length = Sprouts.check(land.as_bytes());
            length.expect("options are well-formed")
        });
        longest = longest.max(lengths.sum::<u32>());
        ControlFlow::Continue(())
    });
    prop_assert!(end.is_continue());
    prop_assert!(longest < length);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_is_well_formed(
        drawing in drawing(),
        partners in prop::collection::vec(any::<Index>(), 1..20),
        damage in prop::collection::vec((any::<Index>(), 0..12_u8), 1..4),
    ) {
        let mut bytes = encode(&drawing, &partners);
        let lives = tests::lives(&encoding::read(&bytes));
        prop_assert_eq!(grammar::lives(&bytes, Rules::SPROUTS).ok(), (lives > 1).then_some(lives));
        put_to_use(&bytes)?;
        for (at, byte) in damage {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            put_to_use(&bytes)?;
        }
    }

    #[test]
    fn random_bytes_are_read_or_refused(bytes in prop::collection::vec(0..12_u8, 0..16)) {
        put_to_use(&bytes)?;
    }
}

#[test]
fn what_is_refused_and_where() {
    let cases: &[(&[u8], usize, &str)] = &[
        (&[], 0, "two lives"),
        (&[2], 0, "start of a region"),
        (&[2, 0, 1], 1, "start of a region"),
        (&[2, 1, 2, 1, 1], 3, "start of a region"),
        (&[3, 0, 2, 1, 1], 3, "start of a region"),
        (&[3, 2, 1, 0, 1], 2, "start of a region"),
        (&[2, 3], 1, "has no end"),
        (&[3, 3, 0], 2, "has no end"),
        (&[3, 3], 1, "has no end"),
        (&[3, 1], 1, "inside a boundary"),
        (&[1], 0, "a region is empty"),
        (&[2, 3, 1, 1], 3, "a region is empty"),
        (&[0], 0, "a boundary is empty"),
        (&[3, 0, 0, 1], 2, "a boundary is empty"),
        (&[4, 0, 1], 2, "two lives"),
        (&[5, 3, 0, 1], 2, "only once"),
        (&[6, 3, 0, 1], 3, "only once"),
        (&[5, 3, 5, 4, 5, 0, 1], 4, "more than twice"),
        (&[6, 3, 0, 1, 6, 0, 1, 6, 0, 1], 7, "more than twice"),
        (&[6, 3, 0, 6, 0, 1], 3, "one region"),
        (&[4, 4, 6, 8, 0, 6, 8, 0, 1], 5, "one region"),
        (&[6, 6, 3, 0, 1], 1, "one region"),
        (&[7, 3, 7, 0, 1], 0, "numbered"),
        (&[8, 3, 8, 0, 1], 0, "numbered"),
        (&[5, 3, 5, 0, 7, 3, 7, 0, 1], 4, "numbered"),
        (&[3, 0, 0xf1], 2, "cut off"),
        (&[2, 0xf0, 0x03, 1], 2, "one byte"),
        (&[2, 0xf1, 0x4e, 1], 2, "too many lives"),
        (&[2, 0xff, 0xff, 1], 2, "too many lives"),
    ];
    for &(bytes, offset, problem) in cases {
        let error = grammar::lives(bytes, Rules::SPROUTS).expect_err("malformed");
        assert!(
            error.offset == offset && error.problem.contains(problem),
            "{bytes:02x?}: {error}"
        );
    }
    // 0*333 has 999 lives, one less than the limit.
    assert_eq!(grammar::lives(&[2, 0xf1, 0x4d, 1], Rules::SPROUTS), Ok(999));
}

#[test]
fn a_surface_begins_a_region() {
    for (bytes, found) in [
        (&[0xff, 1, 4, 4, 0, 1][..], Ok(2)),
        // Both copies of a letter may be in one region.
        (&[0xff, 120, 3, 6, 0, 6, 0, 1], Ok(3)),
        (&[3, 6, 0, 1, 0xff, 2, 6, 3, 0, 1], Ok(5)),
        (&[0xff, 0, 3, 0, 1], Err("no surface")),
        (&[0xff, 121, 3, 0, 1], Err("no surface")),
        (&[3, 0, 0xff, 1, 1], Err("no surface")),
        (&[0xff, 1, 0xff, 2, 3, 0, 1], Err("no surface")),
        (&[0xff, 1, 1], Err("a region is empty")),
        (&[3, 0, 1, 0xff, 1], Err("has no end")),
    ] {
        match (grammar::lives(bytes, Rules::SURFACES), found) {
            (Ok(lives), Ok(expected)) => assert_eq!(lives, expected, "{bytes:02x?}"),
            (Err(error), Err(problem)) => assert!(error.problem.contains(problem), "{error}"),
            (found, _) => panic!("{bytes:02x?}: {found:?}"),
        }
        assert!(
            grammar::lives(bytes, Rules::SPROUTS).is_err(),
            "{bytes:02x?}"
        );
    }
}
