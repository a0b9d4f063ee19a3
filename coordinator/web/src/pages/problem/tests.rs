use super::*;

#[test]
fn the_caret_stands_under_what_is_wrong() {
    assert_eq!(Caret("0*x", Some(3)).to_string(), "0*x\n  ^");
    assert_eq!(Caret("0*x", None).to_string(), "0*x");
    let long = "0.".repeat(60);
    let shown = Caret(&long, Some(101)).to_string();
    let (text, caret) = shown.split_once('\n').expect("two lines");
    assert!(text.starts_with('…') && text.chars().count() < 70);
    assert_eq!(caret.chars().count(), AROUND + 2);
}

#[test]
fn problems_of_positions_name_the_column() {
    assert!(Problem::of_position("0*8").is_none());
    let problem = Problem::of_position("0*8;").expect("no position");
    assert_eq!(problem.status, StatusCode::BAD_REQUEST);
    let page = problem.content().into_string();
    assert!(page.contains("0*8;\n   ^"), "{page}");
    assert!(Problem::of_position("chess:e4").is_some());
}
