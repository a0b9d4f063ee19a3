use super::*;
use crate::raw::Spot;
use crate::text;

fn check(text: &str) -> Result<Vec<bool>, NotPlanar> {
    mirrored_regions(&text::parse(text).unwrap())
}

#[test]
fn what_can_be_drawn_is_accepted() {
    for text in [
        "!",
        "0*5",
        "12",
        "0*2|0*2",
        "abba.0*2",
        "AB|AB",
        "ABC|ABC",
        "ABC|ACB",
        "ABCD|ABCD",
        "ABCD|DCBA",
        "0*2.AB|0.AB",
        "ABC|0*2.A|0.1aBa|C1",
        "ABCD|AB|CD",
        "aAbBba|A.0|B.0",
        "ABCD|AB|CD1|0.1",
        "2ABC|2DAE|2FBD|2CFE",
        "ABCDEF|ABC|DEF.0|0.1",
    ] {
        assert!(check(text).is_ok(), "{text}: {:?}", check(text));
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let crossing = |one, other| {
        Err(NotPlanar::Crossing {
            letters: [one, other],
        })
    };
    assert_eq!(check("0.abcabc"), crossing(0, 1));
    assert_eq!(check("abab.0*2"), crossing(0, 1));
    assert_eq!(check("0.aAbaBb|A|B"), crossing(0, 2));
    assert_eq!(
        check("ABC|0*2.A.B|0.1aCa"),
        Err(NotPlanar::Linked {
            region: 1,
            letter: 1
        })
    );
    for text in ["ABCD|ACBD", "ADBECF|ABC|DEF", "ABC|DEF|GHI|ADG|BEH|CFI"] {
        assert!(
            matches!(check(text), Err(NotPlanar::Crossing { .. })),
            "{text}"
        );
    }
}

#[test]
fn errors_name_letters_as_they_are_written() {
    let error = |text| text::parse_drawable(text).unwrap_err().to_string();
    assert_eq!(
        error("0+0.xyxy"),
        "column 5: no drawing in the plane has these regions: the lines through `x` and `y` would cross"
    );
    assert_eq!(
        error("QAB|0*2.A.B|0.1aQa"),
        "column 3: no drawing in the plane has these regions: in region 2, the boundary with `B` is \
         linked to another boundary through other regions"
    );
}

/// Whether the position can be drawn, by trying all ways to mirror regions and counting faces.
fn is_planar(raw: &RawPosition) -> bool {
    (0..1_u32 << raw.regions()).any(|mirrored| is_flat(raw, mirrored))
}

/// Euler's formula for the sphere with these regions mirrored: V - E + F = 1 + C, where F counts the
/// regions and the places between the boundaries, with all boundaries of a region joined.
fn is_flat(raw: &RawPosition, mirrored: u32) -> bool {
    let mut around: Vec<Vec<usize>> = Vec::new();
    let mut region_of = Vec::new();
    let mut items = 0;
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); raw.letters()];
    for region in 0..raw.regions() {
        for boundary in raw.boundaries(region) {
            let mut here = Vec::new();
            for letter in boundary.iter().filter_map(|spot| spot.number()) {
                here.push(items);
                places[letter].push(items);
                items += 1;
            }
            if mirrored >> region & 1 == 1 {
                here.reverse();
            }
            around.push(here);
            region_of.push(region);
        }
    }
    let mut mate: Vec<usize> = (0..items).collect();
    for pair in &places {
        if let [one, other] = pair[..] {
            (mate[one], mate[other]) = (other, one);
        }
    }
    let mut boundary_of = vec![0; items];
    let mut after = vec![0; items];
    for (boundary, here) in around.iter().enumerate() {
        for (i, &item) in here.iter().enumerate() {
            boundary_of[item] = boundary;
            after[item] = here[(i + 1) % here.len()];
        }
    }
    // Labels of pieces, then of pieces with regions.
    let mut label: Vec<usize> = (0..around.len()).collect();
    let link = |label: &mut Vec<usize>, one: usize, other: usize| {
        let (kept, lost) = (label[one], label[other]);
        label
            .iter_mut()
            .filter(|l| **l == lost)
            .for_each(|l| *l = kept);
    };
    for item in 0..items {
        link(&mut label, boundary_of[item], boundary_of[mate[item]]);
    }
    for piece in 0..around.len() {
        let members: Vec<usize> = (0..around.len()).filter(|&b| label[b] == piece).collect();
        let own: Vec<usize> = (0..items)
            .filter(|&i| label[boundary_of[i]] == piece)
            .collect();
        let edges = own.iter().filter(|&&item| mate[item] > item).count();
        let mut met = vec![false; items];
        let mut faces = 0;
        for &start in &own {
            let mut item = start;
            faces += usize::from(!met[item]);
            while !std::mem::replace(&mut met[item], true) {
                item = after[mate[item]];
            }
        }
        // An item that is its own mate is an edge to a vertex of its own, and changes nothing.
        let faces = faces.max(1);
        if !members.is_empty() && members.len() + faces != edges + 2 {
            return false;
        }
    }
    let mut regions: Vec<(usize, usize)> = (0..around.len())
        .map(|b| (label[b], region_of[b]))
        .collect();
    let mut pieces: Vec<usize> = label.clone();
    pieces.sort_unstable();
    pieces.dedup();
    let incidences = regions.len();
    // Prunes leaves until a circuit or nothing is left.
    loop {
        let before = regions.len();
        let all = regions.clone();
        regions.retain(|&(piece, region)| {
            all.iter().filter(|&&(p, _)| p == piece).count() > 1
                && all.iter().filter(|&&(_, r)| r == region).count() > 1
        });
        if regions.len() == before {
            return before == 0 || incidences == 0;
        }
    }
}

