//! The pages for people.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use sha2::{Digest, Sha256};
use sproutnet_model::{BIBTEX, Solved, references};
use sproutnet_proto::v1;
use sproutnet_solver::play::{Outcome, Play};

use crate::browser::{Page, ask, get, html, post};
use sproutnet_testkit::cluster::facts::children;
use sproutnet_testkit::cluster::hand::{outcome, unsolved};
use sproutnet_testkit::cluster::{
    Cluster, cancel, end, list, now, soon, start, start_as, start_request,
};

/// The text of a page that is shown without a problem.
pub(crate) async fn shown(cluster: &Cluster, path: &str) -> String {
    let page = soon(get(cluster.http(), path, None)).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text);
    check(&page);
    page.text
}

/// Checks the HTML and the headers of a page.
pub(crate) fn check(page: &Page) {
    html::check(&page.text).unwrap_or_else(|problem| panic!("{problem}\n{}", page.text));
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.starts_with("default-src 'self';") && !policy.contains("unsafe"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    // The front page may be kept, but is asked for again.
    let kept = page.header("cache-control").expect("a rule");
    assert!(["no-store", "no-cache"].contains(&kept), "{kept}");
}

#[tokio::test]
async fn the_first_page_that_a_browser_opens_has_the_style_in_it() {
    let cluster = Cluster::start().await;
    for path in ["/", "/help", "/board", "/nothing"] {
        let opened = [("Accept", "text/html"), ("Sec-Fetch-Dest", "document")];
        let page = soon(ask(cluster.http(), "GET", path, &opened, "")).await;
        let (_, style) = page.text.split_once("<style>").expect("a style");
        let (style, rest) = style.split_once("</style>").expect("its end");
        assert!(
            style.contains(".skip") && !rest.contains("<style"),
            "{path}"
        );
        assert!(!page.text.contains("rel=\"stylesheet\""), "{path}");
        // The policy allows this style, and no other.
        let source = format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(style)));
        let policy = format!("; style-src 'self' {source}; ").to_lowercase();
        let policies = page.header("content-security-policy").expect("a policy");
        assert!(policies.contains(&policy), "{path}: {policies}");
        // The browser fetches the file for the next pages.
        assert!(
            rest.contains("<link rel=\"prefetch\" as=\"style\""),
            "{path}"
        );
        // Scripts, programs, and pages that follow get a link, and keep the file.
        for (destination, site) in [
            ("empty", "same-origin"),
            ("", ""),
            ("document", "same-origin"),
        ] {
            let fetched = [
                ("Accept", "text/html"),
                ("Sec-Fetch-Dest", destination),
                ("Sec-Fetch-Site", site),
            ];
            let fetched = soon(ask(cluster.http(), "GET", path, &fetched, "")).await;
            assert!(!fetched.text.contains("<style"), "{path}");
            assert!(fetched.text.contains("rel=\"stylesheet\""), "{path}");
            for header in ["vary: sec-fetch-dest", "vary: sec-fetch-site"] {
                let headers = &fetched.headers;
                assert!(headers.contains(header), "{path}: {headers}");
            }
        }
    }
}

#[tokio::test]
async fn an_idle_coordinator_says_what_to_do_next() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/").await;
    for text in [
        "No worker is connected.",
        "sproutnet-worker --coordinator",
        "No computation has been started yet.",
        "title=\"0*104, normal: loss for the player to move, literature: SPOTS 2025\"",
        "title=\"0*63, normal: open\"",
        "aria-label=\"63, 0*63, normal: open\"",
        "aria-label=\"4 L, 0*4, misère: loss for the player to move, ",
        "title=\"0*4, misère: loss for the player to move, proved by Sproutnet, certificate \
         misere-4, not as conjectured\"",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // Nine rows of twelve under normal play, three under misère play.
    assert_eq!(page.matches("<td>").count(), 144);
}

