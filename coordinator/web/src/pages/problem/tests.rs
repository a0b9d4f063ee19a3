use super::*;
use crate::extract::position;

#[test]
fn problems_of_positions_name_the_column() {
    assert!(position("0*8").is_ok());
    let problem = position("0*8;").err().expect("no position");
    assert_eq!(problem.status, StatusCode::BAD_REQUEST);
    let page = content(&problem, None).into_string();
    assert!(page.contains("0*8;\n   ^"), "{page}");
    assert!(position("chess:e4").is_err());
}
