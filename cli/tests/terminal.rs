//! What is seen on a terminal: it updates in place, within the terminal's size.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::num::NonZero;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{LONG, bare};
use crate::fake::{Fake, running, solve};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use sproutnet_proto::v1::{FleetResponse, Play, WorkerStatus};

/// A program on a terminal of its own.
struct Terminal {
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Runs a command on a terminal of so many rows and columns, all lines that scroll away kept.
    fn start(fake: &Fake, rows: u16, columns: u16, arguments: &[&str]) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("it is ours");
        unlockpt(&terminal).expect("it is ours");
        let size = Winsize {
            ws_row: rows,
            ws_col: columns,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).expect("it has a size");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let name = name.into_string().expect("a text");
        let side = OpenOptions::new().read(true).write(true).open(name);
        let side = side.expect("it opens");
        let copy = || Stdio::from(side.try_clone().expect("it can be shared"));
        let url = fake.url();
        let mut command = bare(&[arguments, &["--coordinator", &url]].concat());
        command.env("TERM", "xterm-256color");
        command.stdin(copy()).stdout(copy()).stderr(copy());
        let child = command.spawn().expect("the program starts");
        let [rows, columns] = [rows, columns].map(|n| NonZero::new(n).expect("a size"));
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 1000)));
        let drawn = Arc::clone(&screen);
        thread::spawn(move || {
            let mut output = File::from(terminal);
            let mut buffer = [0; 4096];
            // Reading fails when the program has ended.
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                drawn.lock().expect("no panic").process(&buffer[..read]);
            }
        });
        Self { child, screen }
    }

    /// What is on the screen.
    fn text(&self) -> String {
        self.screen.lock().expect("no panic").screen().contents()
    }

    /// Waits for a text on the screen.
    fn wait_for(&self, text: &str) -> String {
        let deadline = Instant::now() + LONG;
        while !self.text().contains(text) {
            assert!(Instant::now() < deadline, "no `{text}`:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
        self.text()
    }

    /// Checks that no line has left the screen at its top.
    fn check_not_scrolled(&self) {
        let mut screen = self.screen.lock().expect("no panic");
        let screen = screen.screen_mut();
        screen.set_scrollback(usize::MAX);
        let (lines, text) = (screen.scrollback(), screen.contents());
        assert_eq!(lines, 0, "{text}");
    }

    /// Waits for the end.
    fn end(mut self) -> i32 {
        let status = self.child.wait().expect("it ends");
        status.code().expect("it ends by itself")
    }

    fn interrupt(&self) {
        let pid = rustix::process::Pid::from_child(&self.child);
        let sent = rustix::process::kill_process(pid, rustix::process::Signal::INT);
        sent.expect("it runs");
    }
}

fn fleet_of(workers: u64) -> Fake {
    let worker = |worker| WorkerStatus {
        worker,
        name: format!("東京-{worker:03}"),
        peer: "[2001:db8::1234:5678]:47110".to_owned(),
        ..WorkerStatus::default()
    };
    Fake::of_fleet(FleetResponse {
        workers: (1..=workers).map(worker).collect(),
        ..FleetResponse::default()
    })
}

#[test]
fn a_fleet_is_drawn_in_place() {
    let mut fake = fleet_of(3);
    let terminal = Terminal::start(&fake, 24, 120, &["fleet", "--watch"]);
    terminal.wait_for("東京-003");
    for uptime in [1.0, 2.0, 3.0] {
        fake.set_uptime(uptime);
        let text = terminal.wait_for(&format!("running for  {uptime:.3} s"));
        assert!(text.starts_with("running for"), "{text}");
        assert_eq!(text.matches("東京-").count(), 3, "{text}");
    }
    fake.stop();
    let text = terminal.wait_for("trying again");
    assert_eq!(text.matches("東京-").count(), 3, "{text}");
    fake.set_uptime(4.0);
    fake.start_again();
    let text = terminal.wait_for("running for  4.000 s");
    assert!(
        text.starts_with("running for") && !text.contains("trying"),
        "{text}"
    );
    terminal.check_not_scrolled();
    terminal.interrupt();
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_fleet_larger_than_the_terminal() {
    let fake = fleet_of(100);
    let sizes: [(u16, u16); 3] = [(12, 40), (24, 20), (5, 120)];
    // Side by side, since each is looked at for a while.
    let terminals = sizes.map(|(rows, columns)| {
        let shown = usize::from(rows) - 3;
        let terminal = Terminal::start(&fake, rows, columns, &["fleet", "--watch"]);
        terminal.wait_for(&format!("{} more", 107 - shown));
        (terminal, shown)
    });
    fake.set_uptime(12.0);
    thread::sleep(Duration::from_millis(2500));
    for (terminal, shown) in terminals {
        let text = terminal.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), shown + 1, "{text}");
        assert!(lines[0].starts_with("running for"), "{text}");
        terminal.check_not_scrolled();
        terminal.interrupt();
        assert_eq!(terminal.end(), 0);
    }
}

#[test]
fn one_line_of_progress_even_if_narrow() {
    for columns in [200, 80, 30] {
        let fake = Fake::with(vec![running(7, "0*16", Play::Normal)]);
        let terminal = Terminal::start(&fake, 10, columns, &["watch", "0*16"]);
        terminal.wait_for("0*16 normal: 1 min 15 s");
        for seconds in 76..=80 {
            fake.progress(7, |progress| progress.seconds = f64::from(seconds));
            let text = terminal.wait_for(&format!("0*16 normal: 1 min {} s", seconds - 60));
            assert_eq!(text.trim_end().lines().count(), 1, "{text}");
        }
        fake.progress(7, solve);
        let text = terminal.wait_for("search");
        assert!(
            text.starts_with("position") && !text.contains("proof"),
            "{text}"
        );
        assert_eq!(terminal.end(), 0);
    }
}
