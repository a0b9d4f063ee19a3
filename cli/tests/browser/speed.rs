//! The response time of requests without a search, and the time to the first paint of pages.
//!
//! `SPROUTNET_STORE=FOLDER` measures on that store, which it changes slightly, at full length and with the strict
//! limits (docs/lab/2026-11-25-page-speed.md). Without it, the store is small, and the limits allow for a slow and busy
//! machine.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::devtools::{self, DESKTOP, PHONE, Scheme, Screen};
use crate::processes::Fleet;
use crate::visit::{Visit, visit};

/// The time limits of a request, and of the first paint of a page.
const ANSWER: Duration = Duration::from_millis(50);
const PAINT: Duration = Duration::from_millis(100);

/// The pause after each page, with `SPROUTNET_STORE`: a browser still draws when it says that it is idle.
const PAUSE: Duration = Duration::from_millis(200);

/// The factor on the limits without `SPROUTNET_STORE`, for a slow or busy machine.
const SLOW: u32 = 8;

/// The measured requests. A store has an answer to each, or says at once that it has none.
const REQUESTS: [&str; 78] = [
    "/",
    "/help",
    "/references",
    "/references.bib",
    "/login",
    "/board",
    "/computations/1",
    "/positions?position=0*8",
    "/positions/0*8",
    "/positions/0*21?play=misere",
    "/positions/0*30",
    "/positions/0*47?play=misere",
    "/positions/0*333",
    "/positions/0*3.1a1a",
    "/positions/0*4.AB%7C0*5.AB",
    "/positions/0*8%2B0*9%2B0*10",
    "/positions/0*3.AB%7C0*2.AB%2B0*9%2B0*21",
    "/positions/kayles:3%2B5",
    "/positions/kayles:300?play=misere",
    "/positions/octal(0.77):1000",
    "/positions/cram:64x64",
    "/positions/!",
    "/positions/0*3.1a1a/drawing.svg",
    "/positions/0*14.1a1a/drawing.svg",
    "/positions/0*9.AB%7C0*10.AB/drawing.svg",
    "/positions/0*333/drawing.svg",
    "/positions/0*4.AB%7C0*5.AB/drawing.svg?thumbnail=1",
    "/board?position=0*8",
    "/board?position=0*3.1a1a",
    "/board/3?you=both",
    "/board/12?you=both",
    "/board/12?you=both&spot=1",
    "/board/12?you=both&spot=1&to=2",
    "/board/12?you=both&spot=1&to=1",
    "/board/20?you=both",
    "/board/20?you=both&spot=1&to=1",
    "/board/12/picture.svg?you=both&spot=1&to=2&way=0",
    "/board/12/picture.svg?you=both&spot=1&to=1&way=3",
    MATCH,
    "/lesson/1",
    "/puzzles",
    "/metrics",
    "/healthz",
    "/api/v1/openapi.json",
    "/api/v1/fleet",
    "/api/v1/audit-log",
    "/api/v1/certificates",
    "/api/v1/games",
    "/api/v1/games/kayles",
    "/api/v1/sequences/kayles",
    "/api/v1/quotients/octal(0.3)",
    "/api/v1/computations",
    "/api/v1/computations/1",
    "/api/v1/computations/1/explanation",
    "/api/v1/tables/normal?within_ms=0",
    "/api/v1/tables/misere?within_ms=0",
    "/api/v1/tables/normal?game=kayles&within_ms=0",
    "/api/v1/positions/0*8?within_ms=0",
    "/api/v1/positions/0*30?within_ms=0",
    "/api/v1/positions/0*333?within_ms=0",
    "/api/v1/positions/kayles:300?within_ms=0",
    "/api/v1/positions?position=0*8&within_ms=0",
    "/api/v1/moves?position=0*8&within_ms=0",
    "/api/v1/line?position=0*8&within_ms=0",
    "/api/v1/positions/0*8/moves?within_ms=0",
    "/api/v1/positions/0*30/moves?within_ms=0&play=misere",
    "/api/v1/positions/0*333/moves?within_ms=0",
    "/api/v1/positions/0*9.AB%7C0*10.AB/moves?within_ms=0",
    "/api/v1/positions/kayles:300/moves?within_ms=0",
    "/api/v1/positions/0*8/line?within_ms=0",
    "/api/v1/positions/0*21/line?within_ms=0&play=misere",
    "/api/v1/positions/0*30/line?within_ms=0",
    "/api/v1/positions/0*333/line?within_ms=0",
    "/api/v1/positions/kayles:300/line?within_ms=0&play=misere",
    "/api/v1/positions/cram:64x64/line?within_ms=0",
    "/api/v1/positions/octal(0.77):1000/line?within_ms=0&play=misere",
    "/api/v1/positions/kayles:300%2B299%2B298/line?within_ms=0&play=misere",
    "/api/v1/positions/kayles:300%2B299%2B298/line?within_ms=0",
];

