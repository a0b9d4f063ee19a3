use super::*;

/// The number of matches that are looked at.
const MATCHES: usize = 4000;

fn chances() -> impl Iterator<Item = Chance> {
    (0..MATCHES).map(|seed| Chance::at(&format!("3?seed={seed}")))
}

#[test]
fn the_solver_moves_at_random_as_often_as_it_says() {
    for (level, expected) in [
        (Level::Perfect, 0.0),
        (Level::Quarter, 0.25),
        (Level::Careless, 1.0 / 3.0),
        (Level::Half, 0.5),
        (Level::Random, 1.0),
    ] {
        let random = chances().filter(|chance| chance.is_random(level)).count();
        let share = random as f64 / MATCHES as f64;
        assert!((share - expected).abs() < 0.03, "{level:?}: {share}");
    }
}

#[test]
fn all_choices_are_as_likely_and_stay_the_same() {
    let texts = ["0.1a1a", "0.AB|0.AB", "0*2.AB"];
    let mut counts = [0; 3];
    for chance in chances() {
        let chosen = chance.choose(texts.into_iter()).expect("a text");
        let place = texts.iter().position(|text| *text == chosen);
        counts[place.expect("one of them")] += 1;
        // Neither their order matters, nor one that was not chosen.
        let turned = chance.choose(texts.into_iter().rev());
        assert_eq!(turned.as_deref(), Some(&*chosen));
        let alone = chance.choose([&*chosen].into_iter());
        assert_eq!(alone, turned);
    }
    let share = |count| f64::from(count) / MATCHES as f64;
    assert!(
        counts
            .iter()
            .all(|&count| (share(count) - 1.0 / 3.0).abs() < 0.03),
        "{counts:?}"
    );
}

#[test]
fn a_seed_is_written_as_it_is_read() {
    let seed = Seed::try_from("9999".to_owned()).expect("a seed");
    assert_eq!(seed.to_string(), "&seed=9999");
    assert_eq!(seed.next(), Seed::default());
    assert_eq!(Seed::default().to_string(), "");
    assert!(Seed::try_from("x".to_owned()).is_err());
    for random in [0, 9998, u32::MAX] {
        assert_ne!(Seed::from_random(random), Seed::default());
    }
}
