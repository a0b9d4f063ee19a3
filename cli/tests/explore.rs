//! `sproutnet explore`: on a terminal by keys, without one by lines.

use std::time::{Duration, Instant};

use crate::command::{LONG, Running, Terminal, bare, run, run_with_input, sproutnet};
use crate::fake::{Fake, running};
use rustix::process::Signal;
use sproutnet_game as game;
use sproutnet_proto::v1::Play;
use tempfile::tempdir;

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";

/// How soon the program ends after a key or a signal, on a busy machine.
const SOON: Duration = Duration::from_secs(5);

/// The move that is marked, and its outcome.
fn marked(screen: &str) -> Option<(String, String)> {
    let line = screen.lines().find(|line| line.starts_with("> "))?;
    let mut words = line.split_whitespace().skip(1).map(str::to_owned);
    Some((words.next()?, words.next()?))
}

#[test]
fn keys_walk_through_moves() {
    let data = tempdir().expect("a folder");
    let mut terminal = Terminal::start(24, 80, sproutnet(data.path(), &["explore", "0*3"]));
    let screen = terminal.wait_for("normal play: win for the player to move, nimber 1");
    assert!(screen.starts_with("0*3\n"), "{screen}");
    let all = run(data.path(), &["moves", "0*3", "--json"])
        .with_code(0)
        .json();
    // The first move is marked; the others follow in the order of `moves`.
    let of = |index: usize| all[index]["canonical"].as_str().expect("a text").to_owned();
    assert_eq!(marked(&screen).map(|(to, _)| to), Some(of(0)));
    for (key, index) in [(DOWN, 1), (DOWN, 2), (UP, 1), (UP, 0), (UP, 0)] {
        terminal.press(key);
        let outcome = all[index]["normal"].as_str().expect("a text").to_owned();
        let wanted = Some((of(index), outcome));
        terminal.wait_until(|screen| marked(screen) == wanted);
    }
    // The winning move, and back.
    terminal.press(RIGHT);
    let screen = terminal.wait_for("normal play: loss for the player to move");
    assert!(screen.starts_with(&format!("{}\n", of(0))), "{screen}");
    assert!(screen.contains("step 1"), "{screen}");
    terminal.press("\r");
    terminal.wait_for("step 2");
    terminal.press(LEFT);
    terminal.press("\x7f");
    terminal.wait_until(|screen| screen.starts_with("0*3\n") && !screen.contains("step "));
    // There is nothing to take back.
    terminal.press(LEFT);
    terminal.press("p");
    terminal.wait_for("misere play: loss for the player to move");
    terminal.check_not_scrolled();
    terminal.press("q");
    assert_eq!(terminal.wait(), 0);
    terminal.check_as_before();
}

#[test]
fn to_the_end_of_the_game() {
    let data = tempdir().expect("a folder");
    let mut terminal = Terminal::start(12, 70, sproutnet(data.path(), &["explore", "0*1"]));
    for position in ["0*1", "1}", "!"] {
        terminal.wait_until(|screen| {
            screen.starts_with(&format!("{position}\n"))
                && screen.contains(" for the player to move")
        });
        terminal.press(RIGHT);
    }
    terminal.wait_for("no moves: the game is over");
    terminal.press("\x1b");
    assert_eq!(terminal.wait(), 0);
    terminal.check_as_before();
}

#[test]
fn every_game_is_shown() {
    let data = tempdir().expect("a folder");
    for game in game::all() {
        let position = game.parse(game.info().examples[0]).expect("an example");
        let text = game::qualified(&*game, &game.print(&position));
        let mut terminal = Terminal::start(20, 60, sproutnet(data.path(), &["explore", &text]));
        let screen = terminal.wait_until(|screen| marked(screen).is_some());
        assert!(screen.starts_with(&text), "{screen}");
        // The picture comes a moment later.
        let is_drawn = |c: char| ('\u{2801}'..='\u{28ff}').contains(&c);
        if game.name() != "sprouts" {
            terminal.wait_until(|screen| screen.contains(is_drawn));
        }
        terminal.press("q");
        assert_eq!(terminal.wait(), 0, "{text}");
        terminal.check_as_before();
    }
}

#[test]
fn signals_leave_the_terminal_as_it_was() {
    let data = tempdir().expect("a folder");
    for (signal, code) in [
        (Signal::INT, 0),
        (Signal::TERM, 128 + 15),
        (Signal::HUP, 128 + 1),
    ] {
        let mut terminal = Terminal::start(20, 60, sproutnet(data.path(), &["explore", "0*4"]));
        terminal.wait_for("select");
        terminal.signal(signal);
        assert_eq!(terminal.wait(), code);
        terminal.check_as_before();
    }
    // The key, too: no signal comes of it here.
    let mut terminal = Terminal::start(20, 60, sproutnet(data.path(), &["explore", "0*4"]));
    terminal.wait_for("select");
    terminal.press("\x03");
    assert_eq!(terminal.wait(), 0);
    terminal.check_as_before();
}

