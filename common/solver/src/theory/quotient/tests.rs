//! Quotients, against published ones and against brute force.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use sproutnet_game as game;

use super::super::sequence::Sequence;

use super::*;

fn quotient(text: &str, largest: u32) -> Result<Quotient, Box<TooLarge>> {
    let (_, heap) = game::heap(text).expect("a game of heaps");
    Quotient::of(&*heap, largest)
}

fn found(text: &str, largest: u32) -> Quotient {
    quotient(text, largest).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The order of the quotient, and the start and length of the period.
fn summary(text: &str) -> (usize, Option<(u32, u32)>) {
    let quotient = found(text, 300);
    let period = quotient.period.map(|period| (period.start, period.length));
    (quotient.monoid.order(), period)
}

/// Misère outcomes by the definition, of sums of heaps.
struct BruteForce {
    heap: Box<dyn Heap>,
    known: HashMap<Vec<u32>, bool>,
}

impl BruteForce {
    fn new(text: &str) -> Self {
        let (_, heap) = game::heap(text).expect("a game of heaps");
        Self {
            heap,
            known: HashMap::new(),
        }
    }

    fn wins(&mut self, sizes: &[u32]) -> bool {
        let mut sizes: Vec<u32> = sizes.iter().copied().filter(|&size| size > 0).collect();
        sizes.sort_unstable();
        if let Some(&known) = self.known.get(&sizes) {
            return known;
        }
        let mut options = Vec::new();
        for (place, &size) in sizes.iter().enumerate() {
            let _ = self.heap.leaves(size, &mut |left| {
                for left in left.sizes() {
                    let mut option = sizes.clone();
                    option.remove(place);
                    option.extend(left);
                    options.push(option);
                }
                ControlFlow::Continue(())
            });
        }
        let wins = options.is_empty() || options.iter().any(|option| !self.wins(option));
        self.known.insert(sizes, wins);
        wins
    }
}

#[test]
fn quotients_predict_what_brute_force_finds() {
    let mut random = fastrand::Rng::with_seed(3);
    for (text, largest, total) in [
        ("kayles", 28, 30),
        ("octal(0.123)", 20, 40),
        ("octal(0.115)", 44, 46),
        ("octal(0.71)", 20, 30),
        ("octal(0.34)", 20, 34),
        ("octal(0.07)", 24, 34),
        ("octal(4.007)", 12, 20),
        ("grundy", 19, 26),
        ("nim", 9, 20),
        ("bash/3", 20, 30),
        ("subtraction{2,3,7}", 20, 40),
    ] {
        let quotient = found(text, largest);
        let mut brute_force = BruteForce::new(text);
        for _ in 0..400 {
            let mut sizes = Vec::new();
            let mut left = total;
            while left > 0 {
                let size = random.u32(1..=left.min(largest));
                sizes.push(size);
                left -= size.max(random.u32(1..=4)).min(left);
            }
            let outcome = Outcome::win_if(brute_force.wins(&sizes));
            let predicted = quotient.outcome(sizes.iter().copied());
            assert_eq!(predicted, Some(outcome), "{text}: {sizes:?}");
        }
    }
}

#[test]
fn quotients_are_commutative_monoids_and_reduced() {
    for (text, largest) in [("kayles", 30), ("octal(0.115)", 44), ("octal(0.71)", 20)] {
        let Quotient { monoid, .. } = found(text, largest);
        for x in monoid.elements() {
            assert_eq!(monoid.product(x, IDENTITY), x);
            for y in monoid.elements() {
                assert_eq!(monoid.product(x, y), monoid.product(y, x));
                for z in monoid.elements() {
                    let one = monoid.product(monoid.product(x, y), z);
                    assert_eq!(one, monoid.product(x, monoid.product(y, z)));
                }
                let beside = |e, q| monoid.is_lost(monoid.product(e, q));
                let differ = monoid.elements().any(|q| beside(x, q) != beside(y, q));
                assert_eq!(differ, x != y, "{text}: {x} {y}");
            }
        }
    }
}

#[test]
fn misere_kayles_has_the_published_quotient() {
    // Plambeck and Siegel 2008, section on Kayles: order 40, period 12 from 71 on.
    assert_eq!(summary("kayles"), (40, Some((71, 12))));
    let quotient = found("octal(0.77)", 300);
    assert_eq!(quotient.period.map(|period| period.verified), Some(167));
    let presentation = Presentation::of(&quotient.monoid, quotient.values.iter().copied());
    assert_eq!(presentation.generators.len(), 7);
    let mut lost: Vec<String> = quotient
        .monoid
        .p_portion()
        .map(|element| presentation.form(element))
        .collect();
    lost.sort_unstable();
    assert_eq!(
        lost,
        ["a", "ac", "ac²", "ade", "adf", "ad²", "b²", "d", "e"]
    );
}

#[test]
fn misere_kayles_has_the_lost_positions_of_sibert_and_conway() {
    // Sibert and Conway, Mathematical Kayles, 1992: a sum is lost exactly if its nimber is 0, but for these families. An
    // `E` is an even number of heaps of these sizes, a `D` an odd one; there are no other heaps.
    let quotient = found("kayles", 300);
    let nimbers = Sequence::of(&*game::heap("kayles").unwrap().1, 300);
    let sizes = [1, 4, 5, 9, 12, 17, 20, 25];
    let is = |counts: &[u32], families: &[(&[u32], bool)]| {
        let mut rest: Vec<u32> = counts.to_vec();
        let parities = families.iter().all(|(family, is_odd)| {
            let places = (0..sizes.len()).filter(|&place| family.contains(&sizes[place]));
            let total: u32 = places.map(|place| std::mem::take(&mut rest[place])).sum();
            (total % 2 == 1) == *is_odd
        });
        parities && rest.iter().all(|&count| count == 0)
    };
    let once = |counts: &[u32], size| counts[sizes.iter().position(|&s| s == size).unwrap()] == 1;
    let mut counts = [0; 8];
    let mut compared = 0;
    loop {
        let c = &counts[..];
        let mut sum = Vec::new();
        for (&size, &count) in sizes.iter().zip(c) {
            sum.extend(std::iter::repeat_n(size, count as usize));
        }
        let nimber = sum
            .iter()
            .fold(0, |all, &size| all ^ nimbers.nimbers[size as usize]);
        let is_won_here = is(c, &[(&[5], false), (&[4, 1], false)])
            || is(c, &[(&[17, 12, 9], false), (&[20, 4, 1], false)])
            || once(c, 25)
                && is(
                    c,
                    &[(&[25], true), (&[17, 12, 9], false), (&[20, 4, 1], true)],
                );
        let is_lost_here = is(c, &[(&[5], true), (&[4, 1], true)])
            || is(c, &[(&[5], false), (&[4, 1], true)])
            || is(c, &[(&[9], true), (&[4, 1], false)])
            || once(c, 12) && is(c, &[(&[12], true), (&[4, 1], false)])
            || is(c, &[(&[17, 12, 9], false), (&[20, 4, 1], true)])
            || once(c, 25) && is(c, &[(&[25], true), (&[9], true), (&[4, 1], true)]);
        let is_lost = nimber == 0 && !is_won_here || is_lost_here;
        let outcome = quotient.outcome(sum.iter().copied());
        assert_eq!(outcome, Some(Outcome::win_if(!is_lost)), "{sum:?}");
        compared += 1;
        // The next counts, from 0 to 3 each.
        let Some(place) = counts.iter().position(|&count| count < 3) else {
            break;
        };
        counts[..place].fill(0);
        counts[place] += 1;
    }
    assert_eq!(compared, 65_536);
    // With any other heap, the outcome is that of normal play.
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..20_000 {
        let other = loop {
            let other = random.u32(1..1000);
            if !sizes.contains(&other) && other != 2 && other != 3 {
                break other;
            }
        };
        let mut sum: Vec<u32> = (0..random.usize(1..5))
            .map(|_| random.u32(1..1000))
            .collect();
        sum.push(other);
        let nimber = sum.iter().fold(0, |all, &size| {
            let period = nimbers.period.expect("it is proved");
            all ^ nimbers.nimbers[period.first_like(size) as usize]
        });
        assert_eq!(
            quotient.outcome(sum.iter().copied()),
            Some(Outcome::win_if(nimber != 0)),
            "{sum:?}"
        );
    }
}

#[test]
fn misere_nim_is_tame() {
    // Bouton 1901: as under normal play, unless all heaps have at most one token. The quotient has 2ⁿ + 2 elements for
    // heaps below 2ⁿ (Plambeck and Siegel 2008, the tame quotients).
    for (largest, order) in [
        (0, 1),
        (1, 2),
        (2, 6),
        (3, 6),
        (4, 10),
        (7, 10),
        (15, 18),
        (31, 34),
    ] {
        let quotient = found("nim", largest);
        assert_eq!(quotient.monoid.order(), order, "{largest}");
        assert_eq!(quotient.period, None);
    }
    let quotient = found("nim", 15);
    let mut random = fastrand::Rng::with_seed(2);
    for _ in 0..5_000 {
        let most = if random.bool() { 1 } else { 15 };
        let sizes: Vec<u32> = (0..random.usize(0..8))
            .map(|_| random.u32(0..=most))
            .collect();
        let sum = sizes.iter().fold(0, |all, &size| all ^ size);
        let is_lost = if sizes.iter().all(|&size| size < 2) {
            sum == 1
        } else {
            sum == 0
        };
        assert_eq!(
            quotient.outcome(sizes.iter().copied()),
            Some(Outcome::win_if(!is_lost)),
            "{sizes:?}"
        );
    }
}

#[test]
fn octal_games_have_the_published_quotients() {
    // Plambeck, Taming the wild in impartial combinatorial games, 2005.
    assert_eq!(summary("octal(0.123)"), (20, Some((5, 5))));
    // Games in which all that matters is whether the number of moves is odd.
    assert_eq!(summary("octal(0.3)"), (2, Some((0, 2))));
    assert_eq!(summary("octal(0.7)"), (2, Some((0, 2))));
}

#[test]
fn orders_are_even_as_proved() {
    // Plambeck and Siegel 2008: every quotient but the trivial one has an even order.
    for digits in 1..64 {
        let code = format!("octal(0.{digits:02o})");
        let quotient = match quotient(&code, 9) {
            Ok(quotient) => quotient,
            Err(error) => error.smaller,
        };
        let order = quotient.monoid.order();
        assert!(order == 1 || order % 2 == 0, "{code}: {order}");
    }
}

#[test]
fn what_is_too_large_is_refused_with_what_was_found() {
    let error = quotient("grundy", 100).expect_err("no quotient is known");
    assert_eq!((error.size, error.smaller.values.len()), (20, 20));
    assert_eq!(error.smaller.monoid.order(), 24);
    assert_eq!(error.smaller.value(20), None);
    assert!(error.to_string().contains("heaps of 20"), "{error}");
}

#[test]
fn a_proved_period_reaches_any_heap() {
    let quotient = found("kayles", 300);
    assert_eq!(
        quotient.value(83),
        quotient.value(1_000_000_000 / 12 * 12 + 83)
    );
    assert_eq!(found("kayles", 20).value(21), None);
}

#[test]
fn normal_forms_multiply_as_the_relations_say() {
    let quotient = found("nim", 2);
    let presentation = Presentation::of(&quotient.monoid, quotient.values.iter().copied());
    let relations: Vec<String> = presentation
        .relations
        .iter()
        .map(Relation::to_string)
        .collect();
    // T₂ of Plambeck and Siegel.
    assert_eq!(relations, ["a² = 1", "b³ = b"]);
    let forms: Vec<String> = quotient
        .monoid
        .elements()
        .map(|e| presentation.form(e))
        .collect();
    let mut sorted = forms.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["1", "a", "ab", "ab²", "b", "b²"]);
    assert_eq!(forms[0], "1");
}

