use super::*;

#[test]
fn proof_numbers() {
    assert_eq!([12, u32::MAX].map(number), ["12", "inf"]);
}

#[test]
fn columns_align_whatever_the_script() {
    let rows = [["name", "n"], ["東京", "7"], ["a\u{1b}[2J", "1,000"]];
    let rows = rows.map(|row| row.map(str::to_owned).to_vec());
    assert_eq!(
        columns(&rows, 1..2),
        ["name       n", "東京       7", "a?[2J  1,000"]
    );
}

fn positions(look: Look) -> Vec<String> {
    let rows = [["0*30.1a1a|AB2.AB", "win", "1,000"], ["0*5", "-", "7"]];
    table(
        &["position", "normal", "n"],
        rows.map(|row| row.map(str::to_owned).to_vec()),
        2..3,
        look,
    )
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
    let cut = |width| {
        positions(Look {
            is_coloured: false,
            width: Some(width),
        })
    };
    assert_eq!(cut(80), positions(Look::default()));
    assert_eq!(
        cut(28),
        [
            "position       normal      n",
            "0*30.1a1a|AB…  win     1,000",
            "0*5            -           7"
        ]
    );
    assert_eq!(cut(10)[1], "0*30.1a1a…");
}
