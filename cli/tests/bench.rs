//! `sproutnet bench`: tables and JSON, counts that can be repeated, and bad input.

use serde_json::Value;

use crate::command::{Ended, LONG, Running, answered, bare, column, published};

/// The figures that depend only on the seed.
const COUNTS: [&str; 6] = [
    "outcome",
    "nimber",
    "visits",
    "expansions",
    "lands",
    "records",
];

fn bench(arguments: &[&str]) -> Ended {
    Running::start(bare(&[&["bench"], arguments].concat())).end(LONG)
}

/// The header of a benchmark, and the figures of its positions.
fn figures(arguments: &[&str]) -> (Value, Vec<Value>) {
    let ended = bench(&[arguments, &["--json"]].concat()).with_code(0);
    let mut lines = ended.json();
    lines.retain(|line| line["total_expansions"].is_null());
    (lines.remove(0), lines)
}

fn counts(lines: &[Value]) -> Vec<Vec<Value>> {
    COUNTS.map(|field| column(lines, field)).into()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_quick_suite() {
    let (head, lines) = figures(&["--suite", "quick"]);
    assert_eq!(head["suite"], "quick");
    assert_eq!((&head["threads"], &head["seed"]), (&1.into(), &0.into()));
    assert!(head["machine"].is_string() && head["commit"].is_string());
    let mut expected = published(13);
    expected.retain(|(position, play, _)| {
        let large = ["0*8", "0*9", "0*10", "0*11", "0*12", "0*13"];
        play.name() == "normal" && large.contains(&position.as_str())
    });
    assert_eq!(answered(&lines), expected);
    for line in &lines {
        assert!(number(&line["seconds"]) > 0.0, "{line}");
        let rate = number(&line["expansions"]) / number(&line["seconds"]);
        let told = number(&line["expansions_per_second"]);
        assert!((told / rate - 1.0).abs() < 1e-6, "{line}");
        assert!(number(&line["lands"]) > number(&line["records"]), "{line}");
        assert!(number(&line["bytes_per_land"]) > 10.0, "{line}");
        if cfg!(target_os = "linux") {
            assert!(number(&line["peak_memory"]) > 1e6, "{line}");
        }
        let is_lost = line["outcome"] == "loss";
        assert_eq!(line["nimber"] == 0, is_lost, "{line}");
    }
}

#[test]
fn one_seed_gives_the_same_counts() {
    let arguments = ["3..=8", "--play", "both", "--seed"];
    let of_seed = |seed| counts(&figures(&[&arguments[..], &[seed]].concat()).1);
    let first = of_seed("7");
    assert_eq!(of_seed("7"), first);
    let other = of_seed("8");
    assert_ne!(other, first);
    assert_eq!(other[0], first[0], "the outcomes");
}

#[test]
fn runs_are_repeated_cold_and_warm() {
    for warm in [&[][..], &["--warm"]] {
        let once = figures(&[&["5..=7"], warm].concat()).1;
        let (head, thrice) = figures(&[&["5..=7", "--repeat", "3"], warm].concat());
        assert_eq!(head["repeat"], 3);
        assert_eq!(counts(&thrice), counts(&once));
        for line in &thrice {
            let times = ["fastest", "seconds", "slowest"].map(|field| number(&line[field]));
            assert!(times.is_sorted(), "{line}");
        }
    }
    // A known position takes no visit.
    let visits = |warm: &[&str]| {
        let lines = figures(&[&["0*7", "0*7"], warm].concat()).1;
        column(&lines, "visits")
    };
    let (cold, warm) = (visits(&[]), visits(&["--warm"]));
    assert_eq!(cold[0], cold[1]);
    assert_eq!(warm, [cold[0].clone(), 0.into()]);
}

#[test]
fn medians_of_several_seeds() {
    for warm in [&[][..], &["--warm"]] {
        let runs: Vec<_> = ["4", "5", "6"]
            .map(|seed| figures(&[&["5..=7", "--seed", seed], warm].concat()).1)
            .into();
        let arguments = [&["5..=7", "--seed", "4", "--seeds", "3", "--json"], warm].concat();
        let lines = bench(&arguments).with_code(0).json();
        assert_eq!(
            (&lines[0]["seed"], &lines[0]["seeds"]),
            (&4.into(), &3.into())
        );
        for (place, line) in lines[1..4].iter().enumerate() {
            for field in ["visits", "expansions", "lands", "records"] {
                let mut of_seeds: Vec<_> =
                    runs.iter().map(|run| number(&run[place][field])).collect();
                of_seeds.sort_by(f64::total_cmp);
                assert!((number(&line[field]) - of_seeds[1]).abs() < 0.5, "{line}");
            }
        }
        let total = |run: &Vec<Value>| -> u64 {
            let of = |line| number(line) as u64;
            column(run, "expansions").iter().map(of).sum()
        };
        let totals: Vec<u64> = runs.iter().map(total).collect();
        assert_eq!(lines[4]["total_expansions"], serde_json::json!(totals));
    }
}

#[test]
fn ideas_are_switched_off() {
    let without = |ideas: &str| {
        let (head, lines) = figures(&["0*10", "--without", ideas]);
        assert_eq!(
            head["without"].as_array().map(Vec::len),
            Some(ideas.split(',').count())
        );
        assert_eq!(lines[0]["outcome"], "win");
        number(&lines[0]["visits"])
    };
    let all = number(&figures(&["0*10"]).1[0]["visits"]);
    for idea in ["leaves", "epsilon", "sums", "exclusions", "lookups"] {
        assert!(
            (without(idea) - all).abs() > 0.5,
            "{idea} makes no difference"
        );
    }
    assert!(without("leaves,epsilon,sums,exclusions,lookups") > all);
}

#[test]
fn a_table_for_people() {
    let ended = bench(&["0*5", "kayles:20", "--play", "both", "--repeat", "2"]).with_code(0);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert!(lines[0].starts_with("machine "), "{ended:#?}");
    assert!(lines[1].starts_with("commit "), "{ended:#?}");
    assert!(lines[2].contains("cold, 1 thread, seed 0") && lines[2].contains("median of 2 runs"));
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        words(lines[4])[..4],
        ["position", "play", "outcome", "nimber"]
    );
    assert!(lines[4].contains("exp/record"), "{ended:#?}");
    assert!(lines[10].starts_with("all positions: "), "{ended:#?}");
    let starts: Vec<Vec<String>> = lines[5..9]
        .iter()
        .map(|line| words(line)[..3].into())
        .collect();
    assert_eq!(starts.len(), 4, "{ended:#?}");
    assert_eq!(starts[0], ["0*5", "normal", "win"]);
    assert_eq!(starts[1], ["0*5", "misere", "win"]);
    assert_eq!(starts[2][..2], ["kayles:20", "normal"]);
    assert!(!ended.stdout.contains('\u{1b}'), "{ended:#?}");
}

