//! Values of single games and their merged sums.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;

use super::super::encoding::SMALL_HEAPS;
use super::super::tree::{Base, Tree, Trees};
use super::{brute_force, build, literal_options, literal_values, recipe};

/// All values of games whose options are among the given values.
fn next_day(trees: &Trees, values: &BTreeSet<Tree>) -> BTreeSet<Tree> {
    let values: Vec<Tree> = values.iter().copied().collect();
    (0..1 << values.len())
        .map(|set| trees.simplify(&pick(&values, set)))
        .collect()
}

/// The values at the positions of the one-bits of `set`.
fn pick(values: &[Tree], set: u32) -> Vec<Tree> {
    literal_options(set).map(|i| values[i as usize]).collect()
}

fn counts_by_day(days: usize) -> Vec<usize> {
    let trees = Trees::new();
    let mut values = BTreeSet::from([Tree::ZERO]);
    let mut counts = vec![1];
    for _ in 0..days {
        values = next_day(&trees, &values);
        counts.push(values.len());
    }
    counts
}

/// Day five has four million games and takes some seconds and a gigabyte, so it is counted only when
/// `SPROUTNET_FULL_TESTS` is set.
#[test]
fn as_many_games_by_each_day_as_known() {
    let known = [1, 2, 3, 5, 22, 4_171_780];
    let slow = std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1");
    let last = if slow { 5 } else { 4 };
    assert_eq!(counts_by_day(last), known[..=last]);
}

/// The outcome of literal game + literal test game, for games below 65536 and test games below 16.
fn literal_sum_outcomes() -> Vec<[bool; 16]> {
    let mut wins: Vec<[bool; 16]> = Vec::with_capacity(1 << 16);
    for n in 0..1_u32 << 16 {
        let mut row = [false; 16];
        for x in 0..16_u32 {
            row[x as usize] = (n == 0 && x == 0)
                || literal_options(n).any(|o| !wins[o as usize][x as usize])
                || literal_options(x).any(|o| !row[o as usize]);
        }
        wins.push(row);
    }
    wins
}

/// The mark of a set of options does not only depend on its bases and on how many of them have + *1.
#[test]
fn marks_of_values_differ() {
    let trees = Trees::new();
    let heaps: Vec<Tree> = (0..8).map(|k| trees.heap(k)).collect();
    let values: BTreeSet<Tree> = (0..1 << 8)
        .flat_map(|set| {
            let value = trees.simplify(&pick(&heaps, set));
            [value, value.plus_one()]
        })
        .collect();
    let marks: BTreeSet<u128> = values.iter().map(|&t| trees.mark(t)).collect();
    assert_eq!(marks.len(), values.len());
    let [lonely_two, four] = [trees.simplify(&heaps[2..3]), heaps[4]];
    let one = trees.simplify(&[lonely_two.plus_one(), four]);
    let other = trees.simplify(&[lonely_two, four.plus_one()]);
    assert_ne!(one, other);
    assert_ne!(trees.mark(one), trees.mark(other));
}

#[test]
fn games_of_birthday_four_equal_their_values_beside_all_test_games() {
    let trees = Trees::new();
    let values = literal_values(&trees, 1 << 16);
    for (n, row) in literal_sum_outcomes().iter().enumerate() {
        for (x, &wins) in row.iter().enumerate() {
            assert_eq!(
                trees.mover_wins(trees.add(values[n], values[x])),
                wins,
                "{n} + {x}"
            );
        }
    }
    // The 65536 literal games have no other values than those counted above.
    assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), 22);
}

#[test]
fn random_games_of_birthday_five_equal_their_values_beside_all_test_games() {
    let trees = Trees::new();
    let values = literal_values(&trees, 1 << 16);
    let outcomes = literal_sum_outcomes();
    proptest!(|(options in prop::collection::vec(any::<u16>().prop_map(usize::from), 1..9))| {
        let value = trees.simplify(&options.iter().map(|&o| values[o]).collect::<Vec<_>>());
        let mut row = [false; 16];
        for x in 0..16 {
            row[x] = options.iter().any(|&o| !outcomes[o][x])
                || literal_options(x as u32).any(|o| !row[o as usize]);
            prop_assert_eq!(trees.mover_wins(trees.add(value, values[x])), row[x]);
        }
    });
}

