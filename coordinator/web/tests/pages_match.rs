//! Matches between two people on two devices, over HTTP.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::browser::{Page, ask};
use crate::pages::check;
use crate::pages_board::{follow, hand, links_to, places};
use sproutnet_testkit::cluster::{Cluster, soon};

/// The header that a browser sends with a form of the same site.
const OWN: (&str, &str) = ("Sec-Fetch-Site", "same-origin");

/// A browser, with its cookie for the match.
#[derive(Clone, Default)]
pub(crate) struct Browser(pub(crate) Option<String>);

impl Browser {
    pub(crate) async fn ask(
        &mut self,
        cluster: &Cluster,
        method: &str,
        path: &str,
        form: &str,
    ) -> Page {
        let path = path.split('#').next().unwrap_or(path);
        let mut headers = vec![OWN];
        if let Some(cookie) = &self.0 {
            headers.push(("Cookie", cookie));
        }
        let page = soon(ask(cluster.http(), method, path, &headers, form)).await;
        if let Some(set) = page.header("set-cookie") {
            for part in ["; httponly", "; samesite=lax", "; path=/match/"] {
                assert!(set.contains(part), "{set}");
            }
            self.0 = set.split(';').next().map(str::to_owned);
        }
        page
    }

    pub(crate) async fn get(&mut self, cluster: &Cluster, path: &str) -> String {
        let page = self.ask(cluster, "GET", path, "").await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
        check(&page);
        page.text
    }

    /// Posts a form. Returns the address of the redirect.
    pub(crate) async fn post(&mut self, cluster: &Cluster, path: &str, form: &str) -> String {
        let page = self.ask(cluster, "POST", path, form).await;
        assert_eq!(page.status, 303, "{path}: {}", page.text);
        page.location.expect("a way on")
    }

