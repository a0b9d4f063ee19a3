use super::*;

/// The sum of a game, `twos` heaps *2, and the heap `heap`.
fn sum(trees: &Trees, t: Tree, twos: usize, heap: u32) -> Tree {
    let t = trees.add(t, trees.heap(heap));
    (0..twos).fold(t, |sum, _| trees.add(sum, trees.heap(2)))
}

#[test]
fn heaps_are_written_as_in_the_books() {
    let trees = Trees::new();
    let genus = |t| trees.genus(t).to_string();
    let heaps = ["0^120", "1^031", "2^20", "3^31", "4^46", "5^57"];
    for (k, text) in (0..).zip(heaps) {
        assert_eq!(genus(trees.heap(k)), text);
    }
    let two = trees.heap(2);
    let two_and_two = trees.add(two, two);
    assert_eq!(genus(two_and_two), "0^02");
    assert_eq!(genus(trees.add(two_and_two, two)), "2^20");
    assert_eq!(genus(trees.add(two_and_two, trees.heap(1))), "1^13");
    assert_eq!(genus(trees.heap(10)), "10^10,8");
}

#[test]
fn numbers_are_those_of_sums_that_are_lost() {
    let trees = Trees::new();
    let mut days = vec![Tree::ZERO];
    for _ in 0..3 {
        let sets = 0..1_u32 << days.len();
        let chosen = sets.map(|set| {
            let options = (0..).zip(&days).filter(|(i, _)| set >> i & 1 == 1);
            trees.simplify(&options.map(|(_, &t)| t).collect::<Vec<_>>())
        });
        let next: BTreeSet<_> = chosen.collect();
        days = next.into_iter().collect();
    }
    // Of the games of the next day, those with at most two options.
    let pairs = (0..days.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let further: Vec<_> = pairs
        .map(|(a, b)| trees.simplify(&[days[a], days[b]]))
        .collect();
    for t in days.into_iter().chain(further) {
        let genus = trees.genus(t);
        for twos in 0..6 {
            for heap in 0..8 {
                let is_lost = !trees.mover_wins(sum(&trees, t, twos, heap));
                let is_number = genus.misere_nimber(twos) == heap;
                assert_eq!(
                    is_lost, is_number,
                    "{genus} with {twos} heaps of 2, and {heap}"
                );
            }
        }
    }
}
