use super::*;
use crate::commands::explore::walk::View;
use crate::commands::roots;
use sproutnet_model::{Known, Standing};

/// A position with so many moves.
fn walk(moves: usize) -> Walk {
    let verdict = |number: usize| Verdict {
        canonical: format!("move-{number}-{}", "x".repeat(number % 40)),
        normal: Known::Win,
        misere: Known::Unknown,
        nimber: Some(number as u32),
        genus: None,
        verified: Vec::new(),
    };
    let mut walk = Walk::from("0*4.1a1a".to_owned(), Play::Normal);
    walk.here_mut().learn(View {
        answer: Answer {
            canonical: "0*4.1a1a".to_owned(),
            game: "sprouts".to_owned(),
            most_moves: 14,
            normal: Standing::open(None),
            misere: Standing::open(None),
            nimber: None,
            genus: None,
            lands: Vec::new(),
        },
        moves: (0..moves).map(verdict).collect(),
        is_open: true,
    });
    walk
}

fn picture() -> Result<Sketch, String> {
    let (game, position) = roots::parse("0*4.1a1a").expect("a position");
    Sketch::of(&*game, &position).map_err(|error| error.to_string())
}

#[test]
fn the_selected_move_is_seen_in_any_size() {
    let mut walk = walk(100);
    let picture = picture();
    for selected in [0, 1, 50, 99] {
        walk.here_mut().selected = selected;
        let page = Page {
            walk: &walk,
            picture: Some(&picture),
            notice: None,
            look: Look::default(),
        };
        for (columns, rows) in (20..90).flat_map(|columns| (6..40).map(move |rows| (columns, rows)))
        {
            let lines = page.lines(columns, rows);
            assert_eq!(lines.len(), rows, "{columns} × {rows}");
            let marked = lines.iter().find(|line| line.starts_with("> "));
            let marked = marked.unwrap_or_else(|| panic!("{columns} × {rows}: {lines:#?}"));
            // Outcomes and nimbers are never cut.
            assert!(
                marked.contains(&format!("  win      {selected}")),
                "{marked}"
            );
            for line in &lines[..rows - 1][3..] {
                assert!(measure_text_width(line) <= columns, "{columns}: {line}");
            }
        }
        for (columns, rows) in [(1, 1), (3, 2), (200, 3), (5, 5)] {
            assert!(!page.lines(columns, rows).is_empty());
        }
    }
}

#[test]
fn a_picture_beside_the_moves_or_above_them() {
    let walk = walk(3);
    let picture = picture();
    let page = Page {
        walk: &walk,
        picture: Some(&picture),
        notice: Some("searching …"),
        look: Look::default(),
    };
    let wide = page.lines(60, 20);
    let is_drawn = |line: &String| line.contains(|c: char| ('\u{2801}'..='\u{28ff}').contains(&c));
    assert_eq!(
        wide[1],
        "normal play: unknown for the player to move; searching …"
    );
    // Beside the list, from its first line on.
    assert!(wide[3].starts_with("  1 of 3 "), "{wide:#?}");
    assert!(
        wide.iter().filter(|line| is_drawn(line)).count() > 6,
        "{wide:#?}"
    );
    let narrow = page.lines(40, 20);
    let heading = narrow.iter().position(|line| line.starts_with("  1 of 3 "));
    let drawn = narrow.iter().rposition(is_drawn);
    assert!(drawn.is_some() && drawn < heading, "{narrow:#?}");
}