#[tokio::test]
async fn help_shows_what_is_written_and_what_words_mean() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/help").await;
    // Each drawing of the notation is there, and leads to its position.
    let drawings = page
        .split(" src=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let drawings: Vec<_> = drawings
        .filter(|path| path.ends_with("/drawing.svg"))
        .collect();
    assert!(drawings.len() >= 6, "{page}");
    for path in drawings {
        let drawing = soon(get(cluster.http(), path, None)).await;
        assert_eq!(drawing.status, 200, "{path}");
        let position = path.strip_suffix("/drawing.svg").expect("a drawing");
        assert!(page.contains(&format!("href=\"{position}\"")), "{position}");
        // It is written canonically: its page does not lead elsewhere.
        let position = soon(get(cluster.http(), position, None)).await;
        assert_eq!(position.status, 200, "{path}");
    }
    for text in [
        "<dt id=\"dead-spot\">Dead spot</dt>",
        "<dt>kayles</dt>",
        "/api/v1/openapi.json",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let front = shown(&cluster, "/").await;
    assert!(front.contains("<a href=\"/help\">Help</a>"));
}

#[tokio::test]
async fn references_are_a_page_and_a_file() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/references").await;
    for reference in references() {
        assert!(page.contains(&format!("<li id=\"{}\">", reference.key)));
    }
    let file = soon(get(cluster.http(), "/references.bib", None)).await;
    assert_eq!((file.status, &*file.text), (200, BIBTEX));
    // An outcome that Sproutnet proved is not shown as published.
    let table = shown(&cluster, "/").await;
    let label =
        "0*21, misère: loss for the player to move, proved by Sproutnet, certificate misere-21";
    assert!(table.contains(&format!("title=\"{label}\"")));
    let position = shown(&cluster, "/positions/0*21").await;
    let proved = "Proved by Sproutnet, certificate misere-21 of ";
    assert!(position.contains(proved) && position.contains(", not solved here."));
    let answer = soon(get(
        cluster.http(),
        "/api/v1/positions/0*21?within_ms=0",
        None,
    ))
    .await;
    let standing = answer.json()["misere"].clone();
    assert_eq!(standing["source"], "atlas");
    assert_eq!(
        standing["citation"],
        "proved by Sproutnet, certificate misere-21"
    );
    let contract = soon(get(cluster.http(), "/api/v1/openapi.json", None))
        .await
        .json();
    let sources = &contract["components"]["schemas"]["Source"];
    assert!(sources.to_string().contains("\"atlas\""), "{sources}");
}

#[tokio::test]
async fn the_tables_show_what_runs_and_what_was_solved() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut worker = cluster.worker("a <b>worker</b>").await;
    let solved = start(&mut client, "0*6").await;
    let page = shown(&cluster, "/").await;
    let label = "\"0*6, normal: loss for the player to move, proved by Sproutnet, certificate normal-6; in progress\"";
    assert!(page.contains(label), "{page}");
    assert!(page.contains("a &lt;b&gt;worker&lt;/b&gt;"), "{page}");
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, solved).await;
    let page = shown(&cluster, "/").await;
    assert!(page.contains("\"0*6, normal: loss for the player to move, solved here\""));
    assert!(page.contains("class=\"start loss here\""));
    let page = shown(&cluster, &format!("/computations/{solved}")).await;
    assert!(page.contains("A loss for the player to move"), "{page}");
    assert!(!page.contains("/cancel"), "{page}");
}

#[tokio::test]
async fn a_computation_is_started_paused_resumed_and_cancelled() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let form = "position=+0*3.AB%7C0.AB%2B0*9&play=misere";
    let started = soon(post(cluster.http(), "/computations", form)).await;
    assert_eq!(started.status, 303, "{}", started.text);
    let path = started.header("location").expect("a way on").to_owned();
    assert_eq!(path, "/computations/1");
    let [computation] = &list(&mut client).await[..] else {
        panic!("one was started");
    };
    assert_eq!(computation.play(), v1::Play::Misere);
    for (change, status, text) in [
        ("pause", v1::Status::Paused, "Paused after"),
        ("resume", v1::Status::Running, "In progress"),
        ("cancel", v1::Status::Cancelled, "Cancelled after"),
    ] {
        let changed = soon(post(cluster.http(), &format!("{path}/{change}"), "")).await;
        assert_eq!(changed.status, 303, "{}", changed.text);
        assert_eq!(changed.header("location"), Some(&*path));
        assert_eq!(now(&mut client, 1).await.status(), status);
        let page = shown(&cluster, &path).await;
        assert!(page.contains(text), "{page}");
    }
    let again = soon(post(cluster.http(), &format!("{path}/pause"), "")).await;
    assert_eq!(again.status, 409);
    check(&again);
    let both = soon(post(
        cluster.http(),
        "/computations",
        "position=0*9&play=both",
    ))
    .await;
    assert_eq!(both.status, 303);
    assert_eq!(list(&mut client).await.len(), 3);
    shown(&cluster, "/").await;
}

