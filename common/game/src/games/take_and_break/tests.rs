use std::collections::BTreeSet;

use super::*;
use crate::heap;

/// The moves from a heap, by trying all heaps that may be left: a set for each number of heaps, as a predicate.
fn remains_by_definition(may_take: impl Fn(usize, u32) -> bool, size: u32) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::new();
    for one in 0..=size {
        for two in one..=size {
            for three in two..=size {
                let heaps: Vec<u32> = [one, two, three].into_iter().filter(|&n| n > 0).collect();
                let left = heaps.iter().sum::<u32>();
                if left <= size && may_take(heaps.len(), size - left) {
                    all.insert(heaps);
                }
            }
        }
    }
    all
}

fn remains(heap: &dyn Heap, size: u32) -> BTreeSet<Vec<u32>> {
    let mut all = BTreeSet::new();
    let _ = heap.leaves(size, &mut |left| {
        all.extend(left.sizes().map(|sizes| {
            let heaps = sizes.into_iter().filter(|&size| size > 0);
            heaps.collect::<Vec<_>>()
        }));
        ControlFlow::Continue(())
    });
    all
}

#[test]
fn the_moves_are_those_of_the_sets() {
    type MayTake = fn(usize, u32) -> bool;
    for (text, may_take) in [
        (
            "{1,2|1,2|1,2}",
            (|heaps, taken| heaps <= 2 && (1..=2).contains(&taken)) as MayTake,
        ),
        ("{|1..|0..}", |heaps, taken| {
            heaps == 1 && taken > 0 || heaps == 2
        }),
        ("{|1,3..}", |heaps, taken| {
            heaps == 1 && taken > 0 && taken != 2
        }),
        ("{5|2..4||0,7..}", |heaps, taken| match heaps {
            0 => taken == 5,
            1 => (2..=4).contains(&taken),
            3 => taken == 0 || taken >= 7,
            _ => false,
        }),
    ] {
        let sets = Sets::from_text(text).expect(text);
        for size in 0..16 {
            // An empty heap has no move.
            let expected = match size {
                0 => BTreeSet::new(),
                size => remains_by_definition(may_take, size),
            };
            assert_eq!(remains(&sets, size), expected, "{text} {size}");
            assert_eq!(
                sets.longest(size) > 0,
                !expected.is_empty(),
                "{text} {size}"
            );
        }
    }
}

#[test]
fn rules_with_a_code_are_those_of_the_code() {
    for (sets, code) in [
        ("{1,2|1,2|1,2}", "octal(0.77)"),
        ("{1..3|2,3|3}", "octal(0.137)"),
        ("{1..|1..}", "nim"),
        ("{1..|1..|0}", "lasker"),
        ("{1,3,4|1,3,4}", "subtraction{1,3,4}"),
        ("{1|1|1|1}", "hexadecimal(0.F)"),
        ("{2|3..|1}", "octal(0.412...)"),
    ] {
        let (_, sets_heap) = heap(&format!("take-and-break{sets}")).expect(sets);
        let (_, code_heap) = heap(code).expect(code);
        for size in 0..14 {
            assert_eq!(
                remains(&*sets_heap, size),
                remains(&*code_heap, size),
                "{sets} {size}"
            );
        }
        assert_eq!(sets_heap.reach(), code_heap.reach(), "{sets}");
    }
    // Theorems about periods do not cover moves that take any number and split.
    let (_, heap) = heap("take-and-break{1..|1..|1..}").expect("a rule");
    assert_eq!(heap.reach(), None);
}

#[test]
fn equal_sets_have_one_text() {
    for (text, canonical) in [
        ("{2,1|2,1,1|1..2}", "{1,2|1,2|1,2}"),
        ("{ 1 .. 3 , 4 || }", "{1..4}"),
        ("{|5..,3,4..6||}", "{|3..}"),
        ("{1..2,4,6..7,8..9}", "{1,2,4,6..9}"),
        ("{|||7}", "{|||7}"),
    ] {
        let sets = Sets::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(sets.to_text(), canonical, "{text}");
        assert_eq!(Sets::from_text(canonical), Ok(sets));
    }
}

#[test]
fn wrong_sets_are_refused() {
    for (text, expected) in [
        ("{}", "some set has a number"),
        ("{|}", "some set has a number"),
        (
            "{0,1}",
            "only a move that leaves two or three heaps may take nothing",
        ),
        (
            "{1|0..}",
            "only a move that leaves two or three heaps may take nothing",
        ),
        ("{1|1|1|1|1}", "up to 4 sets"),
        ("{1,x}", "found `x`"),
        ("{3..2}", "found `3..2`"),
        ("{10001}", "up to 10000"),
        ("1,2", "up to 4 sets"),
    ] {
        let error = Sets::from_text(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn bytes_have_one_form() {
    let sets = Sets::from_text("{1|2..4,9..}").expect("sets");
    let bytes = [1, 0, 1, 0, 1, 2, 0, 2, 0, 4, 0, 9, 255, 255];
    assert_eq!(&sets.to_bytes()[..], bytes);
    assert_eq!(Sets::from_bytes(&bytes), Some(sets));
    for wrong in [
        &[][..],
        &[0],
        // Ranges without a gap, in the wrong order, turned round, after one without an end.
        &[2, 0, 1, 0, 2, 0, 3, 0, 4],
        &[2, 0, 5, 0, 5, 0, 1, 0, 1],
        &[1, 0, 4, 0, 2],
        &[2, 0, 1, 255, 255, 0, 9, 0, 9],
        // An empty set at the end, and a fifth set.
        &[1, 0, 1, 0, 1, 0],
        &[1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1],
        // Nothing is taken, and one heap is left.
        &[0, 1, 0, 0, 0, 0],
    ] {
        assert_eq!(Sets::from_bytes(wrong), None, "{wrong:?}");
    }
}
