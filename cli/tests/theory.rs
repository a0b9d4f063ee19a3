//! `sproutnet sequence` and `quotient`, certificates of theory, and answers that need no search.

use std::fs;

use crate::command::run;
use serde_json::{Value, json};
use tempfile::tempdir;

#[test]
fn sequences() {
    let data = tempdir().expect("a folder");
    let json = run(
        data.path(),
        &["sequence", "octal(0.77)", "0-1000000", "--json"],
    );
    let found = json.with_code(0).json().remove(0);
    let nimbers = found["nimbers"].as_array().expect("a list");
    assert_eq!(nimbers.len(), 1_000_001);
    assert_eq!(
        nimbers[..12],
        [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6].map(Value::from)
    );
    assert_eq!(nimbers[1_000_000], nimbers[1_000_000 % 12 + 72]);
    let period = &found["period"];
    assert_eq!(
        (&period["from"], &period["length"]),
        (&71.into(), &12.into())
    );
    assert_eq!(period["verified_to"], 167);

    let text = run(data.path(), &["sequence", "dawson"])
        .with_code(0)
        .stdout;
    assert!(
        text.contains("octal(0.137): period 34 from 52 on, proved: G(n + 34)"),
        "{text}"
    );
    let csv = run(
        data.path(),
        &["sequence", "grundy", "3..=5", "--format", "csv"],
    );
    assert_eq!(csv.with_code(0).stdout, "heap,nimber\n3,1\n4,0\n5,2\n");
    let with = |format| {
        let asked = ["sequence", "grundy", "3..=5", "--format", format];
        run(data.path(), &asked).with_code(0).stdout
    };
    let markdown = "| heap | nimber |\n|---|---|\n| 3 | 1 |\n| 4 | 0 |\n| 5 | 2 |\n\ngrundy: no theorem of periods applies; the first 6 heaps were computed\n";
    assert_eq!(with("markdown"), markdown);
    let latex = with("latex");
    assert!(
        latex
            .starts_with("% grundy: no theorem of periods applies; the first 6 heaps were computed\n\\begin{tabular}{ll}\n"),
        "{latex}"
    );
    assert!(
        latex.contains("\n3 & 1 \\\\\n4 & 0 \\\\\n5 & 2 \\\\\n"),
        "{latex}"
    );
    let json = run(data.path(), &["sequence", "grundy", "3..=5", "--json"]);
    assert_eq!(with("json"), json.with_code(0).stdout);
    let file = data.path().join("plot.svg");
    let path = file.to_str().expect("a text");
    run(
        data.path(),
        &["sequence", "kayles", "--as", "svg", "-o", path],
    )
    .with_code(0);
    assert!(
        fs::read_to_string(file)
            .expect("it is there")
            .starts_with("<svg ")
    );

    for (arguments, problem) in [
        (&["sequence", "sprouts"][..], "not played with single heaps"),
        (&["sequence", "octal(0.79)"], "an octal code"),
        (&["sequence", "kayles", "x"], "a range of heaps"),
        (&["sequence", "0.77"], "octal(0.77)"),
        (
            &["sequence", "kayles", "--format", "svg", "-o", "x.png"],
            "written as SVG",
        ),
    ] {
        let refused = run(data.path(), arguments).with_code(2);
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
    }
}