    /// Listens to the events of a match.
    pub(crate) async fn listen(&self, cluster: &Cluster, path: &str) -> TcpStream {
        let address = cluster.http();
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let cookie = self.0.as_deref().unwrap_or_default();
        let request =
            format!("GET {path}/events HTTP/1.1\r\nHost: {address}\r\nCookie: {cookie}\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("asked");
        stream
    }

    /// Makes a move by links and a form. Returns whether there was one.
    pub(crate) async fn moves(&mut self, cluster: &Cluster, path: &str) -> bool {
        let mut page = self.get(cluster, path).await;
        for part in ["&spot=", "&to="] {
            let part = part.trim_start_matches('&');
            let links = links_to(&page, path);
            let Some(link) = links.iter().find(|link| link.contains(part)) else {
                return false;
            };
            page = self.get(cluster, link).await;
        }
        let (_, action) = page.split_once("class=\"draws\"").expect("a form");
        let (_, action) = action.split_once("action=\"").expect("an address");
        let action = action
            .split('"')
            .next()
            .expect("an end")
            .replace("&amp;", "&");
        assert_eq!(self.post(cluster, &action, "").await, path);
        true
    }
}

pub(crate) fn headline(page: &str) -> &str {
    let (_, rest) = page.split_once("<h1>").expect("a heading");
    rest.split_once("</h1>").expect("an end").0
}

/// A new match with this number of spots, and the browser of its first player.
pub(crate) async fn invite(cluster: &Cluster, spots: usize, play: &str) -> (String, Browser) {
    let mut first = Browser::default();
    let form = format!("played={spots}&play={play}");
    let path = first.post(cluster, "/match", &form).await;
    let (_, name) = path.split_once("/match/").expect("a match");
    // Short enough to be read out, and 96 random bits.
    let is_digit = |of: u8| of.is_ascii_alphanumeric() || of == b'-' || of == b'_';
    assert!(name.len() == 16 && name.bytes().all(is_digit), "{path}");
    (path, first)
}

#[tokio::test]
async fn two_play_and_others_watch() {
    let mut cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 2, "normal").await;
    let (mut second, mut other) = (Browser::default(), Browser::default());
    let page = first.get(&cluster, &path).await;
    assert!(page.contains("You are the first player."), "{page}");
    assert!(page.contains("There is no second player yet."), "{page}");
    assert!(page.contains("id=\"copy\""), "{page}");
    // Looking at the address takes no place: previews of messages look too.
    for _ in 0..2 {
        let page = second.get(&cluster, &path).await;
        assert!(page.contains("Be the second player"), "{page}");
    }
    let join = format!("{path}/join");
    assert_eq!(first.post(&cluster, &join, "").await, path);
    assert_eq!(second.post(&cluster, &join, "").await, path);
    assert_eq!(other.post(&cluster, &join, "").await, path);
    let page = second.get(&cluster, &path).await;
    assert!(page.contains("You are the second player."), "{page}");
    let page = other.get(&cluster, &path).await;
    assert!(
        page.contains("You watch.") && !page.contains("Be the second"),
        "{page}"
    );
    let mut made = 0;
    loop {
        let pages = [
            first.get(&cluster, &path).await,
            second.get(&cluster, &path).await,
        ];
        let watched = other.get(&cluster, &path).await;
        assert_eq!(places(&pages[0]), places(&pages[1]));
        assert_eq!(places(&watched), places(&pages[0]));
        assert_eq!(places(&watched).len(), 2 + made);
        if watched.contains("No line can be drawn any more") {
            break;
        }
        let turn = made % 2;
        assert_eq!(headline(&pages[turn]), "Your move");
        assert_eq!(headline(&pages[1 - turn]), "The other player’s move");
        // Only the player to move can choose spots.
        assert!(links_to(&pages[turn], &format!("{path}?spot=")).len() > 1);
        for page in [&pages[1 - turn], &watched] {
            assert!(links_to(page, &format!("{path}?")).is_empty(), "{page}");
            assert!(!page.contains("data-hand"), "{page}");
        }
        if made == 1 {
            // An accepted move is there after a restart, and the players stay the same.
            cluster.restart().await;
        }
        let (mover, waits) = match turn {
            0 => (&mut first, &mut second),
            _ => (&mut second, &mut first),
        };
        assert!(!waits.moves(&cluster, &path).await);
        assert!(mover.moves(&cluster, &path).await);
        made += 1;
    }
    assert!((4..=5).contains(&made), "{made}");
    let last = (made - 1) % 2;
    let mut headlines = ["You lost"; 2];
    headlines[last] = "You won";
    assert_eq!(headline(&first.get(&cluster, &path).await), headlines[0]);
    assert_eq!(headline(&second.get(&cluster, &path).await), headlines[1]);
    let winner = ["The first player won", "The second player won"][last];
    assert_eq!(headline(&other.get(&cluster, &path).await), winner);
}

#[tokio::test]
async fn a_match_goes_on_from_the_moves_before_the_invitation() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/board/3?you=both").await;
    let spots = places(&page);
    let line = hand(&[spots[0], spots[1]]);
    let (path, _) = follow(&cluster, &format!("/board/3?you=both&hand={line}")).await;
    let played = path.strip_prefix("/board/").expect("a board");
    let played = played.split('?').next().unwrap_or(played);
    let mut first = Browser::default();
    let form = format!("played={played}&play=normal");
    let path = first.post(&cluster, "/match", &form).await;
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    // The second player is to move: one move was made before the match.
    for mover in [&mut second, &mut first] {
        assert!(mover.moves(&cluster, &path).await);
    }
    assert_eq!(places(&first.get(&cluster, &path).await).len(), 3 + 3);
}

