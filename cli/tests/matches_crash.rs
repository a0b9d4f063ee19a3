//! A coordinator is killed repeatedly while two players play a match. No acknowledged move is lost, none is made twice,
//! and both players keep their places.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use crate::processes::checks::setting;
use crate::processes::{Fleet, Part};
use sproutnet_testkit::reference::slow_tests;

/// The number of kills of a plain run, and of a full one.
const KILLS: u32 = 20;
const FULL_KILLS: u32 = 100;

/// The time for moves before a kill, in milliseconds.
const BETWEEN_KILLS: std::ops::Range<u64> = 0..30;

/// The number of spots of a match. Neighbouring pairs are joined one after the other.
const SPOTS: usize = 12;

/// An answer of the coordinator over HTTP.
struct Answer {
    status: u16,
    head: String,
    text: String,
}

/// Sends a request like a page of the coordinator. An incomplete answer is an error.
fn ask(http: SocketAddr, method: &str, path: &str, cookie: &str, form: &str) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(http)?;
    let length = form.len();
    let request = format!(
        "{method} {path} HTTP/1.0\r\nhost: localhost\r\nsec-fetch-site: same-origin\r\ncookie: {cookie}\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{form}"
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, text) = answer
        .split_once("\r\n\r\n")
        .ok_or(ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    Ok(Answer {
        status: status.ok_or(ErrorKind::UnexpectedEof)?,
        head: head.to_owned(),
        text: text.to_owned(),
    })
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        let line = self.head.lines().find_map(|line| line.strip_prefix(name));
        line.expect(name).trim_start_matches(": ")
    }

    /// The cookie for all later requests.
    fn cookie(&self) -> String {
        let cookie = self.header("set-cookie").split(';').next();
        cookie.expect("a cookie").to_owned()
    }
}

/// A match between two players.
struct Played {
    path: String,
    cookies: [String; 2],
    /// The number of acknowledged moves.
    acknowledged: usize,
}

impl Played {
    fn begin(http: SocketAddr) -> Self {
        let form = format!("played={SPOTS}&play=normal");
        let invited = ask(http, "POST", "/match", "", &form).expect("a match");
        assert_eq!(invited.status, 303, "{}", invited.text);
        let path = invited.header("location").to_owned();
        let joined = ask(http, "POST", &format!("{path}/join"), "", "").expect("joined");
        assert_eq!(joined.status, 303, "{}", joined.text);
        Self {
            path,
            cookies: [invited.cookie(), joined.cookie()],
            acknowledged: 0,
        }
    }

    /// Makes moves until no pair is left, or there is no answer.
    fn play(&mut self, http: SocketAddr) {
        while self.acknowledged < SPOTS / 2 {
            let (made, path) = (self.acknowledged, &self.path);
            let (from, to) = (2 * made + 1, 2 * made + 2);
            let line = format!("{path}?moves={made}&spot={from}&to={to}&way=0");
            let Ok(answer) = ask(http, "POST", &line, &self.cookies[made % 2], "") else {
                return;
            };
            assert_eq!(answer.status, 303, "{line}: {}", answer.text);
            self.acknowledged += 1;
        }
    }

    /// Compares the page after a restart with the acknowledged moves. One move without an answer may have been made,
    /// too.
    fn check(&mut self, http: SocketAddr) {
        let page = ask(http, "GET", &self.path, &self.cookies[0], "").expect("a page");
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("You are the first player."));
        let ends = page.text.split("data-ends=\"").skip(1);
        let ends: Vec<&str> = ends.filter_map(|rest| rest.split('"').next()).collect();
        let ends: Vec<&str> = ends.into_iter().filter(|ends| ends.contains(' ')).collect();
        let made = page.text.matches("data-lives=").count() - SPOTS;
        assert!(
            made == self.acknowledged || made == self.acknowledged + 1,
            "{made} moves, {} acknowledged",
            self.acknowledged
        );
        // Each move joined the next two spots, with a new spot on the line. Spots are counted from 0.
        let lines = (0..made).flat_map(|made| {
            let new = SPOTS + made;
            [
                format!("{} {new}", 2 * made),
                format!("{new} {}", 2 * made + 1),
            ]
        });
        for line in lines {
            let times = ends.iter().filter(|ends| **ends == line).count();
            assert_eq!(times, 1, "{line}: {ends:?}");
        }
        self.acknowledged = made;
    }
}

#[test]
fn no_move_of_a_match_is_lost_or_made_twice() {
    let seed = setting("SPROUTNET_TEST_SEED").unwrap_or_else(|| fastrand::u64(..));
    eprintln!("SPROUTNET_TEST_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let kills = if slow_tests() { FULL_KILLS } else { KILLS };
    let mut fleet = Fleet::start_open(0);
    let [_, http] = fleet.addresses();
    let mut played = Played::begin(http);
    let (mut all, mut moves, mut cut) = (Vec::new(), 0, 0);
    for _ in 0..kills {
        let playing = thread::spawn(move || {
            played.play(http);
            played
        });
        thread::sleep(Duration::from_millis(random.u64(BETWEEN_KILLS)));
        fleet.kill(Part::Coordinator);
        played = playing.join().expect("it played");
        fleet.start_again(Part::Coordinator);
        fleet.wait_for_coordinator();
        let before = played.acknowledged;
        played.check(http);
        cut += played.acknowledged - before;
        if played.acknowledged == SPOTS / 2 {
            moves += played.acknowledged;
            all.push(std::mem::replace(&mut played, Played::begin(http)));
        }
    }
    moves += played.acknowledged;
    eprintln!("{moves} moves, {cut} of them without an answer");
    assert!(moves > 0);
    // Earlier matches have not changed.
    for mut of in all {
        of.check(http);
        assert_eq!(of.acknowledged, SPOTS / 2);
    }
}