#[test]
fn sequences_without_a_period_say_how_far_they_looked() {
    let data = tempdir().expect("a folder");
    let short = run(data.path(), &["sequence", "octal(0.165)"]).with_code(0);
    assert!(
        short.stdout.ends_with(
            "octal(0.165): no period is proved by the first 2,001 heaps; \
             `sproutnet sequence \"octal(0.165)\" 0-20000` looks further\n"
        ),
        "{short:?}"
    );
    let long = run(
        data.path(),
        &["sequence", "octal(0.165)", "0-20000", "--json"],
    );
    let long = long.with_code(0).json().remove(0);
    assert_eq!(
        (&long["period"]["from"], &long["period"]["length"]),
        (&5181.into(), &1550.into())
    );
    // What was found is printed, and the exit code is that of an unknown answer.
    let asked = [
        "sequence",
        "octal(0.6)",
        "0-5000",
        "--most-options",
        "20000",
    ];
    let stopped = run(data.path(), &[&asked[..], &["--json"]].concat()).with_code(3);
    let found = stopped.json().remove(0);
    let nimbers = found["nimbers"].as_array().expect("a list").len();
    assert!((100..5000).contains(&nimbers), "{found}");
    assert_eq!(found["computed"], nimbers);
    let why = found["stopped"].as_str().expect("a text");
    assert!(
        why.starts_with(&format!("stopped after heap {}: ", nimbers - 1)),
        "{why}"
    );
    let text = run(data.path(), &asked).with_code(3);
    assert!(text.stdout.starts_with("  0 | "), "{text:?}");
    assert!(
        text.stderr.contains("--most-options allows more"),
        "{text:?}"
    );
    // The time ends before the options do.
    let asked = ["sequence", "grundy", "0-10000000", "--deadline", "200ms"];
    let late = run(data.path(), &asked).with_code(3);
    assert!(late.stdout.contains("0 | "), "{late:?}");
    assert!(late.stderr.contains("--deadline allows more"), "{late:?}");
    // No heap at all was computed.
    let none = run(data.path(), &["sequence", "kayles", "--most-options", "0"]).with_code(3);
    assert!(
        none.stderr.contains("stopped before the first heap: "),
        "{none:?}"
    );
    // Nothing of the range was computed.
    let asked = [
        "sequence",
        "octal(0.6)",
        "4000-5000",
        "--most-options",
        "20000",
    ];
    let none = run(data.path(), &asked).with_code(3);
    assert_eq!(none.stdout, "");
}

#[test]
fn arithmetic_periods_reach_any_heap() {
    let data = tempdir().expect("a folder");
    let nim = run(
        data.path(),
        &["sequence", "nim", "999999-1000000", "--json"],
    );
    let nim = nim.with_code(0).json().remove(0);
    assert_eq!(nim["nimbers"], json!([999_999, 1_000_000]));
    assert_eq!(nim["period"]["saltus"], 1);
    let lasker = run(data.path(), &["sequence", "lasker", "0-9"]).with_code(0);
    assert!(
        lasker.stdout.contains(
            "\noctal(4.3...): arithmetic period 4 with saltus 4 from 1 on, proved: G(n + 4) = G(n) + 4 for n from 1"
        ),
        "{lasker:?}"
    );
    let query = run(data.path(), &["query", "lasker:9999+10000", "--json"]);
    // Who wins under misère play is unknown.
    let query = query.with_code(3).json().remove(0);
    // 10,000 xor 9,999
    assert_eq!(query["nimber"], 31);
}

#[test]
fn sequences_as_b_files() {
    let data = tempdir().expect("a folder");
    let asked = ["sequence", "hexadecimal(0.F)", "1-4", "--format", "bfile"];
    let file = run(data.path(), &asked).with_code(0).stdout;
    let (comment, lines) = file.split_once('\n').expect("lines");
    assert!(
        comment.starts_with("# hexadecimal(0.F): period 2 from 0 on"),
        "{file}"
    );
    assert_eq!(lines, "1 1\n2 0\n3 1\n4 0\n");
}