#[tokio::test]
async fn moves_are_checked() {
    let cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 3, "misere").await;
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    let page = first.get(&cluster, &path).await;
    let spots = places(&page);
    let line = |from: usize, to: usize| hand(&[spots[from], spots[to]]);
    let straight = format!("{path}?moves=0&hand={}", line(0, 1));
    for (mut who, line, status, words) in [
        (second.clone(), straight.clone(), 409, "not your move"),
        (Browser::default(), straight.clone(), 409, "not your move"),
        (
            first.clone(),
            straight.replace("moves=0", "moves=1"),
            409,
            "has gone on",
        ),
        (
            first.clone(),
            straight.replace("moves=0&", ""),
            409,
            "has gone on",
        ),
        (
            first.clone(),
            format!("{path}?moves=0"),
            400,
            "a line is expected",
        ),
        (
            first.clone(),
            format!("{path}?moves=0&hand=A"),
            400,
            "this is no line",
        ),
        (
            first.clone(),
            format!("{path}?moves=0&hand={}", hand(&[spots[0], (5.0, 5.0)])),
            422,
            "begin and end at a spot",
        ),
    ] {
        let page = who.ask(&cluster, "POST", &line, "").await;
        assert_eq!(page.status, status, "{line}: {}", page.text);
        check(&page);
        let has = page.text.to_lowercase().contains(words);
        assert!(has, "{words}: {}", page.text);
    }
    // Neither a link nor a page of another site makes a move.
    let page = first.get(&cluster, &straight).await;
    assert_eq!(places(&page).len(), 3);
    let cookie = first.0.clone().expect("a cookie");
    let elsewhere = [("Sec-Fetch-Site", "cross-site"), ("Cookie", &*cookie)];
    for (path, form) in [(&*straight, ""), ("/match", "played=3&play=normal")] {
        let page = soon(ask(cluster.http(), "POST", path, &elsewhere, form)).await;
        assert_eq!(page.status, 403, "{path}");
    }
    assert_eq!(first.post(&cluster, &straight, "").await, path);
    // The same form is sent again, as when a button is pressed twice.
    let page = first.ask(&cluster, "POST", &straight, "").await;
    assert_eq!(page.status, 409);
    let page = second.get(&cluster, &path).await;
    assert!(
        page.contains("The other player joined spot 1 and spot 2."),
        "{page}"
    );
    assert!(page.contains("line reply"), "{page}");
    // A spot has three lines, and the line is crossed.
    let spots = places(&page);
    let across = hand(&[
        spots[2],
        (spots[3].0 + 200.0, spots[3].1),
        spots[3],
        spots[2],
    ]);
    let crossing = format!("{path}?moves=1&hand={across}");
    let page = second.ask(&cluster, "POST", &crossing, "").await;
    assert_eq!(page.status, 422, "{}", page.text);
}

#[tokio::test]
async fn a_match_goes_on_from_the_board() {
    let cluster = Cluster::start().await;
    let (from, page) = crate::pages_board::follow(&cluster, "/board/3?you=both&play=misere").await;
    assert!(page.contains("action=\"/match\""), "{page}");
    let spots = places(&page);
    let line = hand(&[spots[0], spots[1]]);
    let (played, page) = crate::pages_board::follow(&cluster, &format!("{from}&hand={line}")).await;
    let code = played["/board/".len()..].split('?').next().expect("a code");
    let mut first = Browser::default();
    let form = format!("played={code}&play=misere");
    let path = first.post(&cluster, "/match", &form).await;
    let shown = first.get(&cluster, &path).await;
    assert_eq!(places(&shown), places(&page));
    assert_eq!(headline(&shown), "The other player’s move");
    assert!(shown.contains("Misère play"), "{shown}");
    for (form, status) in [
        ("played=x&play=normal", 400),
        ("played=3", 400),
        ("played=3&play=chess", 400),
        ("", 400),
    ] {
        let page = first.ask(&cluster, "POST", "/match", form).await;
        assert_eq!(page.status, status, "{form}: {}", page.text);
        check(&page);
    }
    for path in ["/match/0123", "/match/0123/join", "/match/0123/events"] {
        let method = if path.ends_with("join") {
            "POST"
        } else {
            "GET"
        };
        let page = first.ask(&cluster, method, path, "").await;
        assert_eq!(page.status, 404, "{path}");
    }
}

