//! The options for visitors, and the kept ones.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::lands::SMALL;
use super::*;
use crate::{Game, Kayles};

/// Breaks after `most` options.
struct UpTo {
    most: usize,
    seen: Vec<Vec<LandId>>,
}

impl Visitor for UpTo {
    fn may_be_known(&self, _hash: u128) -> bool {
        false
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        self.seen.push(lands.to_vec());
        if self.seen.len() == self.most {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

fn visit(lands: &Lands, land: LandId, most: usize) -> (ControlFlow<()>, Vec<Vec<LandId>>) {
    let mut up_to = UpTo {
        most,
        seen: Vec::new(),
    };
    let end = lands.visit_options(land, &|| false, &mut up_to);
    (end.expect("nothing stops it"), up_to.seen)
}

#[test]
fn options_are_kept_unless_the_visitor_breaks() {
    let lands = Lands::new(Arc::new(Kayles));
    let [long, short] = ["20", "16"].map(|text| {
        let row = Kayles.parse(text).expect("a row");
        lands.intern(&row.lands()[0])
    });
    // Taking two of 20 from one end leaves 18, and so on: of the options, those of 16 and 2 or of
    // small rows are made of rows that have numbers.
    let (end, seen) = visit(&lands, long, 1);
    assert!(end.is_break() && seen.len() == 1);
    assert!(seen[0].contains(&short) || seen[0].iter().all(|&land| lands.max_moves(land) <= SMALL));
    assert!(lands.known_options(long).is_none());
    let large = |lands: &Lands| (6..20).filter(|&pins| has(lands, pins)).collect::<Vec<_>>();
    assert_eq!(
        large(&lands),
        [16],
        "no row got a number that was not needed"
    );

    let (end, seen) = visit(&lands, long, usize::MAX);
    assert!(end.is_continue());
    let kept = lands.known_options(long).expect("they are kept");
    let kept: HashSet<Vec<LandId>> = kept.iter().map(<[_]>::to_vec).collect();
    assert_eq!(seen.into_iter().collect::<HashSet<_>>(), kept);
    // One or two of 20 pins, from 0 to half of the others on one side.
    assert_eq!(kept.len(), 10 + 10);
    let (end, seen) = visit(&lands, long, 3);
    assert!(end.is_break() && seen.len() == 3);
}

fn has(lands: &Lands, pins: u32) -> bool {
    let row = Kayles.parse(&pins.to_string()).expect("a row");
    let hash = Lands::hash_of(row.lands()[0].as_bytes());
    lands.find(hash).is_some()
}
