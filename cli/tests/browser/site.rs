//! A static site in a browser, with the real WebAssembly module: `SPROUTNET_TEST_WASM` names it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fantoccini::wd::TimeoutConfiguration;
use fantoccini::{Client, Locator};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sproutnet_game as game;
use tempfile::TempDir;

use crate::accessible::{checker, look_at};
use crate::chromium::Chromium;
use crate::command::run;
use crate::visit::turn;

const ATLAS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../atlas");

/// The time limit of each wait, on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The folder under which the site is served, as on a shared host.
const PREFIX: &str = "/some/where/";

/// Writes a site into a folder.
fn written() -> TempDir {
    let module =
        std::env::var("SPROUTNET_TEST_WASM").expect("SPROUTNET_TEST_WASM names the module");
    let data = tempfile::tempdir().expect("a folder");
    let site = data.path().join("site");
    let arguments = [
        "site",
        &*site.to_string_lossy(),
        "--wasm",
        &*module,
        "--atlas",
        ATLAS,
    ];
    run(data.path(), &arguments).with_code(0);
    data
}

/// Serves a folder until the test ends, and returns the address.
pub(crate) fn served(folder: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let folder = folder.clone();
            thread::spawn(move || answer(&connection, &folder));
        }
    });
    format!("http://{address}{PREFIX}")
}

/// Answers one request, as any web server does.
fn answer(mut connection: &TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(connection).lines().map_while(Result::ok);
    let request = lines.next()?;
    lines.find(String::is_empty)?;
    let path = request.split(' ').nth(1)?.strip_prefix(PREFIX);
    let path = path.filter(|path| !path.contains("..")).unwrap_or("none");
    let kind = match path.rsplit_once('.')?.1 {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let (status, content) = match fs::read(folder.join(path)) {
        Ok(content) => ("200 OK", content),
        Err(_) => ("404 Not Found", Vec::new()),
    };
    let length = content.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    connection.write_all(head.as_bytes()).ok()?;
    connection.write_all(&content).ok()
}

/// Shows a site to a browser.
pub(crate) fn with_browser(steps: impl AsyncFnOnce(&Client, &Path)) {
    let _turn = turn();
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().expect("a runtime");
    let data = written();
    let chromium = runtime.block_on(Chromium::start(true));
    // The browser must be ended even if the steps panic.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        runtime.block_on(async {
            let client = &chromium.client;
            let patient = TimeoutConfiguration::new(Some(PATIENCE), None, None);
            client.update_timeouts(patient).await.expect("a time limit");
            steps(client, &data.path().join("site")).await;
        });
    }));
    runtime.block_on(chromium.end());
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// The text of the first element that matches a selector; waits for it.
async fn text(client: &Client, selector: &str) -> String {
    let wait = client.wait().at_most(PATIENCE);
    let element = wait.for_element(Locator::Css(selector)).await;
    let Ok(element) = element else {
        let body = client.find(Locator::Css("body")).await.expect("a page");
        panic!("no {selector}: {}", body.text().await.unwrap_or_default());
    };
    element.text().await.expect("a text")
}

/// Presses the button that checks a certificate of the list.
async fn press_check(client: &Client, name: &str) {
    let button = format!("button[aria-label='check {name}']");
    let wait = client.wait().at_most(PATIENCE);
    let button = wait.for_element(Locator::Css(&button)).await;
    button.expect("a button").click().await.expect("clicked");
}

/// The parts of an answer that do not depend on what was known before, nor on the machine's rounding.
fn told(answer: &Value) -> Value {
    let moves = answer["moves"].as_array().into_iter().flatten();
    let mut moves: Vec<String> = moves
        .map(|of| format!("{} {} {}", of["canonical"], of["normal"], of["misere"]))
        .collect();
    moves.sort_unstable();
    let part = |name: &str| answer[name].clone();
    json!({
        "canonical": part("canonical"), "normal": part("normal"), "misere": part("misere"),
        "nimber": part("nimber"), "most_moves": part("most_moves"), "citations": part("citations"),
        "note": part("note"), "problem": part("problem"), "moves": moves,
        "has_picture": answer["picture"].is_string(),
    })
}

/// Positions of all games: examples and small starts.
fn positions() -> Vec<String> {
    let mut all = vec!["0*40".to_owned(), "0*x".to_owned()];
    for game in game::all() {
        let examples = game.info().examples.iter().map(|&text| text.to_owned());
        let starts = (0..7).filter_map(|size| game.start_text(size));
        let texts = examples.chain(starts);
        all.extend(texts.map(|text| game::qualified(&*game, &text)));
    }
    all
}

