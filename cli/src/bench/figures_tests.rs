use sproutnet_solver::play::Outcome;

use super::*;
use crate::bench::suites::subject;

fn run(seconds: f64, outcome: Option<Outcome>) -> Run {
    Run {
        outcome,
        nimber: None,
        seconds,
        cpu_seconds: seconds,
        visits: 1,
        expansions: 30,
        lands: 4,
        land_bytes: 400,
        records: 0,
        peak_memory: Some(seconds as u64),
    }
}

#[test]
fn the_median_is_in_the_middle() {
    let subject = subject("0*3".to_owned(), Play::Normal).expect("a position");
    let figures = |times: &[f64]| {
        let runs: Vec<_> = times
            .iter()
            .map(|&time| run(time, Some(Outcome::Win)))
            .collect();
        Figures::of(&subject, &runs).expect("they agree")
    };
    let three = figures(&[9.0, 2.0, 3.0]);
    let times = [three.seconds, three.fastest, three.slowest];
    assert_eq!(times.map(thousandths), [3000, 2000, 9000]);
    assert_eq!(three.peak_memory, Some(9));
    assert_eq!(thousandths(three.expansions_per_second), 10_000);
    assert_eq!(three.bytes_per_land, 100);
    assert_eq!(thousandths(figures(&[4.0, 2.0]).seconds), 3000);
    assert_eq!(thousandths(figures(&[4.0]).seconds), 4000);
}

fn thousandths(number: f64) -> u64 {
    (number * 1e3).round() as u64
}

#[test]
fn outcomes_have_to_agree() {
    let subject = subject("0*3".to_owned(), Play::Normal).expect("a position");
    let (win, loss) = (run(1.0, Some(Outcome::Win)), run(2.0, Some(Outcome::Loss)));
    assert!(Figures::of(&subject, &[win.clone(), loss]).is_err());
    let figures = Figures::of(&subject, &[win, run(2.0, None)]).expect("they do not disagree");
    assert_eq!(figures.outcome, Known::Unknown);
}