#[test]
fn sequences_of_families_are_solved() {
    let data = tempdir().expect("a folder");
    let cram = run(
        data.path(),
        &["sequence", "cram:3xN", "1-4", "--format", "csv"],
    );
    assert_eq!(cram.with_code(0).stdout, "N,nimber\n1,1\n2,1\n3,0\n4,1\n");
    // Cycles begin with three vertices.
    let cycles = run(
        data.path(),
        &["sequence", "node-kayles:cycle(N)", "0-6", "--json"],
    );
    let cycles = cycles.with_code(0).json().remove(0);
    assert_eq!(
        (&cycles["first"], &cycles["nimbers"]),
        (&3.into(), &json!([1, 0, 0, 0]))
    );
    let sprouts = run(data.path(), &["sequence", "0*N", "0-6"]).with_code(0);
    assert_eq!(sprouts.stdout, "0 | 0 0 0 1 1 1 0\n\n0*N: N from 0 to 6\n");
    // What was found until the deadline is printed.
    let asked = ["sequence", "0*N", "3-40", "--deadline", "2s"];
    let stopped = run(data.path(), &asked).with_code(3);
    assert!(stopped.stdout.contains("1 1 1 0"), "{stopped:?}");
    assert!(
        stopped.stderr.contains("0*N: stopped before N = "),
        "{stopped:?}"
    );
    assert!(
        stopped.stderr.contains("--deadline allows more"),
        "{stopped:?}"
    );
    for (family, problem) in [
        ("kales:N", "did you mean `kayles`?"),
        ("cram:NxN.", "column"),
    ] {
        let refused = run(data.path(), &["sequence", family]).with_code(2);
        assert!(refused.stderr.contains(problem), "{refused:?}");
    }
}

#[test]
fn certificates_of_theory_are_written_and_accepted() {
    let dir = tempdir().expect("a folder");
    let at = |name: &str| dir.path().join(name).to_str().expect("a text").to_owned();
    let data = dir.path().join("store");
    let mut files = Vec::new();
    for game in [
        "kayles",
        "lasker",
        "nim",
        "subtraction{1,4}",
        "hexadecimal(0.F)",
    ] {
        let file = at(&format!("{}.period", files.len()));
        run(&data, &["sequence", game, "--certificate", &file]).with_code(0);
        files.push(file);
    }
    for game in ["octal(0.123)", "nim"] {
        let file = at(&format!("{}.quotient", files.len()));
        run(&data, &["quotient", game, "15", "--certificate", &file]).with_code(0);
        files.push(file);
    }
    let all: Vec<&str> = ["verify", "--json"]
        .into_iter()
        .chain(files.iter().map(String::as_str))
        .collect();
    let checked = run(&data, &all).with_code(0).json();
    let claims: Vec<&str> = checked
        .iter()
        .filter_map(|one| one["claim"].as_str())
        .collect();
    assert_eq!(
        claims,
        [
            "period 12 from 71",
            "period 4 from 1, saltus 4",
            "period 1 from 0, saltus 1",
            "period 5 from 0",
            "period 2 from 0",
            "quotient of order 20, whole game",
            "quotient of order 18, heaps up to 15",
        ]
    );
    let table = run(&data, &["verify", &files[0]]).with_code(0).stdout;
    assert!(
        table.contains("0.77          normal  period 12 from 71"),
        "{table}"
    );
    let text = fs::read_to_string(&files[0]).expect("a file");
    fs::write(&files[0], text.replace("period 12", "period 24")).expect("a file");
    let refused = run(&data, &["verify", &files[0]]).with_code(4);
    assert!(
        refused.stderr.contains("the nimbers have a shorter period"),
        "{refused:?}"
    );

    // Without a period there is no certificate, and without a code neither.
    let file = at("none");
    run(&data, &["sequence", "octal(0.6)", "--certificate", &file]).with_code(3);
    run(&data, &["quotient", "grundy", "9", "--certificate", &file]).with_code(2);
    run(&data, &["sequence", "0*N", "--certificate", &file]).with_code(2);
    assert!(!dir.path().join("none").exists());
}

