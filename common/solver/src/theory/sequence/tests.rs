//! Sequences, against formulas and published values.

use sproutnet_game as game;

use super::*;

fn sequence(text: &str, terms: usize) -> Sequence {
    let (_, heap) = game::heap(text).expect("a game of heaps");
    Sequence::of(&*heap, terms)
}

/// The start, the length and the last heap that was compared.
fn period(text: &str, terms: usize) -> Option<(u32, u32, u32)> {
    let period = sequence(text, terms).period?;
    Some((period.start, period.length, period.verified))
}

/// The nimbers of Kayles up to 83, twelve a line (Guy and Smith 1956).
const KAYLES: [[u32; 12]; 7] = [
    [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6],
    [4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7],
    [4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7],
    [4, 1, 2, 3, 1, 4, 7, 2, 1, 8, 2, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 4, 2, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 6, 7],
    [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7],
];

/// One period of Dawson's chess, from 52 on (OEIS A002187).
const DAWSON: [u32; 34] = [
    3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 3, 7, 4, 8, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5,
    5, 9,
];

#[test]
fn kayles_has_the_published_nimbers_and_period() {
    for name in ["kayles", "octal(0.77)", "octal(0.771)"] {
        let found = sequence(name, 1_000_001);
        assert_eq!(found.nimbers[..84], *KAYLES.as_flattened(), "{name}");
        assert_eq!(found.nimbers.len(), 1_000_001);
        let period = found.period.expect("it is proved");
        assert_eq!((period.start, period.length), (71, 12), "{name}");
        for (size, nimber) in found.nimbers.iter().enumerate().skip(72) {
            assert_eq!(*nimber, KAYLES[6][size % 12], "{size}");
        }
    }
    assert_eq!(period("kayles", 200), Some((71, 12, 167)));
}

#[test]
fn dawsons_chess_has_the_published_period_and_exceptions() {
    let found = sequence("dawson", 1000);
    let repeats = |size: usize| DAWSON[(size + 34 - 52 % 34) % 34];
    let exceptions = (0..1000).filter(|&size| found.nimbers[size] != repeats(size));
    assert_eq!(exceptions.collect::<Vec<_>>(), [0, 14, 16, 17, 31, 34, 51]);
    assert_eq!(period("dawson", 1000), Some((52, 34, 174)));
    // Each heap is one larger in Dawson's Kayles.
    let kayles = sequence("dawsonkayles", 1000);
    assert_eq!(kayles.nimbers[1..], found.nimbers[..999]);
}

#[test]
fn octal_games_have_the_published_periods() {
    // From the Online Encyclopedia of Integer Sequences: the last exception, the period.
    for (code, last, length) in [
        ("0.7777", 141, 24),        // A071074
        ("0.1377", 140, 24),        // A071434
        ("0.177", 496, 20),         // A071435
        ("0.11377", 186, 32),       // A071452
        ("0.176", 23, 8),           // A125920
        ("0.117", 46, 48),          // A071453
        ("0.113377", 210, 36),      // A071451
        ("0.127", 46_577, 4),       // A071464
        ("0.56", 326_639, 144),     // Gangolli and Plambeck 1989
        ("0.16", 105_350, 149_459), // the same
    ] {
        let found = period(&format!("octal({code})"), 700_000);
        let found = found.map(|(start, length, _)| (start - 1, length));
        assert_eq!(found, Some((last, length)), "{code}");
    }
}

#[test]
fn games_that_do_not_split_follow_their_formulas() {
    let nim = sequence("nim", 500);
    assert_eq!(nim.nimbers, (0..500).collect::<Vec<_>>());
    let period = nim.period.expect("it is proved");
    assert_eq!((period.start, period.length, period.saltus), (0, 1, 1));
    for most in [1, 2, 3, 9] {
        let bash = sequence(&format!("bash/{most}"), 500);
        let expected: Vec<_> = (0..500).map(|size| size % (most + 1)).collect();
        assert_eq!(bash.nimbers, expected, "{most}");
        let period = bash.period.expect("it is proved");
        assert_eq!((period.start, period.length), (0, most + 1), "{most}");
    }
    // Winning Ways, chapter 4: S(1, 3, 4) has period 7, and {2, 4, 7} becomes periodic after some time.
    let found = sequence("subtraction{1,3,4}", 21);
    assert_eq!(found.nimbers, [0, 1, 0, 1, 2, 3, 2].repeat(3));
    assert_eq!(found.computed, 21);
}

