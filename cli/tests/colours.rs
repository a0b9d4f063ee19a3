//! Colours and cut lines: only on a terminal, unless the user asks for colours.

use std::num::NonZero;
use std::path::Path;
use std::process::Command;

use crate::command::{LONG, Running, Terminal, run, sproutnet};
use crate::fake::{Fake, running, with_status};
use sproutnet_proto::v1::{Play, Status};
use tempfile::tempdir;
use vt100::Color;

const GREEN: Color = Color::Idx(2);
const RED: Color = Color::Idx(1);
const YELLOW: Color = Color::Idx(3);

/// The rows and columns of a screen that holds any table.
const SIZE: NonZero<u16> = NonZero::new(1000).expect("not zero");

/// A long position in canonical form. For another form, a terminal would also show the understood position.
const LONG_POSITION: &str = "0*4.AB|0*8.CDEF|0*9.EF|0*5.GHAB|0*6.GIJH|0*7.CIJD";

/// The program with these settings for colours, and no others from the environment.
fn with(data: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = sproutnet(data, arguments);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.envs(settings.iter().copied());
    command
}

fn output(data: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let mut running = Running::start(with(data, arguments, settings));
    if arguments.contains(&"-") {
        running.write("0*2\n0*60\n");
    }
    running.end(LONG).stdout
}

#[test]
fn a_pipe_gets_colours_only_when_forced() {
    let data = tempdir().expect("a folder");
    run(data.path(), &["solve", "0*2"]).with_code(0);
    for arguments in [
        &["table"][..],
        &["query", "0*2"],
        &["query", "-"],
        &["moves", "0*2"],
        &["solve", "0*2"],
    ] {
        let plain = output(data.path(), arguments, &[]);
        assert!(!plain.contains('\u{1b}'), "{plain}");
        let both = [("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")];
        assert_eq!(output(data.path(), arguments, &both), plain);
        let forced = output(data.path(), arguments, &[("CLICOLOR_FORCE", "1")]);
        assert!(forced.contains("\u{1b}[31mloss\u{1b}[0m"), "{forced}");
        // The heading is bold, and the words are the same.
        assert!(forced.starts_with("\u{1b}[1m"), "{forced}");
        let mut parser = vt100::Parser::new(SIZE, SIZE, 0);
        parser.process(forced.replace('\n', "\r\n").as_bytes());
        assert_eq!(parser.screen().contents().trim_end(), plain.trim_end());
    }
    let json = ["query", "0*2", "--json"];
    let forced = output(data.path(), &json, &[("CLICOLOR_FORCE", "1")]);
    assert!(!forced.contains('\u{1b}'), "{forced}");
}

#[test]
fn a_terminal_has_colours_unless_told_otherwise() {
    let data = tempdir().expect("a folder");
    run(data.path(), &["solve", "0..=3", "--play", "both"]).with_code(0);
    for (settings, is_coloured) in [
        (&[][..], true),
        (&[("NO_COLOR", "1")], false),
        (&[("CLICOLOR", "0")], false),
    ] {
        let command = with(data.path(), &["query", "0*3"], settings);
        let terminal = Terminal::start(10, 80, command);
        terminal.wait_for("loss");
        let colours = ["win", "loss", "0*3"].map(|word| terminal.colour_of(word));
        let expected = if is_coloured {
            [GREEN, RED, Color::Default]
        } else {
            [Color::Default; 3]
        };
        assert_eq!(colours, expected, "{settings:?}");
        assert_eq!(terminal.end(), 0);
    }
}

#[test]
fn what_goes_on_is_yellow() {
    let fake = Fake::with(vec![
        running(1, "0*16", Play::Normal),
        with_status(running(2, "0*4", Play::Normal), Status::Solved),
    ]);
    let data = tempdir().expect("a folder");
    let url = fake.url();
    let command = with(data.path(), &["list", "--coordinator", &url], &[]);
    let terminal = Terminal::start(10, 120, command);
    terminal.wait_for("win");
    let colours = ["running", "win"].map(|word| terminal.colour_of(word));
    assert_eq!(colours, [YELLOW, GREEN]);
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_long_position_is_cut_on_a_terminal_only() {
    let data = tempdir().expect("a folder");
    let whole = output(data.path(), &["query", LONG_POSITION], &[]);
    let position = whole.lines().nth(1).expect("a row");
    let position = position.split_whitespace().next().expect("a position");
    assert!(position.len() > 45, "{position}");

    let solve = ["solve", LONG_POSITION, "--deadline", "1ms"];
    assert!(output(data.path(), &solve, &[]).contains(LONG_POSITION));
    for columns in [20, 40, 100] {
        for arguments in [&["query", LONG_POSITION][..], &solve] {
            // Standard error is on the same terminal, so the log is off.
            let command = with(data.path(), arguments, &[("RUST_LOG", "off")]);
            let terminal = Terminal::start(60, columns, command);
            let is_cut = columns < 100 || arguments == solve;
            let row = if is_cut { "|" } else { position };
            let text =
                terminal.wait_until(|text| text.starts_with("position") && text.contains(row));
            let table: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
            assert_eq!(table.concat().contains('…'), is_cut, "{text}");
            assert_eq!(table.len(), 2, "{text}");
            assert_eq!(terminal.end(), 3);
        }
    }
}