/// Reads from a stream until it contains `words`.
pub(crate) async fn until_it_has(stream: &mut TcpStream, read: &mut String, words: &str) {
    until(stream, read, |read| read.contains(words)).await;
}

/// Reads from a stream until what was read is as wanted.
async fn until(stream: &mut TcpStream, read: &mut String, is_wanted: impl Fn(&str) -> bool) {
    let reading = async {
        while !is_wanted(read) {
            let mut part = [0; 4096];
            let count = stream.read(&mut part).await.expect("more");
            assert!(count > 0, "it ended: {read}");
            read.push_str(&String::from_utf8_lossy(&part[..count]));
        }
    };
    soon(reading).await;
}

/// How many seconds ago the second player left, by the last event; `None` if that is not known.
fn left_ago(read: &str) -> Option<u64> {
    let (_, last) = read.rsplit_once("\"left_seconds_ago\":")?;
    last.split_once('}')?.0.parse().ok()
}

#[tokio::test]
async fn changes_are_told_at_once() {
    let cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 3, "normal").await;
    let mut stream = Browser::default().listen(&cluster, &path).await;
    let mut read = String::new();
    until_it_has(&mut stream, &mut read, "data: 1\n").await;
    assert!(read.contains("content-type: text/event-stream"), "{read}");
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    until_it_has(&mut stream, &mut read, "data: 2\n").await;
    // Changes of other matches are not reported.
    let (elsewhere, mut other) = invite(&cluster, 2, "normal").await;
    assert!(other.moves(&cluster, &elsewhere).await);
    let begin = std::time::Instant::now();
    assert!(first.moves(&cluster, &path).await);
    until_it_has(&mut stream, &mut read, "data: 3\n").await;
    let took = begin.elapsed();
    assert!(took.as_secs() < 5, "{took:?}");
    assert_eq!(read.matches("data: ").count(), 3, "{read}");
}

#[tokio::test]
async fn each_player_hears_who_comes_and_leaves() {
    let cluster = Cluster::start().await;
    let (path, first) = invite(&cluster, 3, "normal").await;
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    let never = r#"{"here":false,"left_seconds_ago":null}"#;
    let here = r#"{"here":true,"left_seconds_ago":null}"#;
    let told = |first: &str, second: &str| format!("event: presence\ndata: [{first},{second}]\n");

    let mut of_first = first.listen(&cluster, &path).await;
    let mut read = String::new();
    until_it_has(&mut of_first, &mut read, &told(here, never)).await;
    let mut of_second = second.listen(&cluster, &path).await;
    until_it_has(&mut of_first, &mut read, &told(here, here)).await;
    let mut heard = String::new();
    until_it_has(&mut of_second, &mut heard, &told(here, here)).await;
    // Who watches comes and leaves unseen, and so do the players of another match.
    let mut watches = Browser::default().listen(&cluster, &path).await;
    let mut seen = String::new();
    until_it_has(&mut watches, &mut seen, &told(here, here)).await;
    let (elsewhere, other) = invite(&cluster, 2, "normal").await;
    let mut of_other = other.listen(&cluster, &elsewhere).await;
    until_it_has(&mut of_other, &mut String::new(), &told(here, never)).await;
    drop((watches, of_other));
    // A player with two open pages leaves with the last one.
    let mut again = second.listen(&cluster, &path).await;
    until_it_has(&mut again, &mut String::new(), &told(here, here)).await;
    drop(of_second);
    drop(again);
    until(&mut of_first, &mut read, |read| left_ago(read).is_some()).await;
    assert_eq!(read.matches("event: presence").count(), 3, "{read}");
    let of_second = second.listen(&cluster, &path).await;
    until(&mut of_first, &mut read, |read| left_ago(read).is_none()).await;
    drop(of_second);
    // A page that is opened later is told how long ago that was.
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let mut late = first.listen(&cluster, &path).await;
    let is_late = |read: &str| left_ago(read).is_some_and(|ago| ago >= 1);
    until(&mut late, &mut String::new(), is_late).await;
}