#[test]
fn random_positions_agree_with_euler_s_formula() {
    let mut random = fastrand::Rng::with_seed(7);
    let (mut planar, mut checker) = (0, Checker::default());
    for case in 0..60_000 {
        let raw = random_position(&mut random);
        let found = mirrored_regions(&raw);
        // The checker keeps its memory from case to case.
        let checked = checker.check(&Boundaries::of(&raw));
        assert_eq!(checked.err(), found.clone().err(), "case {case}");
        assert_eq!(found.is_ok(), is_planar(&raw), "case {case}: {raw:?}");
        if let Ok(mirrored) = found {
            planar += 1;
            let mirrored = mirrored
                .iter()
                .enumerate()
                .map(|(i, &is)| u32::from(is) << i)
                .sum();
            assert!(
                is_flat(&raw, mirrored),
                "case {case}: {raw:?} mirrored {mirrored:b}"
            );
        }
    }
    assert!((10_000..50_000).contains(&planar), "{planar}");
}

/// A position of up to five regions, whose letters may be crossed.
fn random_position(random: &mut fastrand::Rng) -> RawPosition {
    let regions = random.usize(1..=5);
    let boundaries: Vec<usize> = (0..regions).map(|_| random.usize(1..=2)).collect();
    let total: usize = boundaries.iter().sum();
    let mut spots: Vec<Vec<Spot>> = vec![vec![Spot::MID]; total];
    let mut raw = RawPosition::default();
    let region_of: Vec<usize> = boundaries
        .iter()
        .enumerate()
        .flat_map(|(region, &count)| std::iter::repeat_n(region, count))
        .collect();
    for _ in 0..random.usize(1..=7) {
        let one = random.usize(..total);
        let other = random.usize(..total);
        if one != other && region_of[one] == region_of[other] {
            continue;
        }
        let letter = raw.new_letter();
        for boundary in [one, other] {
            let at = random.usize(..=spots[boundary].len());
            spots[boundary].insert(at, letter);
        }
    }
    for (boundary, spots) in spots.iter().enumerate() {
        if boundary > 0 && region_of[boundary] != region_of[boundary - 1] {
            raw.end_region();
        }
        raw.push_boundary(spots);
    }
    raw.end_region();
    raw
}
