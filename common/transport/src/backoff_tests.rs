use super::*;

fn seeded(seed: u64) -> Backoff {
    Backoff {
        random: fastrand::Rng::with_seed(seed),
        ..Backoff::new()
    }
}

#[test]
fn waits_are_random_below_a_ceiling_that_doubles_up_to_a_limit() {
    let mut ceiling = Backoff::FIRST;
    let mut backoffs: Vec<Backoff> = (0..100).map(seeded).collect();
    for _ in 0..12 {
        let waits: Vec<_> = backoffs.iter_mut().map(Backoff::draw).collect();
        assert!(waits.iter().all(|wait| *wait <= ceiling), "{waits:?}");
        let (least, most) = (waits.iter().min(), waits.iter().max());
        assert!(least < Some(&(ceiling / 4)), "{waits:?}");
        assert!(most > Some(&(ceiling * 3 / 4)), "{waits:?}");
        ceiling = (ceiling * 2).min(Backoff::LONGEST);
    }
    assert_eq!(ceiling, Backoff::LONGEST);
}

#[test]
fn a_success_makes_waits_short_again() {
    let mut backoff = seeded(1);
    for _ in 0..20 {
        backoff.draw();
    }
    backoff.reset();
    assert!(backoff.draw() <= Backoff::FIRST);
}

#[test]
fn a_seed_fixes_all_waits() {
    let draws = |mut backoff: Backoff| (0..9).map(|_| backoff.draw()).collect::<Vec<_>>();
    assert_eq!(draws(seeded(7)), draws(seeded(7)));
    assert_ne!(draws(seeded(7)), draws(seeded(8)));
}