#[test]
fn values_are_told_apart_by_some_sum() {
    // Unequal canonical games differ beside some test game, though not always beside one of their
    // own birthday: the pair {0, {2}} and {0, 3, {2}} needs one of birthday 6.
    let trees = Trees::new();
    let values: BTreeSet<Tree> = literal_values(&trees, 1 << 16).into_iter().collect();
    let values: Vec<Tree> = values.into_iter().collect();
    let mut test_games: Vec<Tree> = Vec::new();
    for set in (0..1_u32 << values.len()).filter(|set| set.count_ones() <= 4) {
        let game = trees.simplify(&pick(&values, set));
        test_games.extend([game, game.plus_one()]);
    }
    let row = |&a: &Tree| {
        test_games
            .iter()
            .map(|&x| trees.mover_wins(trees.add(a, x)))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        values.iter().map(row).collect::<BTreeSet<_>>().len(),
        values.len()
    );
}

#[test]
fn heaps_are_what_they_say() {
    let trees = Trees::new();
    assert_eq!(trees.heap(0), Tree::ZERO);
    assert_eq!(trees.heap(1), Tree::ONE);
    assert_eq!(trees.heap(3), trees.heap(2).plus_one());
    for k in [
        0,
        1,
        2,
        3,
        4,
        5,
        SMALL_HEAPS - 1,
        SMALL_HEAPS,
        SMALL_HEAPS + 1,
        SMALL_HEAPS + 7,
    ] {
        let heap = trees.heap(k);
        assert_eq!(trees.heap_size(heap), Some(k));
        assert_eq!(trees.depth(heap), k);
        assert_eq!(trees.mover_wins(heap), k != 1);
        assert_eq!(trees.option_count(heap), k as usize);
        assert_eq!(
            trees.simplify(&(0..k).map(|j| trees.heap(j)).collect::<Vec<_>>()),
            heap
        );
    }
    assert_eq!(trees.heap_size(trees.simplify(&[trees.heap(2)])), None);
}

#[test]
fn the_proviso_keeps_games_lost_by_the_mover_from_being_zero() {
    let trees = Trees::new();
    let [two, three] = [2, 3].map(|k| trees.heap(k));
    // Every option of each has 0 as an option, so without the proviso each would be 0.
    for options in [vec![two], vec![three], vec![two, three]] {
        let game = trees.simplify(&options);
        assert_ne!(game, Tree::ZERO);
        assert!(!trees.mover_wins(game));
        assert_eq!(trees.option_count(game), options.len());
    }
    assert_ne!(trees.add(two, two), Tree::ZERO);
    assert_eq!(trees.add(two, two), trees.simplify(&[two, three]));
    // With an option that the mover loses they are 0.
    for options in [
        vec![Tree::ONE],
        vec![Tree::ONE, two],
        vec![Tree::ONE, three],
        vec![Tree::ONE, two, three],
    ] {
        assert_eq!(trees.simplify(&options), Tree::ZERO);
    }
}

#[test]
fn misere_nim() {
    let trees = Trees::new();
    for a in 0..6 {
        for b in 0..6 {
            for c in 0..6 {
                let sum = trees.add(trees.add(trees.heap(a), trees.heap(b)), trees.heap(c));
                let wins = if a.max(b).max(c) <= 1 {
                    (a + b + c) % 2 == 0
                } else {
                    a ^ b ^ c != 0
                };
                assert_eq!(trees.mover_wins(sum), wins, "{a} {b} {c}");
            }
        }
    }
}

/// The rows left by a move in a row of `n` Kayles pins: one or two adjacent pins are removed.
fn kayles_moves(n: usize) -> impl Iterator<Item = (usize, usize)> {
    [1, 2].into_iter().flat_map(move |taken| {
        (0..(n + 1).saturating_sub(taken)).map(move |left| (left, n - taken - left))
    })
}

fn kayles_brute_force(rows: &[usize], memo: &mut HashMap<Vec<usize>, bool>) -> bool {
    let mut key: Vec<usize> = rows.iter().copied().filter(|&n| n > 0).collect();
    key.sort_unstable();
    if let Some(&wins) = memo.get(&key) {
        return wins;
    }
    let mut wins = key.is_empty();
    for i in 0..key.len() {
        for (left, right) in kayles_moves(key[i]) {
            let mut child = key.clone();
            child[i] = left;
            child.push(right);
            wins = wins || !kayles_brute_force(&child, memo);
        }
    }
    memo.insert(key, wins);
    wins
}

