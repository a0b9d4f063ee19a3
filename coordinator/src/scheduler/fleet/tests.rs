use super::*;

fn fleet_at_work(began: Instant) -> Fleet {
    let mut fleet = Fleet::default();
    let registration = Registration {
        name: "one".to_owned(),
        peer: String::new(),
        version: String::new(),
        cores: 1,
        slots: 1,
        identity: 1,
        source: SourceId::OWN,
        games: Games::All,
    };
    fleet.add(WorkerId(1), registration, began);
    let totals = Totals {
        expansions: 1000,
        ..Totals::default()
    };
    let reported = began + Duration::from_secs(1);
    fleet.hear(WorkerId(1), reported);
    fleet.update(WorkerId(1), totals, reported);
    fleet
}

#[test]
fn a_silent_worker_has_no_rate() {
    let began = Instant::now();
    let fleet = fleet_at_work(began);
    let rate = |seconds| {
        let now = began + Duration::from_secs(seconds);
        fleet
            .present(now)
            .next()
            .map(|(_, worker)| worker.rate(now))
    };
    assert!(rate(2).is_some_and(|rate| rate > 0.0));
    assert_eq!(rate(50), Some(0.0), "it is still listed");
    assert_eq!(rate(62), None);
}

#[test]
fn the_work_of_a_worker_that_ended_still_counts() {
    let began = Instant::now();
    let mut fleet = fleet_at_work(began);
    assert!(fleet.remove(WorkerId(1)).is_some());
    assert_eq!(fleet.present(began).count(), 0);
    assert_eq!(fleet.done().expansions, 1000);
}