/// The placeholder for the address of a match on twelve spots.
const MATCH: &str = "MATCH";

/// The pages whose first paint is measured.
const PAGES: [&str; 12] = [
    "/",
    "/help",
    "/references",
    "/board",
    "/computations/1",
    "/positions/0*8",
    "/positions/0*30",
    "/positions/0*333",
    "/positions/0*9.AB%7C0*10.AB",
    "/board?position=0*3.1a1a",
    "/board/12?you=both",
    "/board/12?you=both&spot=1&to=1",
];

/// The store of `SPROUTNET_STORE`.
fn store() -> Option<PathBuf> {
    std::env::var_os("SPROUTNET_STORE").map(PathBuf::from)
}

/// A coordinator on that store; without one, on a new store with a few solved positions.
fn fleet() -> Fleet {
    let Some(store) = store() else {
        let fleet = Fleet::start_open(1);
        for position in ["0*8", "0*10"] {
            let solve = ["solve", position, "--play", "both"];
            fleet.commands().run(&solve).with_code(0);
        }
        return fleet;
    };
    Fleet::start_open_on(store)
}

/// A limit, times [`SLOW`] if there is no `SPROUTNET_STORE`.
fn limit(of: Duration) -> Duration {
    of * store().map_or(SLOW, |_| 1)
}

/// The median and the maximum of times.
fn middle_and_worst(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort_unstable();
    [times[times.len() / 2], times[times.len() - 1]]
}

