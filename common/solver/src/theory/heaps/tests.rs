//! Sums of heaps, against formulas, published values and their moves.

use std::time::{Duration, Instant};

use super::*;
use sproutnet_game as game;

fn told(text: &str) -> Option<(u32, Theorem)> {
    let (game, position) = game::parse(text).expect("a position");
    nimber(&*game, &position)
}

fn of(text: &str) -> Option<u32> {
    told(text).map(|(nimber, _)| nimber)
}

#[test]
fn the_theorem_is_that_of_all_heaps() {
    for (text, theorem) in [
        ("nim:3+5", Theorem::Bouton),
        ("bash:9/2+10/4", Theorem::Formula),
        ("kayles:99+5", Theorem::Period(12)),
        ("grundy:99", Theorem::Heaps),
        ("octal(0.77):99+(0.137):99", Theorem::Heaps),
    ] {
        assert_eq!(told(text).expect("heaps").1, theorem, "{text}");
    }
}

#[test]
fn large_heaps_and_sums() {
    // Bouton 1901; Guy and Smith 1956 for Kayles, whose nimbers repeat with period 12.
    for (text, nimber) in [
        ("nim:63+64", 127),
        ("nim:100+200+300", 0b1_1000_0000),
        ("nim:10000", 10_000),
        ("bash:200/100+199/100", (200 % 101) ^ (199 % 101)),
        ("subtraction{1,2}:10000", 10_000 % 3),
        ("kayles:5000", 1),
        ("kayles:9996+12", 0),
    ] {
        assert_eq!(of(text), Some(nimber), "{text}");
    }
    assert!(of("grundy:100").is_some());
    assert!(of("octal(0.07):40+41").is_some());
    assert_eq!(of("0*5"), None);
    assert_eq!(of("wythoff:3,5"), None);
}

#[test]
fn misere_nim_by_its_moves() {
    let known = |one: u32, two: u32, three: u32| {
        let (game, position) = game::parse(&format!("nim:{one}+{two}+{three}")).ok()?;
        misere_nim(&*game, &position)
    };
    for one in 1..6 {
        for two in 1..6 {
            for three in 1..6 {
                let all: Vec<_> = [(one, two, three), (two, one, three), (three, two, one)]
                    .into_iter()
                    .flat_map(|(heap, b, c)| (1..heap).map(move |left| known(left, b, c)))
                    .collect();
                let two_left = [(one, two), (one, three), (two, three)].map(|(a, b)| {
                    let (game, position) = game::parse(&format!("nim:{a}+{b}")).expect("nim");
                    misere_nim(&*game, &position)
                });
                let wins = all
                    .iter()
                    .chain(&two_left)
                    .any(|&option| option == Some(Outcome::Loss));
                let told = known(one, two, three);
                assert_eq!(told, Some(Outcome::win_if(wins)), "{one} {two} {three}");
            }
        }
    }
}

/// Each of them took minutes.
#[test]
fn small_heaps_are_quick() {
    let begin = Instant::now();
    for (text, nimber) in [
        ("hexadecimal(C.379):3", 4),
        ("hexadecimal(C.379):4+7+8", 7),
        ("take-and-break{1..|1..|1..}:40", 40),
    ] {
        assert_eq!(of(text), Some(nimber), "{text}");
    }
    let took = begin.elapsed();
    println!("they took {took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn a_sequence_without_a_period_ends_where_it_takes_too_long() {
    let (game, position) = game::parse("octal(0.6):500").expect("a position");
    let ((_, heap), _) = game.heaps(&position).expect("heaps");
    let short = Sequence::within(1_000, &*heap, 500, 500, None);
    assert!(short.computed < 100, "{}", short.computed);
    assert_eq!(short.nimber(499), None);
    let long = Sequence::within(u64::MAX, &*heap, 500, 500, None);
    assert_eq!(long.nimber(499), of("octal(0.6):499"));
    assert_eq!(long.nimbers[..short.computed], short.nimbers);
}