#[test]
fn misere_kayles() {
    let trees = Trees::new();
    let mut rows = vec![Tree::ZERO];
    for n in 1..=16 {
        let options: Vec<Tree> = kayles_moves(n)
            .map(|(left, right)| trees.add(rows[left], rows[right]))
            .collect();
        rows.push(trees.simplify(&options));
    }
    let mut memo = HashMap::new();
    for a in 0..=16 {
        assert_eq!(
            trees.mover_wins(rows[a]),
            kayles_brute_force(&[a], &mut memo),
            "{a}"
        );
        for b in 0..=(16 - a).min(a) {
            let sum = trees.add(rows[a], rows[b]);
            assert_eq!(
                trees.mover_wins(sum),
                kayles_brute_force(&[a, b], &mut memo),
                "{a} {b}"
            );
            let with_two = trees.add(sum, rows[2]);
            assert_eq!(
                trees.mover_wins(with_two),
                kayles_brute_force(&[a, b, 2], &mut memo),
                "{a} {b} 2"
            );
        }
    }
    // The first rows are heaps; 5 is the first that is not.
    let heaps: Vec<Option<u32>> = rows[..6].iter().map(|&r| trees.heap_size(r)).collect();
    assert_eq!(heaps, [Some(0), Some(1), Some(2), Some(3), Some(1), None]);
}

#[test]
fn laws_of_values_and_sums() {
    let trees = Trees::new();
    let memo = RefCell::new(HashMap::new());
    proptest!(|(
        recipe in recipe(),
        picks in any::<[prop::sample::Index; 3]>(),
        ones in any::<[bool; 3]>(),
    )| {
        let games = build(&trees, &recipe);
        let [a, b, c] = std::array::from_fn(|i| picks[i].get(&games).plus_one_if(ones[i]));

        let options: Vec<Tree> = trees.options(a).collect();
        prop_assert_eq!(trees.simplify(&options), a);
        prop_assert_eq!(options.len(), trees.option_count(a));
        prop_assert!(options.iter().all(|&o| trees.has_option(a, o) && !trees.has_option(o, a)));
        let longest = options.iter().map(|&o| trees.depth(o) + 1).max().unwrap_or(0);
        prop_assert_eq!(longest, trees.depth(a));
        let wins = a == Tree::ZERO || options.iter().any(|&o| !trees.mover_wins(o));
        prop_assert_eq!(trees.mover_wins(a), wins);

        let sum = trees.add(a, b);
        prop_assert_eq!(sum, trees.add(b, a));
        prop_assert_eq!(trees.add(sum, c), trees.add(a, trees.add(b, c)));
        prop_assert_eq!(trees.add(a, Tree::ONE), a.plus_one());
        prop_assert_eq!(trees.add(a, Tree::ONE).plus_one(), a);
        prop_assert_eq!(trees.add(a, Tree::ZERO), a);
        let wins = brute_force(&trees, &[a, b], &mut memo.borrow_mut());
        prop_assert_eq!(trees.mover_wins(sum), wins);
    });
}

#[test]
fn the_form_of_the_option_list_does_not_matter() {
    let trees = Trees::new();
    proptest!(|(recipe in recipe(), seed in any::<prop::sample::Index>())| {
        let mut games = build(&trees, &recipe);
        let value = trees.simplify(&games);
        let first = seed.index(games.len());
        games.rotate_left(first);
        games.extend_from_within(..);
        prop_assert_eq!(trees.simplify(&games), value);
    });
}

#[test]
fn threads_agree() {
    let trees = Trees::new();
    let work = || {
        let values = literal_values(&trees, 1 << 12);
        let distinct: BTreeSet<Tree> = values.iter().copied().collect();
        let sums: Vec<Tree> = distinct
            .iter()
            .flat_map(|&a| distinct.iter().map(move |&b| (a, b)))
            .map(|(a, b)| trees.add(trees.add(a, b), b))
            .collect();
        (values, sums)
    };
    let (first, second) = std::thread::scope(|scope| {
        let handle = scope.spawn(work);
        let second = work();
        (handle.join().unwrap(), second)
    });
    assert_eq!(first, second);
}

/// A new table makes the small heaps by a short cut.
#[test]
fn small_heaps_are_what_their_options_make_them() {
    let trees = Trees::new();
    assert_eq!(trees.count(), SMALL_HEAPS as usize / 2);
    for heap in (0..SMALL_HEAPS).step_by(2).map(Tree::from_id) {
        let short = trees.base(heap);
        let made = trees.new_base(&short.options);
        let facts = |base: &Base| (base.mark.get(), base.size, base.depth, base.heap, base.wins);
        assert_eq!(facts(short), facts(&made), "*{}", heap.id());
    }
}
