//! Memory: kept data is counted, and an imported record takes little.

use std::sync::Arc;

use sproutnet_game::{Lands, Sprouts};
use sproutnet_solver::play::{Convention, Knowledge, Misere, Normal};

use sproutnet_testkit::solver::Solver;

/// Different keys that are well-formed: regions of isolated spots.
fn keys(count: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..count).map(|number| {
        let digits = (0..5).map(|place| (number >> (4 * place)) as u8 & 15);
        let regions = digits.flat_map(|digit| [2, 1 + digit, 1]);
        b"Sn".iter().copied().chain(regions).collect()
    })
}

#[test]
fn a_record_of_normal_play_takes_few_bytes() {
    let knowledge = Knowledge::default();
    let before = knowledge.bytes();
    for count in [50_000, 100_000, 150_000] {
        for key in keys(count) {
            knowledge.learn(&key, 1 << 5).expect("well-formed");
        }
        let each = (knowledge.bytes() - before) as f64 / f64::from(count);
        assert!((29.0..40.0).contains(&each), "{each} bytes");
    }
    let lands = &knowledge.game("sprouts").expect("sprouts").lands;
    assert!(lands.is_empty(), "no land is made of what is told");
}

/// A search makes lands, options and facts, and all of them are counted.
fn grows_with_a_search<C: Convention>() {
    let solver = Solver::<C>::new(Sprouts);
    let bytes = || (solver.convention.lands().bytes(), solver.convention.bytes());
    let mut last = bytes();
    for position in ["0*6", "0*8", "0*10"] {
        solver.outcome(position);
        let now = bytes();
        assert!(
            now.0 > last.0 && now.1 >= last.1,
            "{position}: {last:?}, {now:?}"
        );
        last = now;
    }
    // Of each land at least its bytes, its number and its place among the options of others.
    let lands = solver.convention.lands().len();
    assert!(
        last.0 > 64 * lands && last.0 < 4096 * lands,
        "{last:?} for {lands} lands"
    );
    let nothing = C::new(Arc::new(Lands::new(Arc::new(Sprouts))));
    // Facts take memory in portions.
    assert!(nothing.bytes() < last.1);
    assert!(nothing.lands().bytes() < last.0);
}

#[test]
fn a_search_is_counted() {
    grows_with_a_search::<Normal>();
    grows_with_a_search::<Misere>();
}
