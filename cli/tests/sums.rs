//! Sums of lands, and large positions of which theory knows who wins.

use crate::command::run;
use tempfile::tempdir;

#[test]
fn sums_follow_from_their_lands() {
    let dir = tempdir().expect("a folder");
    let query = |position: &str| {
        let query = ["query", position, "--play", "normal", "--json"];
        run(dir.path(), &query).with_code(0).json().remove(0)
    };
    let sum = query("0*5+0*12");
    assert_eq!(
        (&sum["normal"]["outcome"], &sum["nimber"]),
        (&"win".into(), &1.into())
    );
    // The starts were proved elsewhere, and no sum was.
    for (position, citation) in [
        (
            "0*24+0*18",
            "the nimbers of its lands (proved by Sproutnet, certificate normal-18; proved by Sproutnet, certificate normal-24)",
        ),
        (
            "0*24+0*36",
            "the nimbers of its lands (proved by Sproutnet, certificate normal-24; GLOP 2007-2011)",
        ),
    ] {
        let query = [
            "query", position, "--play", "normal", "--within", "0s", "--json",
        ];
        let told = run(dir.path(), &query).with_code(0).json().remove(0);
        let loss_and_nimber = (&told["normal"]["outcome"], &told["nimber"]);
        assert_eq!(loss_and_nimber, (&"loss".into(), &0.into()), "{told}");
        assert_eq!(told["normal"]["citation"], citation, "{told}");
    }
    // One land is no sum.
    let query_land = [
        "query",
        "0*40.1a1a",
        "--play",
        "normal",
        "--within",
        "0s",
        "--json",
    ];
    let land = run(dir.path(), &query_land).with_code(3).json().remove(0);
    assert_eq!(land["normal"]["outcome"], "unknown", "{land}");
    assert_eq!(land["nimber"], serde_json::Value::Null, "{land}");
    let graphs = query("node-kayles:grid(3,4)+petersen+path(9)+cycle(12)+complete(5)");
    assert_eq!(graphs["nimber"], 3, "{graphs}");
    assert_eq!(graphs["normal"]["outcome"], "win", "{graphs}");
    let octal = query("octal(4.14):5+9+6");
    assert_eq!(octal["nimber"], 1, "{octal}");
    let switching = query("switching:gale(2)/short");
    assert_eq!(
        switching["normal"]["citation"], "Lehman's theorem",
        "{switching}"
    );
    assert_eq!(switching["nimber"], serde_json::Value::Null, "{switching}");
}

#[test]
fn theory_answers_large_positions_at_once() {
    let dir = tempdir().expect("a folder");
    for (position, play, outcome) in [
        ("switching:gale(30)/cut", "normal", "win"),
        ("switching:complete(9)/cut", "normal", "loss"),
        ("kayles:90+80+70+60", "misere", "win"),
        ("nim:100+200+172", "misere", "loss"),
        ("octal(0.123):500+400+300", "misere", "loss"),
        ("octal(0.123):500+499", "misere", "win"),
    ] {
        let solve = ["solve", position, "--play", play, "--json"];
        let solved = run(dir.path(), &solve).with_code(0).json().remove(0);
        let query = ["query", position, "--json"];
        // The outcome of the switching game under misère play is unknown.
        let code = if position.starts_with("switching") {
            3
        } else {
            0
        };
        let queried = run(dir.path(), &query).with_code(code).json().remove(0);
        for told in [&solved, &queried[play]] {
            assert_eq!(told["outcome"], outcome, "{position}: {told}");
            assert_eq!(told["source"], "derived", "{position}: {told}");
        }
        assert_eq!(solved["expansions"], 0, "{solved}");
    }
}
