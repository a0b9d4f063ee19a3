use super::*;

fn at(seconds: f64) -> Sample {
    Sample {
        seconds,
        expansions: (seconds * 1000.0) as u64,
        records: 7,
        root: Numbers::UNLIMITED,
    }
}

/// A history with `times` notes, `every` seconds apart.
fn noted(every: f64, times: u32) -> History {
    let mut history = History::default();
    for n in 0..times {
        history.note(at(f64::from(n) * every));
        assert!(history.samples.len() <= MOST);
    }
    history
}

#[test]
fn samples_stay_few_in_order_and_apart() {
    for (every, times) in [
        (0.01, 100),
        (0.1, 5_000),
        (0.25, 240),
        (0.1, 400_000),
        (60.0, 999),
    ] {
        let history = noted(every, times);
        let samples = history.samples();
        assert_eq!(samples[0].seconds.to_bits(), 0_f64.to_bits());
        for pair in samples.windows(2) {
            let apart = pair[1].seconds - pair[0].seconds;
            assert!(apart >= history.interval - 1e-9, "{every} {times}: {apart}");
        }
        // At the end, at most an interval is missing, or one that was dropped.
        let end = every * f64::from(times - 1);
        let last = samples[samples.len() - 1].seconds;
        assert!(
            end - last <= history.interval.max(every) * 2.0,
            "{end} {last}"
        );
    }
}

#[test]
fn paces_are_of_the_last_minute_the_last_hour_and_all_work() {
    // Ten hours at a rate that doubles after nine.
    let mut history = History::default();
    let expansions = |seconds: f64| (seconds + (seconds - 32_400.0).max(0.0)) as u64 * 100;
    for minute in 0..600 {
        let seconds = f64::from(minute) * 60.0;
        history.note(Sample {
            expansions: expansions(seconds),
            ..at(seconds)
        });
    }
    let now = Progress {
        seconds: 36_000.0,
        expansions: expansions(36_000.0),
        records: 7,
        ..Progress::default()
    };
    let paces = history.paces(&now);
    assert_eq!(paces.len(), 3, "{paces:?}");
    assert!(
        paces.is_sorted_by(|a, b| a.seconds < b.seconds),
        "{paces:?}"
    );
    let rates: Vec<f64> = paces.iter().map(|pace| pace.expansions.round()).collect();
    assert_eq!(rates, [200.0, 200.0, 110.0], "{paces:?}");
    assert!(
        paces[0].seconds >= 60.0 && paces[1].seconds >= 3600.0,
        "{paces:?}"
    );
    assert!((paces[2].seconds - 36_000.0).abs() < 1e-9, "{paces:?}");
    // Nothing is told twice, and nothing of no time.
    let soon = Progress {
        seconds: 30.0,
        expansions: 3_000,
        ..Progress::default()
    };
    assert_eq!(History::default().paces(&soon).len(), 1);
    assert_eq!(History::default().paces(&Progress::default()), []);
}

#[test]
fn a_long_history_is_at_least_half_full() {
    for times in [241, 1_000, 5_000, 100_000] {
        assert!(noted(0.25, times).samples().len() >= MOST / 2);
    }
}

#[test]
fn an_end_is_always_there_and_replaces_what_is_not_before_it() {
    let mut history = noted(0.25, 9);
    history.note_end(at(2.0001));
    assert_eq!(history.samples().len(), 9);
    history.note_end(at(2.001));
    history.note_end(at(2.0012));
    assert_eq!(history.samples().len(), 10);
    history.note_end(at(1.9));
    let seconds: Vec<f64> = history.samples().iter().map(|s| s.seconds).collect();
    assert!(seconds.is_sorted_by(|a, b| a < b), "{seconds:?}");
    assert_eq!(seconds.last(), Some(&1.9));
}

#[test]
fn rates_are_averages_of_what_was_done() {
    assert_eq!(History::default().rates(), []);
    for (every, times) in [(0.25, 3), (0.25, 200), (0.25, 50_000), (60.0, 7)] {
        let rates = noted(every, times).rates();
        assert!(!rates.is_empty(), "{every} {times}");
        for (_, rate) in rates {
            assert!((rate - 1000.0).abs() < 1.0, "{every} {times}: {rate}");
        }
    }
}

#[test]
fn it_is_written_and_read_again() {
    let history = noted(0.25, 700);
    let text = serde_json::to_string(&history).expect("JSON");
    assert!(text.len() < 40 * MOST, "{}", text.len());
    let read: History = serde_json::from_str(&text).expect("a history");
    assert_eq!(read, history);
}
