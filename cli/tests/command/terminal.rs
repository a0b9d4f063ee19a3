//! A terminal and the text on its screen.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::num::NonZero;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::LONG;

/// A program on a terminal of its own.
pub(crate) struct Terminal {
    child: Child,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    /// Runs a command on a terminal with this number of rows and columns. Lines that scroll away are kept.
    pub(crate) fn start(rows: u16, columns: u16, mut command: Command) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&terminal).expect("it is ours");
        unlockpt(&terminal).expect("it is ours");
        tcsetwinsize(&terminal, size(rows, columns)).expect("it has a size");
        let name = ptsname(&terminal, Vec::new()).expect("it has a name");
        let name = name.into_string().expect("a text");
        let side = OpenOptions::new().read(true).write(true).open(name);
        let side = side.expect("it opens");
        let copy = || Stdio::from(side.try_clone().expect("it can be shared"));
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

    /// The text on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().expect("no panic").screen().contents()
    }

    /// The colour of the first character of a text on the screen.
    pub(crate) fn colour_of(&self, text: &str) -> vt100::Color {
        let screen = self.screen.lock().expect("no panic");
        let screen = screen.screen();
        let (_, columns) = screen.size();
        for (row, line) in (0..).zip(screen.rows(0, columns.get())) {
            if let Some((before, _)) = line.split_once(text) {
                let column = before.chars().count() as u16;
                return screen.cell(row, column).expect("a cell").fgcolor();
            }
        }
        panic!("no `{text}`:\n{}", screen.contents());
    }

    /// Waits for a text on the screen; returns the whole screen.
    pub(crate) fn wait_for(&self, text: &str) -> String {
        self.wait_until(|screen| screen.contains(text))
    }

    /// Waits until `wanted` is true for the text on the screen.
    pub(crate) fn wait_until(&self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + LONG;
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            assert!(Instant::now() < deadline, "not as wanted:\n{text}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Checks that no line has scrolled off the top.
    pub(crate) fn check_not_scrolled(&self) {
        let mut screen = self.screen.lock().expect("no panic");
        let screen = screen.screen_mut();
        screen.set_scrollback(usize::MAX);
        let (lines, text) = (screen.scrollback(), screen.contents());
        assert_eq!(lines, 0, "{text}");
    }

    /// Waits for the end; returns the exit code.
    pub(crate) fn end(mut self) -> i32 {
        let status = self.child.wait().expect("it ends");
        status.code().expect("it ends by itself")
    }

    /// Sends Ctrl-C.
    pub(crate) fn interrupt(&self) {
        let sent = kill_process(Pid::from_child(&self.child), Signal::INT);
        sent.expect("it runs");
    }
}

fn size(rows: u16, columns: u16) -> Winsize {
    Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
