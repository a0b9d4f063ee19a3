use super::*;

fn plan(audit: AuditShare) -> AuditPlan {
    AuditPlan::new(audit, 1)
}

fn drain(plan: &AuditPlan) -> Vec<Claim> {
    std::iter::from_fn(|| plan.next(Duration::ZERO)).collect()
}

fn report(plan: &AuditPlan, source: u32, records: u64) -> usize {
    let keys: Vec<[u8; 8]> = (0..records).map(u64::to_be_bytes).collect();
    plan.draw(SourceId(source), keys.iter().map(|key| (&key[..], 1)));
    let drawn = drain(plan);
    let count = drawn.len();
    for claim in drawn {
        plan.note(claim, AuditVerdict::Confirmed);
    }
    count
}

#[test]
fn all_of_a_new_worker_is_audited_and_less_of_one_that_earned_trust() {
    let plan = plan(AuditShare::default());
    assert_eq!(report(&plan, 1, 10), 10);
    for _ in 0..500 {
        report(&plan, 1, 1000);
    }
    let share = plan.share(SourceId(1));
    assert!((0.02..0.04).contains(&share), "{share}");
    let drawn: usize = (0..20).map(|_| report(&plan, 1, 1000)).sum();
    assert!((400..800).contains(&drawn), "{drawn} of 20,000");
    // Trust is per worker.
    assert_eq!(report(&plan, 2, 10), 10);
}

#[test]
fn doubt_takes_all_trust_away_and_comes_first() {
    let plan = plan(AuditShare::default());
    report(&plan, 1, 4000);
    assert!(plan.share(SourceId(1)) < 0.5);
    plan.draw(SourceId(2), std::iter::once((&b"other"[..], 1)));
    plan.doubt([Claim::new(SourceId(1), b"doubted", 3)]);
    let first = plan.next(Duration::ZERO).expect("two wait");
    assert_eq!(&*first.key, b"doubted");
    assert_eq!(plan.share(SourceId(1)), 1.0);
    plan.note(first, AuditVerdict::Contradicted);
    assert_eq!(plan.counts().contradicted, 1);
}

#[test]
fn what_was_not_decided_earns_nothing_and_is_tried_again_with_a_larger_bound() {
    let plan = plan(AuditShare::default());
    plan.draw(SourceId(1), std::iter::once((&b"hard"[..], 1)));
    let mut visits = Vec::new();
    while let Some(claim) = plan.next(Duration::ZERO) {
        visits.push(claim.visits());
        plan.note(claim, AuditVerdict::Open);
    }
    assert!(visits.len() > 1 && visits.is_sorted_by(|a, b| a < b));
    assert_eq!(plan.share(SourceId(1)), 1.0);
    let counts = plan.counts();
    assert_eq!(counts.undecided, visits.len() as u64);
    assert_eq!((counts.given_up, counts.confirmed), (1, 0));
}

#[test]
fn without_room_the_share_falls() {
    let plan = plan(AuditShare::default());
    let keys: Vec<[u8; 8]> = (0..100_000u64).map(u64::to_be_bytes).collect();
    plan.draw(SourceId(1), keys.iter().map(|key| (&key[..], 1)));
    let counts = plan.counts();
    assert_eq!(counts.waiting + counts.skipped, 100_000);
    assert!(counts.waiting < 10_000, "{counts:?}");
}

#[test]
fn the_same_seed_draws_the_same() {
    let draw = || {
        let plan = AuditPlan::new(AuditShare::constant(0.1), 5);
        let keys: Vec<[u8; 8]> = (0..1000u64).map(u64::to_be_bytes).collect();
        plan.draw(SourceId(1), keys.iter().map(|key| (&key[..], 1)));
        drain(&plan)
    };
    assert_eq!(draw(), draw());
    assert!((60..140).contains(&draw().len()));
}
