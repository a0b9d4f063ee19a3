//! A check ends soon after it is stopped, whatever the certificate makes the checker do.

use std::io::{BufReader, Read};
use std::thread;
use std::time::{Duration, Instant};

use sproutnet_certificate::theory::{self, Theory, TheoryError};
use sproutnet_certificate::{Options, Progress, VerifyError, verify_watched};
use sproutnet_notation::{Outcome, Play};
use sproutnet_testkit::certificates::{certificate, endless_land};

/// The least duration of each check without a stop. Most would take for ever.
const WORK: Duration = Duration::from_millis(200);

/// The maximum duration of a stopped check, on a busy machine too.
const SOON: Duration = Duration::from_secs(2);

const OPTIONS: Options = Options {
    cores: 2,
    memory: 1 << 28,
};

/// Checks a file for a while, stops the check, and returns its duration after the stop.
fn stopped(what: &str, file: impl Read + Send) -> Duration {
    let progress = Progress::default();
    thread::scope(|scope| {
        let file = BufReader::new(file);
        let check = scope.spawn(|| verify_watched(file, &OPTIONS, &progress));
        thread::sleep(WORK);
        assert!(!check.is_finished(), "{what}: {:?}", check.join());
        progress.stop();
        let start = Instant::now();
        let checked = check.join().expect("no panic");
        assert!(
            matches!(checked, Err(VerifyError::Stopped)),
            "{what}: {checked:?}"
        );
        start.elapsed()
    })
}

/// A land with `petals` regions, each linked to a common one by two letters: alike, in all orders.
fn flower(petals: usize) -> String {
    let name = |k: usize| format!("n({})", k + 1);
    let pairs: Vec<String> = (0..petals)
        .map(|k| format!("{}{}", name(2 * k), name(2 * k + 1)))
        .collect();
    let inside: Vec<String> = pairs.iter().map(|pair| format!("0.{pair}")).collect();
    format!("{}|{}", pairs.join("."), inside.join("|"))
}

/// A land of rings of regions: pairs of rings of three, and rings of six. Each region is linked to both its neighbours
/// and to a middle. Spot by spot they look the same, so that each is tried in all orders.
fn rings(sixes: usize) -> String {
    let name = |k: usize| format!("n({})", k + 1);
    let mut regions = Vec::new();
    for ring in 0..sixes {
        let (first, length) = (12 * ring, if ring % 2 == 0 { 3 } else { 6 });
        for k in 0..6 {
            let next = k / length * length + (k + 1) % length;
            let [here, next, middle] = [k, next, 6 + k].map(|k| name(first + k));
            regions.push(format!("{here}{next}{middle}"));
        }
    }
    let middle: Vec<String> = (0..12 * sixes).filter(|k| k % 12 >= 6).map(name).collect();
    format!("{}|{}", middle.join("."), regions.join("|"))
}

#[test]
fn a_check_ends_soon_after_it_is_stopped() {
    let flower = format!("{} = 0", flower(80));
    let rings = format!("{} = 0", rings(40));
    let nimber = format!("{} = 0", endless_land());
    let lost = format!("{} lost", endless_land());
    for (what, play, position, small, facts) in [
        (
            "many ways to share out boundaries",
            Play::Normal,
            "0*9",
            0,
            &[&*nimber][..],
        ),
        ("symmetries", Play::Normal, "0*9", 0, &[&*flower]),
        (
            "symmetries that are none",
            Play::Normal,
            "0*9",
            0,
            &[&*rings],
        ),
        ("lands to be valued", Play::Misere, "0*33", 99, &[]),
        ("a lost land", Play::Misere, "0*300", 0, &[&*lost]),
        ("a value", Play::Misere, "0*300", 0, &[&*nimber]),
    ] {
        let file = certificate(play, position, Outcome::Win, small, facts);
        let took = stopped(what, &file[..]);
        println!("{what}: {} bytes, ended in {took:?}", file.len());
        assert!(took < SOON, "{what}: {took:?}");
    }
}

/// The text of a certificate of the tests with more heaps, which follow from its period.
fn longer(name: &str, heaps: usize) -> String {
    let path = format!("{}/tests/theory/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).expect("a file");
    let more = |stated: usize, length: u32| (stated..heaps).map(move |size| size - length as usize);
    match theory::verify(&text[..], 1).expect("accepted") {
        Theory::Period(mut of) => {
            let period = more(of.nimbers.len(), of.length);
            period.for_each(|like| of.nimbers.push(of.nimbers[like]));
            of.to_string()
        }
        Theory::Quotient(mut of) => {
            let (_, length) = of.period.expect("a period");
            more(of.values.len(), length).for_each(|like| of.values.push(of.values[like]));
            of.to_string()
        }
    }
}

#[test]
fn checks_of_theory_end_when_they_are_stopped() {
    for (name, heaps) in [("kayles.period", 1_000_000), ("kayles.quotient", 10_000)] {
        let text = longer(name, heaps);
        let progress = Progress::default();
        thread::scope(|scope| {
            let check = scope.spawn(|| theory::verify_watched(text.as_bytes(), 1, &progress));
            thread::sleep(WORK);
            assert!(!check.is_finished(), "{name}: {:?}", check.join());
            progress.stop();
            let start = Instant::now();
            let checked = check.join().expect("no panic");
            assert!(
                matches!(checked, Err(TheoryError::Stopped)),
                "{name}: {checked:?}"
            );
            assert!(start.elapsed() < SOON, "{name}: {:?}", start.elapsed());
        });
    }
}
