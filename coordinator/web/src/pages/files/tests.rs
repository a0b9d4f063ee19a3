use super::*;

/// The minimum contrasts of text, and of parts of pictures (WCAG 2.2, 1.4.3 and 1.4.11).
const OF_TEXT: f64 = 4.5;
const OF_PARTS: f64 = 3.0;

/// The texts and their backgrounds, as variables of the style.
const TEXTS: &[(&str, &[&str])] = &[
    ("ink", &["paper", "sheet", "busy-tint", "sprouts-dead"]),
    ("faint", &["paper", "sheet", "busy-tint", "sprouts-dead"]),
    ("accent", &["paper", "sheet", "busy-tint"]),
    ("danger", &["paper", "sheet"]),
    ("on-accent", &["accent"]),
    ("on-win", &["win"]),
    ("on-loss", &["loss"]),
    ("win-ink", &["win-tint", "paper", "sheet"]),
    ("loss-ink", &["loss-tint", "paper", "sheet"]),
    ("busy", &["busy-tint"]),
    // The names of spots, in the spots and beside them.
    (
        "sprouts-ink",
        &["sprouts-spot-1", "sprouts-spot-2", "sprouts-spot-3"],
    ),
    ("sprouts-dead-ink", &["sprouts-dead-spot"]),
    ("faint", REGIONS),
];

/// The parts of pictures that carry meaning, and their backgrounds.
const PARTS: &[(&str, &[&str])] = &[
    ("sprouts-line", &["paper", "sheet", "sprouts-dead"]),
    ("sprouts-dead-spot", &["paper", "sheet", "sprouts-dead"]),
    ("sprouts-mine", &["sheet"]),
    ("sprouts-reply", &["sheet"]),
    ("win", &["paper", "sheet"]),
    ("loss", &["paper", "sheet"]),
    ("accent", &["paper", "sheet"]),
    ("faint", &["paper", "sheet"]),
    ("busy", &["paper", "sheet"]),
    ("sprouts-spot-1", REGIONS),
    ("sprouts-spot-2", REGIONS),
    ("sprouts-spot-3", REGIONS),
];

const REGIONS: &[&str] = &[
    "sprouts-region-0",
    "sprouts-region-1",
    "sprouts-region-2",
    "sprouts-region-3",
    "sprouts-region-4",
    "sprouts-region-5",
    "sprouts-region-6",
    "sprouts-region-7",
];

/// The colours of a variable in the light and in the dark scheme: those that pages set, or those of drawings.
fn colours(name: &str) -> [[f64; 3]; 2] {
    let found = |before: String| -> Vec<[f64; 3]> {
        let texts = STYLE.text.split(&*before).skip(1);
        texts.map(colour).collect()
    };
    let mut all = found(format!(" --{name}: #"));
    if all.is_empty() {
        all = found(format!("(--{name},#"));
    }
    match all[..] {
        [both] => [both, both],
        [light, dark] => [light, dark],
        _ => panic!("{name}: {all:?}"),
    }
}

/// The shares of red, green and blue of a colour, whose digits a text begins with.
fn colour(text: &str) -> [f64; 3] {
    let end = text.find(|c: char| !c.is_ascii_hexdigit());
    let digits = &text[..end.expect("more text")];
    let wide = digits.len() / 3;
    [0, 1, 2].map(|i| {
        let part = u32::from_str_radix(&digits[i * wide..(i + 1) * wide], 16).expect("digits");
        f64::from(part) / if wide == 1 { 15.0 } else { 255.0 }
    })
}

/// The relative luminance of a colour, as WCAG defines it.
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = colour.map(|share| {
        if share <= 0.040_45 {
            share / 12.92
        } else {
            ((share + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let [one, other] = [one, other].map(|colour| luminance(colour) + 0.05);
    one.max(other) / one.min(other)
}

#[test]
fn contrast_is_measured_as_wcag_defines_it() {
    assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
    let grey = contrast(colour("767676;"), colour("fff;"));
    assert!((4.5..4.6).contains(&grey), "{grey}");
}

#[test]
fn all_texts_can_be_read_in_light_and_dark() {
    for (pairs, least) in [(TEXTS, OF_TEXT), (PARTS, OF_PARTS)] {
        for (front, backs) in pairs {
            for back in *backs {
                let schemes = colours(front).into_iter().zip(colours(back));
                for ((front_colour, back_colour), scheme) in schemes.zip(["light", "dark"]) {
                    let contrast = contrast(front_colour, back_colour);
                    assert!(
                        contrast >= least,
                        "{front} on {back}, {scheme}: {contrast:.2}"
                    );
                }
            }
        }
    }
}