#[test]
fn a_quotient_that_takes_too_long_leaves_that_of_smaller_heaps() {
    let (_, heap) = game::heap("kayles").expect("a game of heaps");
    let full = found("kayles", 300);
    let limits = Limits {
        looks: 100_000,
        ..Limits::default()
    };
    let stopped = Quotient::limited(&*heap, 300, limits).expect_err("it takes millions of looks");
    assert!((5..300).contains(&stopped.size), "{stopped}");
    assert_eq!(stopped.smaller.values.len(), stopped.size as usize);
    for one in 0..stopped.size {
        for other in one..stopped.size {
            let sum = [one, other, 3];
            assert_eq!(stopped.smaller.outcome(sum), full.outcome(sum), "{sum:?}");
        }
    }
    assert_eq!(stopped.smaller.outcome([stopped.size]), None);
}

#[test]
fn a_quotient_is_found_once_for_all_positions() {
    let ask = |text: &str, effort| {
        let (game, position) = game::parse(text).expect("a position");
        super::told(&*game, &position, effort).map(|(outcome, _)| outcome)
    };
    // No other test asks about this game.
    let heaps = "octal(0.73737373):90+80";
    assert_eq!(ask(heaps, Effort::Look), None);
    // Nobody waits longer than asked for; the quotient is found for later questions.
    let at_once = ask(heaps, Effort::Find(Instant::now()));
    let patience = Effort::Find(Instant::now() + Duration::from_secs(60));
    let outcome = ask(heaps, patience);
    let full = found("octal(0.73737373)", 300);
    assert_eq!(outcome, full.outcome([90, 80]));
    // On a busy machine, the quotient may be found before this thread goes on.
    assert!(at_once.is_none() || at_once == outcome);
    assert!(outcome.is_some());
    assert_eq!(ask(heaps, Effort::Look), outcome);
    // The quotient is that of the whole game.
    let larger = "octal(0.73737373):5000+4000+7";
    assert_eq!(ask(larger, Effort::Look), full.outcome([5000, 4000, 7]));
    // Heaps of several games have no common quotient.
    assert_eq!(ask("octal(0.73737373):9+(0.77):8", patience), None);
}

