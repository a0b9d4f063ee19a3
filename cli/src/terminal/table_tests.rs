use super::*;

fn cut_at(width: usize) -> Look {
    Look {
        is_coloured: false,
        width: Some(width),
    }
}

#[test]
fn columns_align_whatever_the_script() {
    let rows = [("東京", "7"), ("a\u{1b}[2J", "1,000")];
    let rows = rows.map(|(name, n)| vec![text("name", name), number("n", n)]);
    assert_eq!(
        table(rows, Look::default()),
        ["name       n", "東京       7", "a?[2J  1,000"]
    );
}

fn positions(look: Look) -> Vec<String> {
    let rows = [["0*30.1a1a|AB2.AB", "win", "1,000"], ["0*5", "-", "7"]];
    let rows = rows.map(|[position, outcome, n]| {
        vec![
            text("position", position),
            text("normal", outcome),
            number("n", n),
        ]
    });
    table(rows, look)
}

#[test]
fn words_have_colours() {
    let look = Look {
        is_coloured: true,
        width: None,
    };
    let lines = positions(look);
    assert!(lines[0].starts_with("\u{1b}[1mposition\u{1b}[0m    "));
    assert!(lines[1].contains("AB  \u{1b}[32mwin\u{1b}[0m     1,000"));
    assert!(lines[2].contains("  \u{1b}[2m-\u{1b}[0m      "));
    let plain = lines.iter().map(|line| console::strip_ansi_codes(line));
    assert!(plain.eq(positions(Look::default())), "{lines:?}");
}

#[test]
fn long_positions_are_cut_to_the_width_of_a_terminal() {
    assert_eq!(positions(cut_at(80)), positions(Look::default()));
    assert_eq!(
        positions(cut_at(28)),
        [
            "position       normal      n",
            "0*30.1a1a|AB…  win     1,000",
            "0*5            -           7"
        ]
    );
    assert_eq!(positions(cut_at(10))[1], "0*30.1a1a…");
}

fn growing(look: Look) -> Vec<String> {
    let mut rows = Rows {
        look,
        ..Rows::new(false, &[8, 7, 6])
    };
    let rows = [["0*5", "win", "1 s"], ["0*3.1a1a+0*4", "unknown", "2.5 s"]].map(
        |[position, outcome, time]| {
            rows.next(&[
                text("position", position),
                text("outcome", outcome),
                number("time", time),
            ])
        },
    );
    rows.concat()
}

#[test]
fn whole_where_nobody_looks() {
    assert_eq!(
        growing(Look::default()),
        [
            "position  outcome    time",
            "0*5       win         1 s",
            "0*3.1a1a+0*4  unknown   2.5 s"
        ]
    );
}

#[test]
fn rows_are_cut_at_the_width_of_a_terminal() {
    assert_eq!(
        growing(cut_at(27))[1..],
        ["0*5       win         1 s", "0*3.1a1a+…  unknown   2.5 s"]
    );
    for width in 0..40 {
        for line in growing(cut_at(width)) {
            assert!(console::measure_text_width(&line) <= width.max(1), "{line}");
        }
    }
}
