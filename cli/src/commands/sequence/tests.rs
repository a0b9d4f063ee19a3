//! The printed form of a sequence.

use super::*;

fn heaps(rules: &str, first: u32, last: u32) -> Heaps {
    let (game, heap) = game::heap(rules).expect("a game of heaps");
    let found = Sequence::of(&*heap, last.max(LEAST) as usize + 1);
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
    let end = "\ngrundy: no theorem of periods applies; the first 2,001 heaps were computed\n";
    assert!(text.ends_with(end), "{text}");
    let text = heaps("octal(0.165)", 0, 100).text();
    let end = "\noctal(0.165): no period is proved by the first 2,001 heaps; \
               `sproutnet sequence \"octal(0.165)\" 0-20000` looks further\n";
    assert!(text.ends_with(end), "{text}");
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