/// The quotient of the first game took minutes, with no end.
#[test]
fn work_is_bounded_without_limits_of_ones_own() {
    let Limits {
        looks, products, ..
    } = Limits::default();
    assert!(looks < u64::MAX && products < u64::MAX);
    for (text, limits) in [
        (
            "take-and-break{1|1,70|1|1}",
            Limits {
                looks: 200_000,
                ..Limits::default()
            },
        ),
        (
            "kayles",
            Limits {
                products: 500,
                ..Limits::default()
            },
        ),
    ] {
        let (_, heap) = game::heap(text).expect("a game of heaps");
        let stopped = Quotient::limited(&*heap, 200, limits).expect_err("it takes more");
        println!("{text}: {stopped}");
        assert!(stopped.size > 2);
        assert_eq!(stopped.smaller.values.len(), stopped.size as usize);
    }
    // The quotient of Kayles needs a small part of the default.
    let (_, heap) = game::heap("kayles").expect("a game of heaps");
    let limits = Limits {
        looks: looks / 3,
        products: products / 3,
        ..Limits::default()
    };
    let quotient = Quotient::limited(&*heap, 300, limits).expect("order 40");
    assert!(quotient.period.is_some());
}

#[test]
fn limits_decide_where_it_gives_up() {
    let (_, heap) = game::heap("kayles").expect("a game of heaps");
    for (limits, size) in [
        (
            Limits {
                elements: 20,
                ..Limits::default()
            },
            9,
        ),
        (
            Limits {
                sums: 10,
                ..Limits::default()
            },
            5,
        ),
    ] {
        let stopped = Quotient::limited(&*heap, 300, limits).expect_err("order 40");
        assert!(stopped.size >= size, "{stopped}");
        assert!(stopped.smaller.monoid.order() <= 20);
    }
    let limits = Limits {
        elements: 40,
        ..Limits::default()
    };
    let quotient = Quotient::limited(&*heap, 300, limits).expect("order 40");
    assert!(quotient.period.is_some());
}

