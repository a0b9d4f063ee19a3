//! Values without lands whose outcome takes long: the search decides them, and can be stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::{Bag, Misere};
use crate::play::{Convention, Outcome, Rules, State};
use crate::search::{Control, Search, Table};
use sproutnet_game::{self as game, Lands};

/// The convention with at most this many options for the outcome of a value, and the state of a position.
fn misere(position: &str, most_options: Option<u64>) -> (Misere, State<Bag>) {
    let (game, position) = game::parse(position).expect("a position");
    let mut misere = Misere::new(Arc::new(Lands::new(game)));
    if let Some(most_options) = most_options {
        misere.most_options = most_options;
    }
    let state = misere.state(&position);
    (misere, state)
}

fn solved(position: &str, most_options: Option<u64>) -> Option<Outcome> {
    let (misere, state) = misere(position, most_options);
    let (table, control) = (Table::new(1 << 20).expect("memory"), Control::until(None));
    let search = Search::new(&misere, &table, &control);
    search.run_on(1, &state).expect("a thread").outcome()
}

#[test]
fn a_search_finds_the_same() {
    for position in [
        "octal(0.776):14",
        "octal(0.776):7+6+5+4",
        "kayles:16",
        "kayles:7+6+6+5",
        "dawson:9+8+8+6",
        "0*5",
    ] {
        let expected = solved(position, None);
        assert!(expected.is_some());
        assert_eq!(solved(position, Some(2)), expected, "{position}");
    }
}

#[test]
fn a_search_ends_at_its_deadline() {
    let (misere, state) = misere("octal(0.776):300", None);
    let table = Table::new(1 << 20).expect("memory");
    let begin = Instant::now();
    let control = Control::until(Some(begin + Duration::from_millis(300)));
    let search = Search::new(&misere, &table, &control);
    let outcome = search.run_on(1, &state).expect("a thread").outcome();
    assert_eq!(outcome, None);
    let took = begin.elapsed();
    println!("it took {took:?}");
    assert!(took < Duration::from_secs(3), "{took:?}");
}