#[test]
fn formulas_agree_with_the_moves() {
    for name in ["nim", "bash/1", "bash/7"] {
        let (_, heap) = game::heap(name).expect("a game of heaps");
        let formula = |size| heap.nimber(size).expect("a formula");
        for size in 0..300 {
            let mut options = Vec::new();
            let _ = heap.leaves(size, &mut |left| {
                let Left::One(left) = left else {
                    panic!("{name} does not split");
                };
                options.push(formula(left));
                ControlFlow::Continue(())
            });
            let least = (0..=size).find(|nimber| !options.contains(nimber));
            assert_eq!(least, Some(formula(size)), "{name} {size}");
        }
    }
}

#[test]
fn masks_change_nothing_but_the_time() {
    for name in [
        "grundy",
        "octal(0.6)",
        "octal(0.07)",
        "octal(4.007)",
        "octal(0.356)",
        "octal(0.45)",
    ] {
        let (_, heap) = game::heap(name).expect("a game of heaps");
        let mut all = Nimbers::default();
        let mut by_rare = Nimbers::default();
        for size in 0..1500 {
            all.push(&*heap);
            by_rare.push(&*heap);
            if size % 100 == 99 {
                by_rare.choose_mask();
            }
        }
        assert_eq!(all.all, by_rare.all, "{name}");
    }
}

#[test]
fn grundys_game_begins_as_published() {
    // OEIS A002188.
    let published = [
        0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2,
        3, 1, 2, 4, 1, 2, 4, 1, 2, 4, 1, 5, 4, 1, 5, 4, 1, 5, 4, 1, 0,
    ];
    let found = sequence("grundy", 1000);
    assert_eq!(found.nimbers[..published.len()], published);
    assert_eq!(found.period, None);
}

#[test]
fn with_a_period_as_many_as_wanted_follow() {
    let found = sequence("bash/3", 10_000_000);
    assert_eq!((found.computed, found.nimbers.len()), (64, 10_000_000));
    assert_eq!(found.nimbers[9_999_999], 3);
    assert!(sequence("kayles", 0).nimbers.is_empty());
    assert_eq!(sequence("kayles", 1).nimbers, [0]);
}

/// Nimbers by the definition, from the digits of a code; the last one repeats if it is 1, 2 or 3.
fn by_definition(digits: &[u32], repeated: u32, terms: usize) -> Vec<u32> {
    let mut all: Vec<u32> = Vec::new();
    for size in 0..terms {
        let mut options = std::collections::HashSet::new();
        for taken in 0..=size {
            let digit = digits.get(taken).copied().unwrap_or(repeated);
            let left = size - taken;
            if digit & 1 > 0 && left == 0 {
                options.insert(0);
            }
            if digit & 2 > 0 && left > 0 {
                options.insert(all[left]);
            }
            for one in 1..left {
                if digit & 4 > 0 {
                    options.insert(all[one] ^ all[left - one]);
                }
                if digit & 8 > 0 {
                    options.extend(
                        (1..left - one).map(|two| all[one] ^ all[two] ^ all[left - one - two]),
                    );
                }
            }
        }
        let mut least = 0;
        while options.contains(&least) {
            least += 1;
        }
        all.push(least);
    }
    all
}

#[test]
fn hexadecimal_games_have_the_nimbers_of_their_moves() {
    for (code, digits) in [
        ("0.F", &[0, 15][..]),
        ("0.8", &[0, 8]),
        ("8.3", &[8, 3]),
        ("C.0A", &[12, 0, 10]),
        ("0.1A", &[0, 1, 10]),
        ("0.3F", &[0, 3, 15]),
        ("0.137F", &[0, 1, 3, 7, 15]),
    ] {
        let found = sequence(&format!("hexadecimal({code})"), 120);
        assert_eq!(found.nimbers, by_definition(digits, 0, 120), "{code}");
    }
}