#[test]
fn three_heaps_are_left_by_hexadecimal_games() {
    let mut random = fastrand::Rng::with_seed(5);
    for (text, largest) in [
        ("hexadecimal(0.8)", 16),
        ("hexadecimal(0.F)", 12),
        ("hexadecimal(0.1A)", 12),
    ] {
        let quotient = found(text, largest);
        let mut brute_force = BruteForce::new(text);
        for _ in 0..60 {
            let sizes: Vec<u32> = (0..random.usize(1..4))
                .map(|_| random.u32(1..=largest))
                .collect();
            if sizes.iter().sum::<u32>() > 22 {
                continue;
            }
            let outcome = Outcome::win_if(brute_force.wins(&sizes));
            assert_eq!(
                quotient.outcome(sizes.iter().copied()),
                Some(outcome),
                "{text} {sizes:?}"
            );
        }
    }
}

#[test]
fn a_code_that_repeats_has_no_period_of_values() {
    // Nim and Lasker's Nim have ever larger nimbers, so no finite quotient is that of all heaps.
    for text in ["nim", "lasker"] {
        let quotient = quotient(text, 7).unwrap_or_else(|error| error.smaller);
        assert_eq!(quotient.period, None, "{text}");
    }
    // Every heap is one move, which takes all of it.
    let period = found("octal(0.1...)", 60).period.expect("it is proved");
    assert_eq!((period.start, period.length), (1, 1));
}
