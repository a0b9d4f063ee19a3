//! The printed form of a sequence.

use super::*;

fn heaps(rules: &str, first: u32, last: u32) -> Heaps {
    let (game, heap) = game::heap(rules).expect("a game of heaps");
    let found = Sequence::looking(&*heap, last as usize + 1, FURTHEST, u64::MAX, None);
    Heaps {
        remark: remark(&game, &*heap, found.nimbers.len(), false),
        game,
        first,
        nimbers: found.nimbers[first as usize..=last as usize].to_vec(),
        computed: found.computed,
        period: found.period.map(|period| query::period(&period)),
        stopped: None,
        argument: "heap",
    }
}

#[test]
fn lines_are_as_long_as_the_period() {
    let text = heaps("octal(0.77)", 10, 30).text();
    assert_eq!(
        text,
        " 0 |                     2 6
12 | 4 1 2 7 1 4 3 2 1 4 6 7
24 | 4 1 2 8 5 4 7

octal(0.77): period 12 from 71 on, proved: G(n + 12) = G(n) for n from 71 to 155 = 2·s + p + k − 1, \
hence for all n ≥ 71 (Guy and Smith 1956)
"
    );
    let text = heaps("bash/3", 0, 25).text();
    assert!(
        text.starts_with(" 0 | 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3 0 1 2 3\n20 | 0 1 2 3 0 1\n"),
        "{text}"
    );
}

#[test]
fn what_was_not_computed_is_told() {
    let text = heaps("kayles", 0, 5000).text();
    assert!(
        text.ends_with("heaps up to 255 were computed; larger ones follow from the period\n"),
        "{text}"
    );
    let text = heaps("grundy", 0, 100).text();
    let end = "\ngrundy: no theorem of periods applies; the first 101 heaps were computed\n";
    assert!(text.ends_with(end), "{text}");
    let text = heaps("octal(0.165)", 0, 100).text();
    let end = "\noctal(0.165): no period is proved by the first 2,001 heaps; \
               `sproutnet sequence \"octal(0.165)\" 0-20000` looks further\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn a_proof_is_true_where_the_period_begins_with_0() {
    let proof = |rules: &str| {
        let (_, heap) = game::heap(rules).expect("a game of heaps");
        let reach = heap.reach().expect("a code");
        let period = Sequence::of(&*heap, 2001).period.expect("it is proved");
        let (s, p, k) = (period.start, period.length, reach.most_taken);
        (query::period(&period).proof, s, p, k)
    };
    for (rules, text, expected) in [
        (
            "subtraction{2,3}",
            "for n from 0 to 3 = k, hence",
            [0, 5, 3],
        ),
        ("bash/3", "for n from 0 to 3 = k, hence", [0, 4, 3]),
        (
            "hexadecimal(0.F)",
            "for n from 0 to 7 = 2·p + k + 2, hence",
            [0, 2, 1],
        ),
        ("octal(0.07)", "= 2·s + p + k − 1, hence", [53, 34, 2]),
        (
            "octal(0.1...)",
            "all heaps from 1 on have the same move",
            [1, 1, 0],
        ),
    ] {
        let (proof, s, p, k) = proof(rules);
        assert!(proof.contains(text), "{rules}: {proof}");
        assert_eq!([s, p, k], expected, "{rules}");
    }
}

#[test]
fn certificates_are_accepted() {
    let mut games: Vec<String> = [
        "subtraction{2,3}",
        "subtraction{1,3,4}",
        "subtraction{3}",
        "subtraction{2,5,7}",
        "bash/1",
        "bash/3",
        "octal(0.03)",
        "octal(0.003)",
        "octal(0.0003)",
        "octal(0.1...)",
        "octal(0.01...)",
        "kayles",
        "dawson",
        "lasker",
        "nim",
        "octal(0.137)",
        "octal(4.3)",
        "octal(0.4)",
        "octal(0.7)",
        "octal(0.07)",
        "octal(0.77)",
        "octal(0.176)",
        "octal(0.3331...)",
        "octal(4.1...)",
        "hexadecimal(0.F)",
        "hexadecimal(0.8)",
        "hexadecimal(0.08)",
        "hexadecimal(0.C)",
        "hexadecimal(0.8A)",
        "hexadecimal(0.1A)",
        "hexadecimal(0.1F8)",
    ]
    .map(str::to_owned)
    .into();
    games.extend((4..12).map(|most| format!("subtraction{{2,3,{most}}}")));
    for rules in games {
        let (_, heap) = game::heap(&rules).expect("a game of heaps");
        let found = Sequence::looking(&*heap, 4, FURTHEST, u64::MAX, None);
        let period = found.period.as_ref().expect(&rules);
        let text = certificate(&*heap, &found, period)
            .expect(&rules)
            .to_string();
        let checked = sproutnet_certificate::theory::verify(text.as_bytes(), 1);
        checked.unwrap_or_else(|error| panic!("{rules}: {error}"));
    }
}

#[test]
fn ranges() {
    for (text, ends) in [
        ("0-1000", (0, 1000)),
        ("5..=9", (5, 9)),
        ("5..9", (5, 9)),
        ("7", (0, 7)),
    ] {
        assert_eq!(range(text).ok(), Some(ends), "{text}");
    }
    for text in ["", "x", "9-5", "0-10000001", "-5", "1-2-3"] {
        assert!(range(text).is_err(), "{text}");
    }
}

#[test]
fn a_plot_has_a_point_for_each_place() {
    let svg = plot::svg(&heaps("kayles", 0, 100));
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert_eq!(svg.matches("h0").count(), 101);
    assert!(svg.contains("<title>kayles: period 12 from 71 on</title>"));
    // The number of points is bounded by the pixels, not by the heaps.
    assert!(
        plot::svg(&heaps("kayles", 0, 1_000_000))
            .matches("h0")
            .count()
            < 10_000
    );
    assert!(plot::svg(&heaps("kayles", 7, 7)).contains("h0"));
}
