//! The pages of positions, and their drawings.

use std::time::{Duration, Instant};

use sproutnet_solver::play::Outcome;

use crate::browser::{ask, get, post};
use crate::pages::{check, shown};
use crate::pages_board::{follow, links_to};
use sproutnet_testkit::cluster::hand::outcome;
use sproutnet_testkit::cluster::{Cluster, end, soon, start};

#[tokio::test]
async fn a_solved_position_shows_who_wins_and_how_play_goes_on() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut worker = cluster.worker("one").await;
    let solved = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, solved).await;
    let page = shown(&cluster, "/positions/0*6").await;
    for text in [
        "Under normal play the player to move <strong>loses</strong>.",
        "Under misère play the player to move <strong>wins</strong>.",
        "Solved here by <a href=\"/computations/1\">computation 1</a> on <time datetime=\"20",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sprouts\"",
        "Line of play, under normal play",
        "To the end in",
        "Losing moves",
        "href=\"/positions/0*4.1a1a?play=normal\"",
        "src=\"/positions/0*4.1a1a/drawing.svg?thumbnail=1\"",
        "href=\"/board?position=0*6&amp;play=normal&amp;you=first&amp;level=perfect\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("Solve it"), "{page}");
    let page = shown(&cluster, "/positions/0*6?play=misere").await;
    // The line of play comes before the moves.
    let (_, moves) = page.split_once("Winning moves").expect("a heading");
    assert!(moves.contains("href=\"/positions/0*5.AB%7CAB?play=misere\""));
    assert!(page.contains("Line of play, under misère play"));
}

#[tokio::test]
async fn all_moves_of_a_lost_position_are_shown_as_losing() {
    let cluster = Cluster::start().await;
    // Eight spots are solved on the spot; that 38 are lost is published, and that twenty are is proved by the atlas.
    for path in ["0*8", "0*8?play=misere", "0*38", "0*20?play=misere"] {
        let page = shown(&cluster, &format!("/positions/{path}")).await;
        assert!(page.contains("Losing moves"), "{path}: {page}");
        for title in ["Winning moves", "Unknown"] {
            let group = format!(">{title} <small>");
            assert!(!page.contains(&group), "{path}: {page}");
        }
    }
}

#[tokio::test]
async fn a_line_of_play_is_followed_on_one_drawing() {
    let cluster = Cluster::start().await;
    for (text, play, moves) in [
        ("0*5", "normal", 11),
        ("0*2.AB|0.AB", "misere", 0),
        ("brussels:x*2", "normal", 8),
    ] {
        let (_, page) = follow(&cluster, &format!("/positions/{text}?play={play}")).await;
        let links = links_to(&page, "/positions/");
        let to = links.iter().find(|link| link.contains("/line?play="));
        let (path, review) = follow(&cluster, to.expect(text)).await;
        assert!(path.contains("/review?"), "{path}");
        assert!(review.contains("The start position."), "{review}");
        assert!(review.contains("It never turned"), "{review}");
        // The line ends where no move is left.
        let all = review.matches("&amp;at=").count();
        assert!(all > moves, "{text}: {all}");
        let over = path.replacen("/review?", "?", 1);
        let (_, end) = follow(&cluster, over.split("&at=").next().expect("a path")).await;
        assert!(
            end.contains("No line can be drawn any more"),
            "{text}: {end}"
        );
    }
    let none = soon(get(
        cluster.http(),
        "/positions/0*63/line?play=misere",
        None,
    ))
    .await;
    assert_eq!(none.status, 404, "{}", none.text);
}