#[test]
fn any_size_of_the_terminal() {
    let data = tempdir().expect("a folder");
    let command = sproutnet(data.path(), &["explore", "0*4.1a1a"]);
    let mut terminal = Terminal::start(24, 80, command);
    terminal.wait_until(|screen| marked(screen).is_some());
    for (rows, columns) in [(5, 20), (2, 7), (1, 1), (10, 40), (50, 200)] {
        terminal.resize(rows, columns);
        let is_seen = columns >= 20;
        let head = if is_seen { "0*4.1a1a" } else { "" };
        terminal.wait_until(|screen| screen.starts_with(head));
        terminal.press(DOWN);
    }
    terminal.wait_until(|screen| marked(screen).is_some() && screen.contains("quit"));
    terminal.press("q");
    assert_eq!(terminal.wait(), 0);
    terminal.check_as_before();
}

#[test]
fn keys_do_not_wait_for_a_search() {
    let data = tempdir().expect("a folder");
    // Who wins after its moves takes longer than this.
    let explore = [
        "explore",
        "0*11.1a1a",
        "--play",
        "misere",
        "--within",
        "10s",
    ];
    let mut terminal = Terminal::start(24, 80, sproutnet(data.path(), &explore));
    terminal.wait_for("searching");
    let began = Instant::now();
    terminal.press(DOWN);
    terminal.press(RIGHT);
    terminal.wait_for("step 1");
    terminal.wait_for("searching");
    terminal.press("q");
    assert_eq!(terminal.wait(), 0);
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    terminal.check_as_before();
}

#[test]
fn lines_are_followed() {
    let data = tempdir().expect("a folder");
    let input = "1\nback\nplay misere\n\nkayles:2+3\nquit\n0*9\n";
    let ended = run_with_input(data.path(), &["explore", "0*2", "--json"], input).with_code(0);
    let steps = ended.json();
    let of = |name: &str| -> Vec<String> {
        let text = |step: &serde_json::Value| step[name].as_str().expect("a text").to_owned();
        steps.iter().map(text).collect()
    };
    let first = steps[0]["moves"][0]["canonical"].as_str().expect("a text");
    assert_eq!(of("position"), ["0*2", first, "0*2", "0*2", "kayles:2+3"]);
    assert_eq!(
        of("play"),
        ["normal", "normal", "normal", "misere", "misere"]
    );
    // The same as `moves` and `query` say.
    for (index, asked) in [(0, ["0*2", "normal"]), (4, ["kayles:2+3", "misere"])] {
        let [position, play] = asked;
        let moves = ["moves", position, "--play", play, "--json"];
        let moves = run(data.path(), &moves).with_code(0).json();
        assert_eq!(steps[index]["moves"].as_array(), Some(&moves));
        let query = run(data.path(), &["query", position, "--json"]).json();
        assert_eq!(steps[index][play]["outcome"], query[0][play]["outcome"]);
    }
}

#[test]
fn lines_for_people() {
    let data = tempdir().expect("a folder");
    let ended = run_with_input(data.path(), &["explore", "2"], "1\n").with_code(0);
    let text = ended.stdout;
    assert!(
        text.starts_with("0*2\nnormal play: loss for the player to move, nimber 0\n"),
        "{text}"
    );
    assert!(text.contains("move  to"), "{text}");
    assert!(text.contains("\n   1  "), "{text}");
}

#[test]
fn lines_that_cannot_be_followed_change_nothing() {
    let data = tempdir().expect("a folder");
    let input = "0\n99\nback\nplay both\nx\n0*1\n";
    let ended = run_with_input(data.path(), &["explore", "0*2", "--json"], input).with_code(2);
    let lines = ended.json();
    let positions = lines.iter().filter_map(|line| line["position"].as_str());
    assert_eq!(positions.collect::<Vec<_>>(), ["0*2", "0*1"]);
    let refused: Vec<_> = lines
        .iter()
        .filter(|line| line["error"].is_string())
        .collect();
    assert_eq!(refused.len(), 5, "{lines:?}");
    assert_eq!(
        refused[1]["error"],
        "there is no move 99: the position has 2"
    );
    assert_eq!(
        (&refused[4]["line"], &refused[4]["input"]),
        (&5.into(), &"x".into())
    );
}

#[test]
fn a_coordinator_that_is_gone_is_told() {
    let mut fake = Fake::with(vec![running(1, "0*9", Play::Normal)]);
    let url = fake.url();
    let command = bare(&["explore", "0*9", "--coordinator", &url]);
    let mut terminal = Terminal::start(24, 100, command);
    terminal.wait_for("select");
    fake.stop();
    terminal.press("p");
    terminal.wait_for("trying again");
    // Another question does not hide it.
    terminal.press("p");
    terminal.wait_until(|screen| screen.contains("normal play") && screen.contains("trying again"));
    terminal.press("q");
    assert_eq!(terminal.wait(), 0);
    terminal.check_as_before();
}

#[test]
fn what_is_no_position_is_refused_at_once() {
    let ended = Running::start(bare(&["explore", "0*x"]))
        .end(LONG)
        .with_code(2);
    assert!(
        ended.stderr.contains("expected a number"),
        "{}",
        ended.stderr
    );
}
