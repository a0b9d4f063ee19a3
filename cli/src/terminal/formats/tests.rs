use super::*;

const HEADING: [&str; 2] = ["position", "cited_by"];

fn rows() -> Vec<Vec<Cell>> {
    vec![
        vec!["0*2".into(), Cell::citing("A, B", vec!["a1", "b2"])],
        vec!["12}|\"!".into(), "50% & more_{x}".into()],
    ]
}

#[test]
fn csv_quotes_what_would_be_misread() {
    assert_eq!(
        csv(&HEADING, &rows()),
        [
            "position,cited_by",
            "0*2,\"A, B\"",
            "\"12}|\"\"!\",50% & more_{x}",
        ]
    );
}

#[test]
fn markdown_has_a_line_under_the_heading() {
    assert_eq!(
        markdown(&HEADING, &rows()),
        [
            "| position | cited\\_by |",
            "|---|---|",
            "| 0\\*2 | A, B |",
            "| 12}\\|\"! | 50% \\& more\\_{x} |",
        ]
    );
}

#[test]
fn latex_escapes_its_own_letters() {
    assert_eq!(
        latex(&HEADING, &rows()),
        [
            "\\begin{tabular}{ll}",
            "\\hline",
            "position & cited\\_by \\\\",
            "\\hline",
            "0*2 & A, B~\\cite{a1,b2} \\\\",
            "12\\}\\textbar{}\"! & 50\\% \\& more\\_\\{x\\} \\\\",
            "\\hline",
            "\\end{tabular}",
        ]
    );
}

#[test]
fn a_table_may_have_no_rows() {
    assert_eq!(csv(&HEADING, &[]), ["position,cited_by"]);
    assert_eq!(markdown(&HEADING, &[]).len(), 2);
    assert_eq!(latex(&HEADING, &[]).len(), 6);
}
