use super::*;

#[test]
fn what_was_kept_without_a_history_is_read() {
    let kept = r#"{"position":"0*9","play":"misere","nimber":false,"priority":2,
        "started_at":5,"status":"paused","outcome":null,"found_nimber":null,"seconds":1.5,
        "expansions":70,"records":8,"seconds_left":null,"fault":null}"#;
    let saved: Saved = serde_json::from_str(kept).expect("a computation");
    let computation = saved.restore(None, Instant::now()).expect("a position");
    assert_eq!(computation.history, History::default());
    assert_eq!(computation.progress().expansions, 70);
}
