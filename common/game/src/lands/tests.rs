//! Tables over a common one.

use super::*;
use crate::Kayles;

fn row(lands: &Lands, pins: u32) -> LandId {
    let row = Kayles.parse(&pins.to_string()).expect("a row");
    lands.intern(&row.lands()[0])
}

/// Expands a row and all rows below it. Returns the final data of each row, in the order of first occurrence.
fn all_below(lands: &Lands, pins: u32) -> Vec<(u128, u32, Vec<Vec<LandId>>)> {
    row(lands, pins);
    let mut next = 0;
    while let Some(land) = lands.ids().nth(next) {
        lands.options(land, &|| false).expect("nothing stops it");
        next += 1;
    }
    let known = |land| {
        let options = lands.known_options(land).expect("all are expanded");
        let options = options.iter().map(<[_]>::to_vec).collect();
        (lands.hash(land), lands.max_moves(land), options)
    };
    lands.ids().map(known).collect()
}

#[test]
fn a_table_over_another_one_is_as_if_it_were_alone() {
    let alone = Lands::new(Arc::new(Kayles));
    let common = Arc::new(Lands::new(Arc::new(Kayles)));
    let [first, second] = [(); 2].map(|()| Lands::over(Arc::clone(&common)));
    // The numbers of these rows differ in all tables.
    all_below(&first, 10);
    row(&second, 30);
    row(&alone, 30);
    assert_eq!(second.len(), 1);
    assert!(second.find(first.hash(row(&first, 10))).is_none());
    assert!(second.known_options(row(&second, 10)).is_none());
    row(&alone, 10);

    let before = expansions_by_this_thread();
    let known = all_below(&alone, 20);
    let expansions = expansions_by_this_thread() - before;
    assert_eq!(all_below(&second, 20), known);
    assert_eq!(expansions_by_this_thread() - before, 2 * expansions);
    assert_eq!(alone.len(), second.len());
    assert_eq!(common.len(), second.len(), "each land is kept once");
    for land in second.ids() {
        assert_eq!(second.encoding(land), alone.encoding(land));
        assert!(common.known_options(land).is_none());
    }
}

#[test]
fn a_table_over_one_that_is_over_another_is_over_the_last() {
    let common = Arc::new(Lands::new(Arc::new(Kayles)));
    let middle = Arc::new(Lands::over(Arc::clone(&common)));
    let top = Lands::over(Arc::clone(&middle));
    assert_eq!(all_below(&top, 12), all_below(&common, 12));
    assert!(middle.is_empty());
}