#[tokio::test]
async fn open_branches_are_listed_with_the_jobs_that_are_out() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut worker = cluster.worker("one").await;
    let id = start(&mut client, "0*7").await;
    let path = format!("/computations/{id}");
    assert!(shown(&cluster, &path).await.contains("may still win"));
    let root = worker.job().await;
    let split = unsolved(root.lease, children(&root));
    worker.report(split).await.expect("taken");
    worker.job().await;
    let page = shown(&cluster, &path).await;
    assert!(page.contains("href=\"/positions/0*5.1a1a\""), "{page}");
    let out = page.matches("data-label=\"Jobs out\">1<").count();
    assert_eq!(out, 1, "{page}");
}

#[tokio::test]
async fn how_a_computation_went_is_seen_after_a_restart() {
    let mut cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut worker = cluster.worker("one").await;
    let id = start(&mut client, "0*9").await;
    let path = format!("/computations/{id}");
    worker.job().await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    let paused = soon(post(cluster.http(), &format!("{path}/pause"), "")).await;
    assert_eq!(paused.status, 303);
    let curve = |page: &str| {
        let (_, rest) = page
            .split_once("<path class=\"curve win\" d=\"")
            .expect("a curve");
        rest.split_once('"').expect("an end").0.to_owned()
    };
    let before = curve(&shown(&cluster, &path).await);
    assert!(before.starts_with('M') && before.contains('L'), "{before}");
    cluster.restart().await;
    // The numbers are those of the end, until the proof is taken up again.
    let infinite = shown(&cluster, &path).await.contains("<b>∞</b>");
    assert!(!infinite);
    assert_eq!(curve(&shown(&cluster, &path).await), before);
}

#[tokio::test]
async fn what_cannot_be_shown_is_a_page_too() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    for (path, status, text) in [
        ("/nothing", 404, "name=\"position\""),
        ("/computations/7", 404, "There is no such computation."),
        ("/computations/x", 404, "There is no such computation."),
        ("/positions?position=0*8%3B%3Cx", 400, "0*8;&lt;x\n   ^"),
        (
            "/positions?position=chess:e4",
            400,
            "there is no game called",
        ),
        ("/positions", 400, "A position is expected."),
    ] {
        let page = soon(get(address, path, None)).await;
        assert_eq!(page.status, status, "{path}");
        let text = page.text.to_lowercase().contains(&text.to_lowercase());
        assert!(text, "{path}: {}", page.text);
        check(&page);
    }
    for form in [
        "",
        "position=0*8",
        "position=0*8&play=other",
        "position=0*&play=both",
    ] {
        let page = soon(post(address, "/computations", form)).await;
        assert_eq!(page.status, 400, "{form}");
        check(&page);
    }
    let unknown = soon(post(address, "/computations/7/pause", "")).await;
    assert_eq!(unknown.status, 404);
    let unknown = soon(post(address, "/computations/7/explode", "")).await;
    assert_eq!(unknown.status, 404);
    let found = soon(get(address, "/positions?position=0*3.AB%7C0.AB", None)).await;
    assert_eq!(found.status, 303);
    assert_eq!(found.header("location"), Some("/positions/0*3.ab%7c0.ab"));
}

#[tokio::test]
async fn other_sites_and_names_are_refused() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    let own = format!("http://{address}");
    let form = "position=0*9&play=normal";
    for (header, status) in [
        (("Sec-Fetch-Site", "cross-site"), 403),
        (("Sec-Fetch-Site", "same-site"), 403),
        (("Origin", "http://example.org"), 403),
        (("Origin", "null"), 403),
        (("Origin", &*own), 303),
    ] {
        let page = soon(ask(address, "POST", "/computations", &[header], form)).await;
        assert_eq!(page.status, status, "{header:?}");
    }
    for path in ["/", "/metrics", "/computations/1"] {
        let other = [("Host", "example.org")];
        let page = soon(ask(address, "GET", path, &other, "")).await;
        assert_eq!(page.status, 403, "{path}");
        let local = [("Host", "localhost:80")];
        let page = soon(ask(address, "GET", path, &local, "")).await;
        assert_eq!(page.status, 200, "{path}");
    }
}