#[test]
fn the_rules_alone() {
    let lines = bench(&["--suite", "engine", "--json"]).with_code(0).json();
    let [head, engine] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!(head["suite"], "engine");
    assert_eq!(engine["lands"], 2000);
    assert!(number(&engine["options"]) > 2000.0, "{engine}");
    assert!(number(&engine["ns_per_option"]) > 1.0, "{engine}");
    let again = bench(&["--suite", "engine", "--json"]).with_code(0).json();
    for count in ["lands", "options", "lands_met"] {
        assert_eq!(again[1][count], engine[count]);
    }
}

#[test]
fn what_is_not_found_in_time_is_unknown() {
    let ended = bench(&["0*40", "0*3", "--deadline", "300ms", "--json"]).with_code(3);
    assert_eq!(column(&ended.json()[1..3], "outcome"), ["unknown", "win"]);
}

#[test]
fn what_cannot_be_measured() {
    // Arguments, and a part of the error message.
    let bad: [(&[&str], &str); 11] = [
        (&["0*x"], "column 3: "),
        (&["chess:3"], "no game called `chess`"),
        (&["0*3", "--suite", "quick"], "--suite names the positions"),
        (&["--suite", "slow"], "slow"),
        (&["--play", "misere"], "--play goes with positions"),
        (&["--suite", "engine", "--warm"], "--suite engine"),
        (&["0*3", "--repeat", "0"], "--repeat"),
        (&["0*3", "--seeds", "0"], "--seeds"),
        (&["0*3", "--without", "leaves,speed"], "found `speed`"),
        (&["0*3", "--memory", "99999999G"], "no room for a table"),
        (&["0*3", "--deadline", "0s"], "--deadline"),
    ];
    for (arguments, said) in bad {
        let refused = bench(arguments).with_code(2);
        assert!(refused.stderr.contains(said), "{refused:#?}");
        assert_eq!(refused.stdout, "", "{arguments:?}");
    }
}
