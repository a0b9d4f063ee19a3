use super::*;

#[test]
fn what_was_kept_without_a_history_is_read() {
    let kept = r#"{"position":"0*9","play":"misere","nimber":false,"priority":2,
        "started_at":5,"status":"paused","outcome":null,"found_nimber":null,"seconds":1.5,
        "expansions":70,"records":8,"seconds_left":null,"fault":null}"#;
    let saved: Saved = serde_json::from_str(kept).expect("a computation");
    let computation = saved.restore(Instant::now()).expect("a position");
    assert_eq!(computation.history, History::default());
    assert_eq!(computation.progress().expansions, 70);
    assert_eq!(computation.account().weight().get(), 1);
    assert_eq!((&*computation.owner, &*computation.label), ("", ""));
}

#[test]
fn a_land_that_is_a_number_is_read_as_it_was_kept() {
    let now = Instant::now();
    for position in ["0+12", "0*1+12}"] {
        let kept = format!(
            r#"{{"position":"{position}","play":"misere","nimber":false,"priority":2,
            "started_at":5,"status":"paused","outcome":null,"found_nimber":null,"seconds":1.5,
            "expansions":70,"records":8,"seconds_left":null,"fault":null}}"#
        );
        let saved: Saved = serde_json::from_str(&kept).expect("a computation");
        let computation = saved.restore(now).expect("a position");
        assert_eq!(Saved::of(&computation, now).position, "0*1+12}");
    }
}

#[test]
fn a_computation_of_a_position_that_cannot_occur_has_failed() {
    for (position, status) in [
        ("0.abcabc", Status::Failed),
        ("12", Status::Running),
        ("ABC|0*2.A.B|0.1aCa", Status::Failed),
    ] {
        let kept = format!(
            r#"{{"position":"{position}","play":"normal","nimber":false,"priority":2,
            "started_at":5,"status":"running","outcome":null,"found_nimber":null,"seconds":1.5,
            "expansions":70,"records":8,"seconds_left":null,"fault":null}}"#
        );
        let saved: Saved = serde_json::from_str(&kept).expect("a computation");
        let restored = saved.restore(Instant::now()).expect(position);
        let progress = restored.progress();
        assert_eq!(progress.status, status, "{position}");
        let fault = progress.fault.unwrap_or_default();
        assert_eq!(fault.contains("plane"), status == Status::Failed, "{fault}");
    }
}

#[test]
fn a_revoked_result_leaves_no_trace_in_the_numbers_and_the_time_of_work() {
    let now = Instant::now();
    let request = Request {
        game: "sprouts",
        position: game::parse("0*8").expect("a position").1,
        play: Play::Normal,
        nimber: false,
    };
    let mut computation = Computation::new(request, 5);
    computation.count_time(now);
    let solved = Solved {
        game: "sprouts".to_owned(),
        position: "0*8".to_owned(),
        play: Play::Normal,
        outcome: Outcome::Loss,
        nimber: Some(0),
        seconds: 2.0,
        expansions: 70,
        records: 8,
        solved_at: 0,
        computation: None,
    };
    computation.conclude(&solved, Source::Search);
    assert!(computation.revoke(false));
    let later = now + Duration::from_mins(60);
    let restored = Saved::of(&computation, later).restore(later);
    let progress = restored.expect("a position").progress();
    assert_eq!(progress.status, Status::Running);
    assert_eq!(progress.root, Numbers::UNLIMITED);
    assert!((progress.seconds - 2.0).abs() < 1e-9, "{progress:?}");
}
