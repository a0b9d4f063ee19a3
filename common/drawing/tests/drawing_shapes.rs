//! Pictures of games that give shapes.

use sproutnet_drawing::{DrawingError, SvgOptions, has_pictures, size_if_slow, svg};
use sproutnet_game as game;

fn drawn(text: &str, options: &SvgOptions) -> Result<String, DrawingError> {
    let (game, position) = game::parse(text).expect("a position");
    svg(&*game, &position, options)
}

#[test]
fn heaps_are_rows_of_tokens() {
    let svg = drawn("nim:3+5+300", &SvgOptions::default()).expect("a picture");
    assert_eq!(svg.matches("<circle ").count(), 3 + 5 + 20);
    for part in [
        "<title>nim:3+5+300</title>",
        ">3</text>",
        ">… 300</text>",
        "<style>",
    ] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    let small = drawn("nim:3+5+300", &SvgOptions::thumbnail()).expect("a picture");
    assert!(!small.contains("<text ") && !small.contains("<style>"));
    // Letters would become too large on a large screen.
    assert!(svg.contains("\" width=\"") && !small.contains("\" width=\""));
    let empty = drawn("nim:0", &SvgOptions::default()).expect("a picture");
    assert!(empty.contains("viewBox=\"0 0 80 80\""), "{empty}");
}

#[test]
fn parameters_stand_beside_heaps() {
    for (text, label) in [
        ("bash:21/3", ">21/3</text>"),
        ("octal(0.77):5", ">5 (0.77)</text>"),
        ("wythoff:3,5", ">5</text>"),
    ] {
        let svg = drawn(text, &SvgOptions::default()).expect("a picture");
        assert!(svg.contains(label), "{svg}");
    }
}

#[test]
fn examples_are_drawn() {
    for game in game::all() {
        assert!(has_pictures(&*game), "{}", game.name());
        for example in game.info().examples {
            let position = game.parse(example).expect("a position");
            let svg = svg(&*game, &position, &SvgOptions::default()).expect("a picture");
            assert!(svg.ends_with("</svg>\n"), "{example}: {svg}");
        }
    }
}

#[test]
fn what_is_too_large_is_not_drawn() {
    let heaps = vec!["30"; 1_000].join("+");
    let refused = drawn(&format!("nim:{heaps}"), &SvgOptions::default());
    assert_eq!(refused, Err(DrawingError::TooLarge));
}

#[test]
fn a_page_does_not_wait_for_a_large_picture() {
    let size = |text: &str| {
        let (game, position) = game::parse(text).expect("a position");
        size_if_slow(&*game, &position)
    };
    for (small, large) in [
        ("cram:16x16", "cram:64x64"),
        ("0*150", "0*151"),
        ("0*9", "0*149+0*9"),
    ] {
        assert_eq!(size(small), None, "{small}");
        let (width, height) = size(large).expect(large);
        let svg = drawn(large, &SvgOptions::default()).expect("a picture");
        let view = svg.split("viewBox=\"0 0 ").nth(1).expect("a size");
        let view = view.split(['"', ' ']).take(2);
        let view: Vec<f64> = view.map(|side| side.parse().expect("a number")).collect();
        let difference = (view[0] - width).abs() + (view[1] - height).abs();
        assert!(difference < 0.01, "{large}: {width} {height}, {view:?}");
        // It stays large when it was drawn before.
        assert_eq!(size(large), Some((width, height)), "{large}");
    }
    // It cannot be drawn at all.
    assert_eq!(size(&format!("nim:{}", vec!["30"; 1_000].join("+"))), None);
}
