use super::*;

#[tokio::test]
async fn a_search_that_panics_says_so() {
    let panicked = blocking(|| panic!("no such land")).await;
    let error = panicked.expect_err("it panicked").to_string();
    assert!(error.contains("no such land"), "{error}");
}