fn in_ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[test]
fn requests_that_search_for_nothing_are_answered_at_once() {
    let fleet = fleet();
    let times = store().map_or(10, |_| 50);
    let long = long_match(&fleet);
    println!("   first      p50    worst      cpu    bytes  request (ms)");
    let mut slow = Vec::new();
    for request in REQUESTS {
        let path = if request == MATCH { &*long } else { request };
        let ask = || {
            let began = Instant::now();
            let (status, text) = fleet.page(path);
            assert!(status < 400, "{path}: {status} {text}");
            (began.elapsed(), text.len())
        };
        // The first request may search and draw, so it does not count.
        let (first, bytes) = ask();
        let busy = fleet.time_on_cores();
        let [middle, worst] = middle_and_worst((0..times).map(|_| ask().0).collect());
        let busy = fleet.time_on_cores().saturating_sub(busy) / times;
        let [first_ms, middle_ms, worst_ms, busy_ms] = [first, middle, worst, busy].map(in_ms);
        println!(
            "{first_ms:8.1} {middle_ms:8.1} {worst_ms:8.1} {busy_ms:8.1} {bytes:8}  {request}"
        );
        // Other work on the machine does not increase the coordinator's processor time.
        if middle > limit(ANSWER) || busy > limit(ANSWER) {
            slow.push(format!(
                "{path}: {middle_ms:.1} ms, {busy_ms:.1} ms of processor time"
            ));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// [`REQUESTS`] contains every GET request of the API, except for event streams and downloads.
#[test]
fn all_that_the_api_tells_is_asked() {
    let fleet = Fleet::start_open(0);
    let (_, contract) = fleet.page("/api/v1/openapi.json");
    let contract: serde_json::Value = serde_json::from_str(&contract).expect("JSON");
    let paths = contract["paths"].as_object().expect("paths");
    let told = paths.iter().filter(|(_, what)| what.get("get").is_some());
    // An event stream lasts as long as its computation, an export has the whole store, and the coordinator here has no
    // files of the atlas.
    let told: Vec<&String> = told
        .map(|(path, _)| path)
        .filter(|path| !path.ends_with("/events"))
        .filter(|path| !["/certificates/{name}", "/export"].contains(&path.as_str()))
        .collect();
    assert!(told.len() > 5, "{told:?}");
    let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let asked = REQUESTS.iter().filter_map(|request| {
        let request = request.strip_prefix("/api/v1")?;
        Some(parts(request.split('?').next()?))
    });
    let asked: Vec<Vec<String>> = asked.collect();
    for path in told {
        let path = parts(path);
        let fits = |asked: &Vec<String>| {
            let mut pairs = path.iter().zip(asked);
            path.len() == asked.len()
                && pairs.all(|(part, asked)| part.starts_with('{') || part == asked)
        };
        assert!(asked.iter().any(fits), "{path:?} is not asked");
    }
}

/// The address of a match on twelve spots, after six moves that join the neighbouring pairs.
fn long_match(fleet: &Fleet) -> String {
    let mut path = "/board/12?you=both&play=normal&level=perfect".to_owned();
    for spot in (1..12).step_by(2) {
        let asked = format!("{path}&spot={spot}&to={}&way=0", spot + 1);
        path = fleet.leads_to(&asked).expect("a move");
    }
    path
}

/// The time from the navigation to the shown page until its first contentful paint. Returns when the page is at rest, so
/// that its other work does not delay the next page. Asks only once the page should be painted, because questions delay it
/// as well.
async fn painted(visit: &Visit, path: &str) -> Duration {
    let script = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";
    let rest = "return new Promise((rests) => requestIdleCallback(() => rests(true)))";
    let deadline = Instant::now() + Duration::from_secs(20);
    tokio::time::sleep(PAINT).await;
    loop {
        // A marked page is the one before.
        if !visit.is_marked().await {
            let time = visit.ask(script).await.as_f64().expect("a time");
            if time > 0.0 {
                visit.ask(rest).await;
                if store().is_some() {
                    tokio::time::sleep(PAUSE).await;
                }
                return Duration::from_secs_f64(time / 1e3);
            }
        }
        assert!(Instant::now() < deadline, "{path} is not painted");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The first paint of a page that is opened as the first of the site: its style is in it.
async fn opened(visit: &Visit, path: &str) -> Duration {
    visit.open(path).await;
    painted(visit, path).await
}

/// The first paint of a page to which a page of the site leads: its style is in the cache.
async fn followed(visit: &Visit, path: &str) -> Duration {
    visit.mark().await;
    visit.ask(&format!("location.assign('{path}')")).await;
    painted(visit, path).await
}

#[test]
#[ignore = "needs Chromium"]
fn pages_are_painted_at_once() {
    visit(fleet, async |visit| {
        let times = store().map_or(3, |_| 9);
        let mut slow = Vec::new();
        println!("  opened: p50   worst   followed: p50   worst  first paint (ms)");
        for screen in [PHONE, DESKTOP] {
            devtools::show_on(&visit.client, screen, Scheme::Light).await;
            for path in PAGES {
                // This loads the drawings into the cache.
                opened(visit, path).await;
                let mut all = [Vec::new(), Vec::new()];
                for _ in 0..times {
                    all[0].push(opened(visit, path).await);
                    all[1].push(followed(visit, path).await);
                }
                let all = all.map(|times| middle_and_worst(times).map(in_ms));
                let Screen { name, .. } = screen;
                let [opened, followed] =
                    all.map(|[middle, worst]| format!("{middle:13.1} {worst:7.1}"));
                println!("{opened}   {followed}  {path}, {name}");
                for (how, [middle, _]) in ["opened", "followed"].iter().zip(all) {
                    if middle > in_ms(limit(PAINT)) {
                        slow.push(format!("{path}, {name}, {how}: {middle:.1} ms"));
                    }
                }
            }
        }
        assert!(slow.is_empty(), "{}", slow.join("\n"));
    });
}

/// Content below the first screen is laid out only after the first paint: links to it must still lead there.
#[test]
#[ignore = "needs Chromium"]
fn links_lead_to_what_is_below_the_first_screen() {
    visit(fleet, async |visit| {
        visit.open("/").await;
        let name = "return getComputedStyle(document.getElementById('tables')).animationName";
        assert_eq!(visit.ask(name).await, "after-first-paint");
        for (page, below) in [
            ("/", "after-tables"),
            ("/help", "glossary"),
            ("/references", "wikipedia"),
            ("/positions/0*8", "moves"),
        ] {
            visit.open(page).await;
            let height = format!(
                "return document.getElementById('{below}').getBoundingClientRect().top - innerHeight"
            );
            let below_the_screen = visit.ask(&height).await.as_f64();
            visit.open("/healthz").await;
            visit.open(&format!("{page}#{below}")).await;
            let top = format!(
                "const top = document.getElementById('{below}').getBoundingClientRect().top;
                return top >= 0 && top < innerHeight"
            );
            let is_in_sight = async || visit.ask(&top).await == true;
            assert!(below_the_screen > Some(0.0), "{page}#{below}");
            visit.until(below, is_in_sight).await;
            // It is not hidden again when the address changes later than the delay with which the page begins.
            let again = "return (async () => {
                const wait = (time) => new Promise((seen) => setTimeout(seen, time));
                await wait(300);
                let again = 0;
                addEventListener('animationstart', (event) => { again += event.animationName === 'after-first-paint'; });
                location.hash = 'content';
                location.hash = '';
                await wait(300);
                return again;
              })()";
            assert_eq!(visit.ask(again).await, 0, "{page}");
        }
    });
}

/// The policy of the page lets a browser fetch the style for the pages that follow.
#[test]
#[ignore = "needs Chromium"]
fn the_first_page_fetches_the_style_for_the_next() {
    visit(fleet, async |visit| {
        visit.open("/help").await;
        assert!(visit.has("head style").await && !visit.has("link[rel=stylesheet]").await);
        let fetched = "return performance.getEntriesByType('resource')
            .some(({ name, responseStatus }) => name.endsWith('/style.css') && responseStatus === 200)";
        let is_fetched = async || visit.ask(fetched).await == true;
        visit.until("the style", is_fetched).await;
        visit.mark().await;
        visit.ask("location.assign('/references')").await;
        visit.until_there_is("link[rel=stylesheet]").await;
        assert!(!visit.has("head style").await);
    });
}
