use super::*;
use crate::extract::position;

#[test]
fn the_caret_stands_under_what_is_wrong() {
    assert_eq!(caret("0*x", Some(3)), "0*x\n  ^");
    assert_eq!(caret("0*x", None), "0*x");
    let long = "0.".repeat(60);
    let shown = caret(&long, Some(101));
    let (text, below) = shown.split_once('\n').expect("two lines");
    assert!(text.starts_with('…') && text.chars().count() < 70);
    assert_eq!(below.chars().count(), AROUND + 2);
}

#[test]
fn problems_of_positions_name_the_column() {
    assert!(position("0*8").is_ok());
    let problem = position("0*8;").err().expect("no position");
    assert_eq!(problem.status, StatusCode::BAD_REQUEST);
    let page = content(&problem).into_string();
    assert!(page.contains("0*8;\n   ^"), "{page}");
    assert!(position("chess:e4").is_err());
}