#[tokio::test]
async fn the_style_and_the_script_are_kept_for_ever() {
    let cluster = Cluster::start().await;
    let page = shown(&cluster, "/").await;
    let paths: Vec<&str> = page
        .split('"')
        .filter(|part| part.starts_with("/static/"))
        .collect();
    assert_eq!(paths.len(), 3, "{paths:?}");
    for path in paths {
        let file = soon(get(cluster.http(), path, None)).await;
        assert_eq!(file.status, 200, "{path}");
        let kept = file.header("cache-control").expect("told");
        assert!(kept.contains("immutable"), "{kept}");
        let kind = file.header("content-type").expect("told");
        let kinds = ["text/css", "text/javascript", "image/svg+xml"];
        assert!(kinds.iter().any(|known| kind.starts_with(known)), "{kind}");
    }
}

/// The record of a solved start position with this number of spots.
fn took(spots: u32, seconds: f64, expansions: u64) -> Solved {
    Solved {
        game: "sprouts".to_owned(),
        position: format!("0*{spots}"),
        play: Play::Misere,
        outcome: Outcome::Loss,
        nimber: None,
        seconds,
        expansions,
        records: 9,
        solved_at: 1_795_000_000,
        computation: None,
    }
}

#[tokio::test]
async fn an_estimate_is_told_before_and_compared_afterwards() {
    let mut cluster = Cluster::start().await;
    cluster.kill().await;
    // Twice the work with each spot, a thousand expansions a second: exactly 512 seconds are expected.
    for (spots, seconds) in [(26, 64.0), (27, 128.0), (28, 256.0)] {
        cluster.plant(&took(spots, seconds, 1_000 * seconds as u64));
    }
    cluster.run().await;
    let mut client = cluster.client().await;
    let as_misere = |position| v1::StartRequest {
        play: v1::Play::Misere.into(),
        ..start_request(position)
    };
    let id = start_as(&mut client, as_misere("0*29")).await;
    let estimate = now(&mut client, id)
        .await
        .estimate
        .expect("it is estimated");
    assert_eq!(estimate.behind, 3);
    assert!((estimate.low - 512.0).abs() < 1e-3 && (estimate.high - 512.0).abs() < 1e-3);
    // Another convention, a distant start, or no start: there is nothing to estimate from.
    for (position, play) in [
        ("0*29", v1::Play::Normal),
        ("0*40", v1::Play::Misere),
        ("0*28.1a1a", v1::Play::Misere),
    ] {
        let request = v1::StartRequest {
            play: play.into(),
            ..start_request(position)
        };
        let other = start_as(&mut client, request).await;
        assert_eq!(now(&mut client, other).await.estimate, None, "{position}");
        cancel(&mut client, other).await;
    }
    let path = format!("/computations/{id}");
    let told = "It may take about 8.5 min of work, judging by 3 smaller starts that were solved.";
    assert!(shown(&cluster, &path).await.contains(told));
    // The estimate is kept with the computation.
    cluster.end().await;
    cluster.run().await;
    let mut client = cluster.client().await;
    assert!(shown(&cluster, &path).await.contains(told));
    let json = soon(get(cluster.http(), &format!("/api/v1{path}"), None))
        .await
        .json();
    assert_eq!(json["estimate"]["behind"], 3, "{json}");
    let mut worker = cluster.worker("desk").await;
    let lease = worker.job().await.lease;
    worker
        .report(outcome(lease, Outcome::Win))
        .await
        .expect("taken");
    let last = end(&mut client, id).await;
    assert_eq!(last.estimate, Some(estimate));
    let page = shown(&cluster, &path).await;
    assert!(page.contains("It took 0."), "{page}");
    assert!(page.contains(" s; estimated were about 8.5 min."), "{page}");
}

#[tokio::test]
async fn the_front_page_is_sent_only_if_it_changed_and_never_loads_itself_again() {
    let cluster = Cluster::start().await;
    let first = get(cluster.http(), "/", None).await;
    // A reload without scripts would wipe the form.
    assert!(!first.text.contains("http-equiv=\"refresh\""));
    let tag = first.tag().expect("a tag");
    let again = ask(cluster.http(), "GET", "/", &[("If-None-Match", &*tag)], "").await;
    assert_eq!((again.status, &*again.text), (304, ""));
}