#[test]
#[ignore = "needs Chromium and the WebAssembly module"]
fn the_browser_finds_what_this_machine_finds() {
    with_browser(async |client, site| {
        let page = served(site.to_owned()) + "look-up.html";
        client.goto(&page).await.expect("a page");
        let script = "const [text, done] = arguments;
            ask('look_up', new TextEncoder().encode(text)).then(done, (error) => done({ error: String(error) }));";
        let positions = positions();
        assert!(positions.len() > 60, "{}", positions.len());
        for position in positions {
            let answer = client.execute_async(script, vec![json!(position)]).await;
            let found = told(&answer.expect("an answer"));
            let expected = serde_json::to_value(sproutnet_browser::look_up(&position));
            assert_eq!(found, told(&expected.expect("JSON")), "{position}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and the WebAssembly module"]
fn the_browser_checks_certificates() {
    with_browser(async |client, site| {
        let name = |name: &str| site.join(format!("certificates/{name}.sprout"));
        let good = fs::read(name("misere-7")).expect("a certificate");
        fs::write(name("misere-8"), &good[..good.len() / 2]).expect("a damaged file");
        let mut lines = String::new();
        let read = GzDecoder::new(&*good).read_to_string(&mut lines);
        read.expect("a text");
        let lie = if lines.contains("outcome: win") {
            lines.replace("outcome: win", "outcome: loss")
        } else {
            lines.replace("outcome: loss", "outcome: win")
        };
        let mut file = GzEncoder::new(Vec::new(), Compression::fast());
        file.write_all(lie.as_bytes()).expect("compressed");
        fs::write(name("misere-9"), file.finish().expect("a file")).expect("a false certificate");
        fs::remove_file(name("misere-10")).expect("removed");

        let page = served(site.to_owned()) + "certificates.html";
        client.goto(&page).await.expect("a page");
        press_check(client, "misere-12").await;
        let accepted = text(client, "#checked.accepted").await;
        assert!(
            accepted.contains("misere-12: accepted. 0*12 is a"),
            "{accepted}"
        );
        for (name, why) in [
            ("misere-8", "refused"),
            ("misere-9", "does not follow"),
            ("misere-10", "404"),
        ] {
            press_check(client, name).await;
            let selector = "#checked.wrong";
            let wait = async || loop {
                let said = text(client, selector).await;
                if said.starts_with(&format!("{name}:")) {
                    break said;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            };
            let said = tokio::time::timeout(PATIENCE, wait()).await;
            let said = said.expect("a verdict in time");
            assert!(said.contains(why), "{said}");
        }
    });
}

#[test]
#[ignore = "needs Chromium and the WebAssembly module"]
fn a_site_is_fit_for_all() {
    with_browser(async |client, site| {
        let address = served(site.to_owned());
        let checker = checker();
        for (page, shown) in [
            ("index.html", "main"),
            ("certificates.html", "button[aria-label='check misere-6']"),
            ("look-up.html#0*5", "#found .verdict.win"),
            ("play.html", "form.begin"),
            ("play.html#/board/4?play=misere", "#match"),
            ("play.html#/puzzles", "ul.boards"),
            ("starts/5.html", "main"),
            ("references.html", "main"),
        ] {
            client
                .goto(&format!("{address}{page}"))
                .await
                .expect("a page");
            text(client, shown).await;
            let name = format!("site-{}", page.replace(['/', '.', '#', '*', '?', '='], "-"));
            look_at(client, &name, checker.as_deref()).await;
        }
    });
}

#[test]
#[ignore = "needs Chromium and the WebAssembly module"]
fn a_site_works_as_files() {
    with_browser(async |client, site| {
        let address = |page: &str| format!("file://{}/{page}", site.display());
        client
            .goto(&address("look-up.html#0*5"))
            .await
            .expect("a page");
        let verdict = text(client, "#found .verdict.win").await;
        assert!(verdict.contains("the player to move wins"), "{verdict}");
        let style = "return getComputedStyle(document.querySelector('.skip')).position";
        let styled = client.execute(style, Vec::new()).await;
        assert_eq!(styled.expect("a style"), "absolute");
        client
            .goto(&address("certificates.html"))
            .await
            .expect("a page");
        let field = client.find(Locator::Css("#file")).await.expect("a field");
        let file = site.join("certificates/misere-6.sprout");
        field
            .send_keys(&file.to_string_lossy())
            .await
            .expect("chosen");
        let accepted = text(client, "#checked.accepted").await;
        assert!(
            accepted.contains("which is misere-6 of the list"),
            "{accepted}"
        );
    });
}
