use super::*;

fn table(width: Option<usize>) -> Vec<String> {
    let look = Look {
        is_coloured: false,
        width,
    };
    let mut rows = Rows::new(&["position", "outcome", "time"], &[8, 7, 6], 2..3, look);
    let rows = [["0*5", "win", "1 s"], ["0*3.1a1a+0*4", "unknown", "2.5 s"]]
        .map(|row| rows.next(&row.map(str::to_owned)));
    rows.concat()
}

#[test]
fn whole_where_nobody_looks() {
    assert_eq!(
        table(None),
        [
            "position  outcome    time",
            "0*5       win         1 s",
            "0*3.1a1a+0*4  unknown   2.5 s"
        ]
    );
}

#[test]
fn cut_at_the_width_of_a_terminal() {
    assert_eq!(
        table(Some(27))[1..],
        ["0*5       win         1 s", "0*3.1a1a+…  unknown   2.5 s"]
    );
    for width in 0..40 {
        for line in table(Some(width)) {
            assert!(console::measure_text_width(&line) <= width.max(1), "{line}");
        }
    }
}
