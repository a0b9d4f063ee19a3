//! Pictures of positions.

use crate::command::{run, run_with_input};
use tempfile::tempdir;

#[test]
fn a_picture_goes_to_a_file_or_to_standard_output() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("x.svg");
    let path = file.to_string_lossy();
    let drawn = run(data.path(), &["draw", "0*3.1a1a", "-o", &path]).with_code(0);
    assert_eq!((drawn.stdout.as_str(), drawn.stderr.as_str()), ("", ""));
    let written = std::fs::read_to_string(&file).expect("a file");
    assert!(written.starts_with("<svg ") && written.ends_with("</svg>\n"));
    assert!(written.contains("<title>0*3.1a1a</title>"));
    for arguments in [&["draw", "0*3.1a1a"][..], &["draw", "0*3.a1a1", "-o", "-"]] {
        let drawn = run(data.path(), arguments).with_code(0);
        assert_eq!(drawn.stdout, written);
    }
    // Only the picture was made, no store.
    assert_eq!(std::fs::read_dir(data.path()).expect("a folder").count(), 1);
}

#[test]
fn several_positions_are_drawn_one_after_another_or_into_a_folder() {
    let data = tempdir().expect("a folder");
    let title = |text: &str| format!("<title>{text}</title>");
    let drawn = run(data.path(), &["draw", "2-3", "kayles:5"])
        .with_code(0)
        .stdout;
    assert_eq!(drawn.matches("</svg>\n").count(), 3);
    for text in ["0*2", "0*3", "kayles:5"] {
        assert!(drawn.contains(&title(text)), "{text}: {drawn}");
    }
    let folder = data.path().join("pictures");
    let arguments = ["draw", "-", "-o", &folder.to_string_lossy()];
    let lines = "# comment\n\n0*2\nx\nkayles:5\n";
    let drawn = run_with_input(data.path(), &arguments, lines).with_code(2);
    assert_eq!(drawn.stdout, "");
    assert!(
        drawn.stderr.contains("line 4: column 1"),
        "{}",
        drawn.stderr
    );
    for (file, text) in [("1.svg", "0*2"), ("3.svg", "kayles:5")] {
        let written = std::fs::read_to_string(folder.join(file)).expect("a file");
        assert!(written.contains(&title(text)), "{written}");
    }
    let refused = run(data.path(), &["draw", "2", "3", "-o", "x.svg"]).with_code(2);
    assert!(
        refused.stderr.contains("need a folder"),
        "{}",
        refused.stderr
    );
}

#[test]
fn examples_of_games_are_drawn() {
    let data = tempdir().expect("a folder");
    for game in sproutnet_game::all() {
        for example in game.info().examples {
            let text = sproutnet_game::qualified(&*game, example);
            let drawn = run(data.path(), &["draw", &text]).with_code(0).stdout;
            assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
            let shape = if game.name() == "cram" {
                "<rect "
            } else {
                "<circle "
            };
            assert!(drawn.contains(shape), "{text}: {drawn}");
        }
    }
    let drawn = run(data.path(), &["draw", "bash:2/1+21/3"]).with_code(0);
    assert_eq!(drawn.stdout.matches("<circle ").count(), 23);
    assert!(drawn.stdout.contains(">21/3</text>"), "{}", drawn.stdout);
}

#[test]
fn labels_are_as_asked() {
    let data = tempdir().expect("a folder");
    let drawn = |labels: &str| {
        let drawn = run(data.path(), &["draw", "0*5", "--labels", labels]).with_code(0);
        // A pip is a line without length, with round ends.
        ["h0", "<text "].map(|part| drawn.stdout.matches(part).count())
    };
    // Lives are dots, and only names are numbers.
    assert_eq!(
        ["none", "lives", "names"].map(drawn),
        [[0, 0], [15, 0], [15, 5]]
    );
}

#[test]
fn what_cannot_be_drawn() {
    let data = tempdir().expect("a folder");
    let bad = [
        ("chess:3", "no game called `chess`"),
        ("0*3.x-", "column "),
        ("abab1212", "no drawing in the plane"),
    ];
    for (text, problem) in bad {
        let refused = run(data.path(), &["draw", text]).with_code(2);
        assert_eq!(refused.stdout, "");
        assert!(refused.stderr.contains(problem), "{refused:?}");
    }
    for (name, instead) in [
        ("y.png", "y.svg"),
        ("y.PDF", "y.svg"),
        ("y.svg.txt", "y.svg.svg"),
    ] {
        let file = data.path().join(name);
        let refused =
            run(data.path(), &["draw", "0*3", "-o", &file.to_string_lossy()]).with_code(2);
        assert!(refused.stderr.contains("written as SVG"), "{refused:?}");
        assert!(refused.stderr.trim_end().ends_with(instead), "{refused:?}");
        assert!(!file.exists());
    }
    let nowhere = data.path().join("no/folder/x.svg");
    let arguments = ["draw", "0*3", "-o", &nowhere.to_string_lossy()];
    let failed = run(data.path(), &arguments).with_code(1);
    assert!(failed.stderr.contains("cannot write"), "{failed:?}");
}