#[tokio::test]
async fn an_unknown_position_offers_to_be_solved() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/positions/0*63").await;
    for text in [
        "Under normal play the outcome is <strong>unknown</strong>.",
        "<input type=\"hidden\" name=\"position\" value=\"0*63\">",
        "<input type=\"hidden\" name=\"play\" value=\"normal\">",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(page.matches("Solve it").count(), 2);
    // Larger starts were solved under normal play, but not under misère play.
    assert_eq!(page.matches("this search may never end").count(), 1);
    let larger = shown(&cluster, "/positions/0*333").await;
    assert_eq!(larger.matches("this search may never end").count(), 2);
    assert!(!page.contains("http-equiv"), "{page}");
    let form = "position=0*63&play=normal";
    assert_eq!(
        soon(post(cluster.http(), "/computations", form))
            .await
            .status,
        303
    );
    let page = shown(&cluster, "/positions/0*63").await;
    for text in [
        "the outcome is <strong>being computed</strong>.",
        "<a href=\"/computations/1\">computation 1</a>",
        "http-equiv=\"refresh\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(page.matches("Solve it").count(), 1);
    let page = shown(&cluster, "/positions/0*104").await;
    assert!(
        page.contains(
            "Published (<a href=\"/references#cizek2026\">SPOTS 2025</a>), not solved here."
        ),
        "{page}"
    );
}

#[tokio::test]
async fn an_unknown_position_is_not_searched_anew_at_every_visit() {
    let cluster = Cluster::start().await;
    // Theory tells who wins under normal play. The outcome under misère play, the nimber, and the moves under both
    // conventions are searched for up to a second each: one a visit.
    let mut times = Vec::new();
    for _ in 0..8 {
        let begin = Instant::now();
        shown(&cluster, "/positions/cram:5x6").await;
        times.push(begin.elapsed());
    }
    let least = times.iter().min().expect("visits");
    assert!(*least < Duration::from_millis(500), "{times:?}");
}

#[tokio::test]
async fn the_page_of_a_large_position_is_small_and_says_what_is_left_out() {
    let cluster = Cluster::start().await;
    let mut times = Vec::new();
    for _ in 0..5 {
        let begin = Instant::now();
        let page = shown(&cluster, "/positions/cram:64x64").await;
        times.push(begin.elapsed());
        for text in [
            "Under normal play the player to move <strong>loses</strong>.",
            "so large that its moves are not listed here",
            "<img src=\"/positions/cram:64x64/drawing.svg\"",
        ] {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert!(page.len() < 30_000, "{} bytes", page.len());
    }
    let least = times.iter().min().expect("visits");
    assert!(*least < Duration::from_millis(500), "{times:?}");
}

#[tokio::test]
async fn a_number_in_a_form_is_so_many_spots() {
    let cluster = Cluster::start().await;
    let page = soon(get(cluster.http(), "/positions?position=+21+", None)).await;
    assert_eq!(
        (page.status, page.location.as_deref()),
        (303, Some("/positions/0*21"))
    );
    // In the notation, a `0` is a spot; a start without spots is nothing to look up.
    let page = soon(get(cluster.http(), "/positions?position=0", None)).await;
    assert_eq!(page.location.as_deref(), Some("/positions/0*1"));
    // What the form offers is kept, as far as it changes the page.
    for (play, query) in [("normal", ""), ("misere", "?play=misere"), ("both", "")] {
        let asked = format!("/positions?position=5&play={play}");
        let page = soon(get(cluster.http(), &asked, None)).await;
        let to = format!("/positions/0*5{query}");
        assert_eq!(page.location, Some(to), "{play}");
        shown(&cluster, &format!("/positions/0*5?play={play}")).await;
    }
    let form = "position=63&play=normal";
    let page = soon(post(cluster.http(), "/computations", form)).await;
    assert_eq!(page.status, 303);
    assert!(shown(&cluster, "/computations/1").await.contains("0*63"));
    let form = "position=12+spotz&play=normal";
    let page = soon(post(cluster.http(), "/computations", form)).await;
    assert_eq!(page.status, 400);
    assert!(page.text.contains("did you mean `0*12`?"), "{}", page.text);
}

#[tokio::test]
async fn a_long_text_is_not_shown_whole() {
    let cluster = Cluster::start().await;
    for part in ["x", "1", "0."] {
        let long = part.repeat(60_000 / part.len());
        let page = soon(get(
            cluster.http(),
            &format!("/positions?position={long}"),
            None,
        ))
        .await;
        assert!((400..500).contains(&page.status), "{}", page.status);
        assert!(page.text.len() < 5_000, "{}", page.text);
        let form = format!("position={long}&play=normal");
        let page = soon(post(cluster.http(), "/computations", &form)).await;
        assert_eq!(page.status, 400);
        assert!(page.text.len() < 5_000, "{}", page.text);
        // A megabyte is refused before it is read.
        let form = format!("position={}&play=normal", part.repeat(1 << 20));
        let page = soon(post(cluster.http(), "/computations", &form)).await;
        assert!((400..500).contains(&page.status), "{}", page.status);
        assert!(page.text.len() < 5_000, "{}", page.text);
    }
}

#[tokio::test]
async fn positions_are_found_however_they_are_written() {
    let cluster = Cluster::start().await;
    for (asked, to) in [
        ("0.0.0", "/positions/0*3"),
        (
            "1a1a.0*3?play=misere&page=2",
            "/positions/0*3.1a1a?play=misere&page=2",
        ),
        ("0*3%2B0*2", "/positions/0*2%2B0*3"),
        ("kayles:5+3", "/positions/kayles:3%2B5"),
        ("bash:021%2F3", "/positions/bash:21%2F3"),
        ("octal(.77):5", "/positions/octal%280.77%29:5"),
        ("dawson:5", "/positions/octal%280.137%29:5"),
        (
            "subtraction%7B3,1%7D:5",
            "/positions/subtraction%7B1%2C3%7D:5",
        ),
        ("wythoff:5,3", "/positions/wythoff:3%2C5"),
        ("21", "/positions/0*21"),
        ("0", "/positions/0*1"),
        ("21%7D", "/positions/12%7D"),
    ] {
        let page = soon(get(cluster.http(), &format!("/positions/{asked}"), None)).await;
        assert_eq!(page.status, 303, "{asked}");
        assert_eq!(page.location.as_deref(), Some(to), "{asked}");
    }
    for path in ["/positions/0*2+0*3", "/positions/0*2%2B0*3"] {
        let page = shown(&cluster, path).await;
        assert!(page.contains("Its 2 lands"), "{page}");
        assert!(page.contains("data-label=\"Nimber\">0<"), "{page}");
    }
    for path in ["/positions/0*2.AB|0.AB", "/positions/0*2.AB%7C0.AB"] {
        assert!(
            shown(&cluster, path)
                .await
                .contains("0*2.AB|0.AB: who wins?")
        );
    }
    let page = shown(&cluster, "/positions/!").await;
    assert!(
        page.contains("the player to move <strong>has lost</strong>"),
        "{page}"
    );
    assert!(page.contains("the game is over"), "{page}");
    let kayles = shown(&cluster, "/positions/kayles:3%2B5").await;
    assert!(kayles.contains("Winning moves"), "{kayles}");
    assert!(kayles.contains("are no matches of this game"), "{kayles}");
    assert!(kayles.contains("Each row is a heap"), "{kayles}");
    let thumbnail = "/positions/kayles:5/drawing.svg?thumbnail=1";
    assert!(kayles.contains(thumbnail), "{kayles}");
    let bash = shown(&cluster, "/positions/bash:21%2F3").await;
    assert!(bash.contains("bash:21/3: who wins?"), "{bash}");
    for (path, text) in [
        ("/positions/0*8%3B%3Cx", "0*8;&lt;x\n   ^"),
        ("/positions/chess:e4", "There is no game called"),
        ("/positions/hello", "hello` is not a position"),
        ("/positions/0*3%2B12", "`0*12` is 12 spots"),
        ("/positions/0*8.a", "0*8.a\n    ^"),
        (
            "/positions/0*8?play=other",
            "`normal`, `misere` or `both` is expected",
        ),
    ] {
        let page = soon(get(cluster.http(), path, None)).await;
        assert_eq!(page.status, 400, "{path}");
        assert!(page.text.contains(text), "{path}: {}", page.text);
        check(&page);
    }
}

#[tokio::test]
async fn many_moves_are_shown_a_page_at_a_time() {
    let cluster = Cluster::start().await;
    let path = "/positions/0*5.1a1a.1a1a.1a1a?play=misere";
    let moves = |page: &str| {
        let (_, moves) = page.split_once("id=\"moves\"").expect("moves");
        moves.matches("class=\"small-board").count()
    };
    let first = shown(&cluster, path).await;
    assert_eq!(moves(&first), 60);
    assert!(first.contains("rel=\"next\"") && !first.contains("rel=\"prev\""));
    let last = shown(&cluster, &format!("{path}&page=2")).await;
    assert!((1..60).contains(&moves(&last)), "{last}");
    assert!(last.contains("rel=\"prev\"") && !last.contains("rel=\"next\""));
    let beyond = shown(&cluster, &format!("{path}&page=99")).await;
    assert_eq!(moves(&beyond), moves(&last));
}

#[tokio::test]
async fn drawings_are_files_too() {
    let cluster = Cluster::start().await;
    let path = "/positions/0*3.AB%7C0.AB/drawing.svg";
    let large = soon(get(cluster.http(), path, None)).await;
    let small = soon(get(cluster.http(), &format!("{path}?thumbnail=1"), None)).await;
    for drawing in [&large, &small] {
        assert_eq!(drawing.status, 200);
        assert_eq!(drawing.header("content-type"), Some("image/svg+xml"));
        assert!(drawing.text.starts_with("<svg ") && drawing.text.contains("<style>"));
        let policy = drawing.header("content-security-policy").expect("a policy");
        assert!(policy.starts_with("default-src 'none';"), "{policy}");
    }
    let pips = "class=\"pips\"";
    assert!(large.text.contains(pips) && !small.text.contains(pips));
    let tag = large.tag().expect("a tag");
    let known = [("If-None-Match", &*tag)];
    assert_eq!(
        soon(ask(cluster.http(), "GET", path, &known, ""))
            .await
            .status,
        304
    );
    for (path, status) in [
        ("/positions/kayles:5/drawing.svg", 200),
        ("/positions/abab1212/drawing.svg", 400),
        ("/positions/0*8%3B/drawing.svg", 400),
        ("/positions/0*8/drawing.svg?thumbnail=x", 400),
    ] {
        assert_eq!(
            soon(get(cluster.http(), path, None)).await.status,
            status,
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_page_does_not_wait_for_a_slow_drawing() {
    let cluster = Cluster::start().await;
    // More than 24 lines, and more moves than are searched on the spot.
    let path = "/positions/0*1%2B0*1%2B0.2%2B0.2.AB%7C0.AB%2B0.A%7C2AB%7C2B%2B0.AB%7C0.AB%2B0.AB.CD%7CAB%7C0*2.CD%2B0*2%2B0*2%2B0*2.AB.CD%7C2AB%7C0.CD%2B0*3.AB%7C22C%7CCD.EF%7CEF.AB%7CGH.IJ%7CIJK%7CLMN%7CGH.LMN%7CDK%2B1%7D%2B112%7D%2B1a1a%2B1AB%7C2AB%2B222%7D%2B222%7D%2B2AB%7CCD%7C2.AB.CD%2BAB%7C0.22.AB%2BAB%7C0.AB%2BABC%7C2ACB%2BABC%7CABC";
    let page = shown(&cluster, path).await;
    let (_, picture) = page
        .split_once("<figure class=\"drawing\">")
        .expect("a figure");
    let (picture, _) = picture.split_once("</figure>").expect("its end");
    let source = picture.strip_prefix("<img src=\"").expect(picture);
    let (source, _) = source.split_once("\" alt=\"Drawing of ").expect(picture);
    assert!(source.ends_with("/drawing.svg"), "{source}");
    let length = |name: &str| -> f64 {
        let (_, rest) = picture.split_once(&format!(" {name}=\"")).expect(name);
        rest.split('"')
            .next()
            .expect("an end")
            .parse()
            .expect("a number")
    };
    let (width, height) = (length("width"), length("height"));
    let file = soon(get(cluster.http(), source, None)).await;
    assert_eq!(file.status, 200);
    // The page does not move when the drawing arrives.
    let (_, sides) = file.text.split_once("viewBox=\"0 0 ").expect("a size");
    let sides = sides.split('"').next().expect("an end").split(' ');
    let sides: Vec<f64> = sides.map(|side| side.parse().expect("a number")).collect();
    assert!((width - sides[0]).abs() <= 1.0 && (height - sides[1]).abs() <= 1.0);
    // The drawing is in the cache now.
    let page = shown(&cluster, path).await;
    assert!(page.contains("<figure class=\"drawing\"><svg "), "{page}");
}

#[tokio::test]
async fn a_match_from_a_page_about_misere_play_is_misere() {
    let cluster = Cluster::start().await;
    for (query, play) in [("", "normal"), ("?play=misere", "misere")] {
        let page = shown(&cluster, &format!("/positions/0*3{query}")).await;
        let link = format!("href=\"/board?position=0*3&amp;play={play}&amp;");
        assert!(page.contains(&link), "{link}: {page}");
        assert!(page.contains("Open in the editor"), "{page}");
    }
}