#[test]
fn quotients() {
    let data = tempdir().expect("a folder");
    let json = run(data.path(), &["quotient", "octal(0.123)", "--json"]);
    let found = json.with_code(0).json().remove(0);
    assert_eq!(
        (&found["order"], &found["whole_game"]),
        (&20.into(), &true.into())
    );
    assert_eq!(
        (&found["period"]["from"], &found["period"]["length"]),
        (&5.into(), &5.into())
    );
    assert_eq!(found["products"].as_array().map(Vec::len), Some(20));
    let text = run(data.path(), &["quotient", "nim", "3"])
        .with_code(0)
        .stdout;
    assert!(text.contains("relations: a² = 1, b³ = b\n"), "{text}");

    // The answers for sums agree with the search.
    for (game, heaps) in [
        ("kayles", "5+3+2"),
        ("kayles", "4+4"),
        ("kayles", "9+1"),
        ("kayles", "4+1+5"),
        ("kayles", "12+4+4"),
        // The quotient of the whole game is too large, that of smaller heaps is not.
        ("grundy", "9+10"),
        ("octal(0.07)", "3+5"),
    ] {
        let asked = ["quotient", game, "--of", heaps, "--json"];
        let told = run(data.path(), &asked).with_code(0).json().remove(0);
        let position = format!("{game}:{heaps}");
        let query = ["query", &position, "--within", "10s", "--json"];
        let searched = run(data.path(), &query).with_code(0).json().remove(0);
        assert_eq!(told["outcome"], searched["misere"]["outcome"], "{heaps}");
    }
    let text = run(
        data.path(),
        &["quotient", "bash/3", "--of", "bash/3:1000000000+2"],
    );
    assert!(text.with_code(0).stdout.contains(": win under misère play"));

    for (arguments, problem) in [
        (&["quotient", "sprouts"][..], "not played with single heaps"),
        (
            &["quotient", "grundy"],
            "`sproutnet quotient \"grundy\" 19` shows",
        ),
        (
            &["quotient", "kayles", "--most-elements", "30"],
            "--most-elements, --most-sums and --most-looks allow larger ones",
        ),
        (&["quotient", "kayles", "1001"], "1001 is not in"),
        (
            &["quotient", "kayles", "20", "--of", "21"],
            "ask for no larger heaps",
        ),
        (&["quotient", "kayles", "20", "--of", "x"], "such as 5+3+2"),
        (&["quotient", "grundy", "--of", "20"], "infinite"),
    ] {
        let refused = run(data.path(), arguments).with_code(2);
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
    }
}

#[test]
fn the_nimbers_of_heaps_need_no_search() {
    let dir = tempdir().expect("a folder");
    for (position, nimber, theorem) in [
        ("nim:63+64", 127, "Bouton's theorem"),
        ("nim:100+200+300", 384, "Bouton's theorem"),
        (
            "bash:200/100+199/100",
            1, // 99 and 98 are left over
            "the formula for the nimber of a heap",
        ),
        (
            "kayles:10000",
            1,
            "the nimbers of its heaps, whose period 12 is proved",
        ),
        (
            "kayles:999+1000",
            9, // 8 and 1
            "the nimbers of its heaps, whose period 12 is proved",
        ),
        (
            "subtraction{1,2}:10000",
            1,
            "the nimbers of its heaps, whose period 3 is proved",
        ),
        ("grundy:100", 2, "the nimbers of its heaps"),
    ] {
        let outcome = if nimber == 0 { "loss" } else { "win" };
        let solve = ["solve", position, "--nimber", "--json"];
        let solved = run(dir.path(), &solve).with_code(0).json().remove(0);
        let query = [
            "query", position, "--play", "normal", "--within", "0s", "--json",
        ];
        let queried = run(dir.path(), &query).with_code(0).json().remove(0);
        assert_eq!(solved["outcome"], outcome, "{position}: {solved}");
        assert_eq!(
            queried["normal"]["outcome"], outcome,
            "{position}: {queried}"
        );
        assert_eq!(
            queried["normal"]["citation"], theorem,
            "{position}: {queried}"
        );
        for told in [&solved, &queried] {
            assert_eq!(told["nimber"], nimber, "{position}: {told}");
        }
        assert_eq!(solved["expansions"], 0, "{solved}");
    }
    let text = run(dir.path(), &["query", "kayles:10000"]).stdout;
    let reason = "normal: follows from the nimbers of its heaps, whose period 12 is proved";
    assert!(text.contains(reason), "{text}");
}