#[test]
fn codes_that_repeat_have_the_nimbers_of_their_moves() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut proved = 0;
    for _ in 0..150 {
        let digits: Vec<u32> = (0..random.usize(1..5))
            .map(|place| {
                if place == 0 {
                    4 * random.u32(0..2)
                } else {
                    random.u32(0..8)
                }
            })
            .collect();
        let repeated = random.u32(1..4);
        let after: String = digits[1..].iter().map(u32::to_string).collect();
        let code = format!("octal({}.{after}{repeated}...)", digits[0]);
        let found = sequence(&code, 400);
        assert_eq!(
            found.nimbers,
            by_definition(&digits, repeated, 400),
            "{code}"
        );
        proved += usize::from(found.period.is_some());
    }
    println!("{proved} of 150 periods proved");
    assert!(proved > 75, "{proved}");
}

#[test]
fn laskers_nim_has_the_published_arithmetic_period() {
    // Winning Ways, chapter 4: 4k + 1, 4k + 2, 4k + 4, 4k + 3.
    let found = sequence("octal(4.3...)", 100_000);
    let period = found.period.expect("it is proved");
    assert_eq!((period.start, period.length, period.saltus), (1, 4, 4));
    assert!(found.computed < 200);
    for size in 1..100_000u32 {
        let expected = match size % 4 {
            0 => size - 1,
            3 => size + 1,
            _ => size,
        };
        assert_eq!(found.nimbers[size as usize], expected, "{size}");
    }
    assert_eq!(sequence("lasker", 50).nimbers, found.nimbers[..50]);
}

#[test]
fn heaps_that_nobody_asked_for_are_looked_at_for_a_period_only() {
    let looking = |text: &str, terms| {
        let (_, heap) = game::heap(text).expect("a game of heaps");
        Sequence::looking(&*heap, terms, FURTHEST, MOST_OPTIONS, None)
    };
    // No theorem applies.
    assert_eq!(looking("grundy", 41).computed, 41);
    assert_eq!(looking("take-and-break{1..|1..|1..}", 41).computed, 41);
    // The period of Kayles is proved by 168 heaps.
    let kayles = looking("kayles", 11);
    assert_eq!((kayles.computed, kayles.nimbers.len()), (256, 256));
    assert!(kayles.period.is_some());
    // Many options, and a theorem that might apply.
    let hexadecimal = looking("hexadecimal(C.379)", 11);
    println!("{} of hexadecimal(C.379)", hexadecimal.computed);
    assert!((64..1000).contains(&hexadecimal.computed));
    assert_eq!(
        hexadecimal.nimbers[..11],
        by_definition(&[12, 3, 7, 9], 0, 11)
    );
    // A code of many digits.
    assert_eq!(looking("octal(0.165)", 11).computed, 2001);
}

#[test]
fn few_steps_prove_arithmetic_periods_of_three_heaps() {
    for (code, expected) in [
        ("0.8", (1, 3, 1)),
        ("0.08", (1, 4, 1)),
        ("0.8A", (1, 2, 1)),
        ("0.C", (1, 2, 1)),
        ("0.1A", (4, 2, 1)),
        ("0.137F", (0, 2, 1)),
        ("0.1F8", (4, 3, 2)),
    ] {
        let found = sequence(&format!("hexadecimal({code})"), 2001);
        let period = found.period.expect(code);
        let period = (period.start, period.length, period.saltus);
        assert_eq!(period, expected, "{code}");
        assert!(found.computed <= 128, "{code}: {}", found.computed);
    }
}

#[test]
fn nim_reaches_any_heap() {
    let found = sequence("nim", 1_000_001);
    assert_eq!(found.computed, 64);
    assert_eq!(found.nimbers[1_000_000], 1_000_000);
}

#[test]
fn a_sequence_ends_where_it_takes_too_many_options() {
    let (_, heap) = game::heap("octal(0.6)").expect("a game of heaps");
    let found = Sequence::looking(&*heap, 10_000, 10_000, 1000, None);
    assert!(
        (64..1000).contains(&found.nimbers.len()),
        "{}",
        found.nimbers.len()
    );
    assert_eq!(
        found.nimbers,
        sequence("octal(0.6)", found.nimbers.len()).nimbers
    );
}
