//! A visitor of a coordinator's pages, who reads, clicks and types.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::chromium::Chromium;
use crate::processes::Fleet;

/// The time limit of each wait, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time limit of a whole visit.
const LONGEST: Duration = Duration::from_mins(4);

/// The interval between two checks of a condition.
const PAUSE: Duration = Duration::from_millis(100);

/// The variable that marks a page. A reload removes it.
const MARK: &str = "window.sproutnetMark";

/// A coordinator, and a browser that shows its pages.
pub(crate) struct Visit {
    pub(crate) fleet: Fleet,
    pub(crate) client: Client,
    /// Another browser with its own cookies, and the client of the inactive browser.
    other: Option<(Chromium, Client)>,
}

/// Visits a coordinator with a browser.
pub(crate) fn visit(fleet: impl FnOnce() -> Fleet, steps: impl AsyncFnOnce(&mut Visit)) {
    visit_with(true, fleet, steps);
}

/// Visits a coordinator with a browser that runs no scripts.
pub(crate) fn visit_without_scripts(
    fleet: impl FnOnce() -> Fleet,
    steps: impl AsyncFnOnce(&mut Visit),
) {
    visit_with(false, fleet, steps);
}

fn visit_with(
    runs_scripts: bool,
    fleet: impl FnOnce() -> Fleet,
    steps: impl AsyncFnOnce(&mut Visit),
) {
    let _turn = turn();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let fleet = fleet();
    let chromium = runtime.block_on(Chromium::start(runs_scripts));
    let client = chromium.client.clone();
    let mut visit = Visit {
        fleet,
        client,
        other: None,
    };
    // The browser must be ended even if the steps panic.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let steps = async { tokio::time::timeout(LONGEST, steps(&mut visit)).await };
        runtime.block_on(steps).expect("the visit ends");
    }));
    if outcome.is_err() {
        let seen = async { tokio::time::timeout(PATIENCE, visit.seen()).await };
        if let Ok(seen) = runtime.block_on(seen) {
            eprintln!("{seen}");
        }
    }
    if let Some((other, _)) = visit.other.take() {
        runtime.block_on(other.end());
    }
    runtime.block_on(chromium.end());
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

/// Allows one visit at a time, because a browser, a coordinator and a worker keep a machine busy.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    // A failed visit does not spoil the next one.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Visit {
    /// Starts another browser.
    pub(crate) async fn bring_another(&mut self) {
        self.bring(true).await;
    }

    /// Starts another browser, which runs no scripts.
    pub(crate) async fn bring_another_without_scripts(&mut self) {
        self.bring(false).await;
    }

    async fn bring(&mut self, runs_scripts: bool) {
        let other = Chromium::start(runs_scripts).await;
        let client = other.client.clone();
        self.other = Some((other, client));
    }

    /// Makes the other browser the active one.
    pub(crate) fn swap(&mut self) {
        let (_, client) = self.other.as_mut().expect("another browser");
        std::mem::swap(&mut self.client, client);
    }

    /// Opens the page at a path, and waits until it is laid out to its end.
    pub(crate) async fn open(&self, path: &str) {
        let address = format!("{}{path}", self.fleet.pages());
        self.client.goto(&address).await.expect("a page");
        let laid_out =
            "const all = document.getAnimations().map(({ animationName }) => animationName);
            return !all.includes('after-first-paint')";
        self.until("the rest of the page", async || {
            // A browser without scripts does not say.
            let told = self.client.execute(laid_out, Vec::new()).await;
            !matches!(told, Ok(Value::Bool(false)))
        })
        .await;
    }

    /// The path and the query of the shown page.
    pub(crate) async fn path(&self) -> String {
        let address = self.client.current_url().await.expect("an address");
        let query = address.query().map(|query| format!("?{query}"));
        format!("{}{}", address.path(), query.unwrap_or_default())
    }

    /// The HTTP status of the shown page.
    pub(crate) async fn status(&self) -> u64 {
        let script = "return performance.getEntriesByType('navigation')[0].responseStatus";
        self.ask(script).await.as_u64().expect("a status")
    }

    /// The return value of a script.
    pub(crate) async fn ask(&self, script: &str) -> Value {
        let answer = self.client.execute(script, Vec::new()).await;
        answer.expect("an answer")
    }

    /// The text of the shown page.
    pub(crate) async fn text(&self) -> String {
        let body = self.element("body").await;
        body.text().await.unwrap_or_default()
    }

    /// The first element that matches a selector; waits for it.
    pub(crate) async fn element(&self, selector: &str) -> Element {
        self.located(Locator::Css(selector), selector).await
    }

    /// The first link or button whose text contains `name`; waits for it.
    pub(crate) async fn called(&self, name: &str) -> Element {
        let path = format!(
            "//*[self::a or self::button or self::summary][contains(normalize-space(.), '{name}')]"
        );
        self.located(Locator::XPath(&path), name).await
    }

    async fn located(&self, locator: Locator<'_>, name: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE).every(PAUSE);
        match wait.for_element(locator).await {
            Ok(element) => element,
            Err(error) => panic!("no {name}: {error}"),
        }
    }

    /// Whether an element matches a selector now.
    pub(crate) async fn has(&self, selector: &str) -> bool {
        !self.all(selector).await.is_empty()
    }

    /// All elements that match a selector now.
    pub(crate) async fn all(&self, selector: &str) -> Vec<Element> {
        let found = self.client.find_all(Locator::Css(selector)).await;
        found.expect("a selector")
    }

    /// The text of the first heading.
    pub(crate) async fn headline(&self) -> String {
        let heading = self.element("h1").await;
        heading.text().await.expect("a heading")
    }

    /// Follows the link whose text contains `name` to another page.
    pub(crate) async fn follow(&self, name: &str) {
        let link = self.called(name).await;
        self.follow_to(&link).await;
    }

    /// Follows the first link that matches a selector to another page.
    pub(crate) async fn follow_element(&self, selector: &str) {
        let link = self.element(selector).await;
        self.follow_to(&link).await;
    }

    /// Clicks a link and waits for another page.
    pub(crate) async fn follow_to(&self, link: &Element) {
        let before = self.path().await;
        // What is below the first screen cannot be clicked before it is laid out.
        self.until("a click", async || link.click().await.is_ok())
            .await;
        self.until("another page", async || self.path().await != before)
            .await;
    }

    /// Clicks the link or button whose text contains `name`.
    pub(crate) async fn press(&self, name: &str) {
        // The script that updates pages may have just replaced the element.
        let deadline = Instant::now() + PATIENCE;
        while let Err(error) = self.called(name).await.click().await {
            assert!(Instant::now() < deadline, "{name}: {error}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Replaces the text in the field of that name.
    pub(crate) async fn fill(&self, name: &str, text: &str) {
        let field = format!("input[name={name}]:not([type=hidden])");
        let field = self.element(&field).await;
        field.clear().await.expect("cleared");
        field.send_keys(text).await.expect("typed");
    }

    /// Waits until the page contains a text.
    pub(crate) async fn until_it_says(&self, text: &str) {
        self.until(text, async || self.text().await.contains(text))
            .await;
    }

    /// Waits until an element matches a selector.
    pub(crate) async fn until_there_is(&self, selector: &str) {
        self.until(selector, async || self.has(selector).await)
            .await;
    }

    /// Waits until the page has the path `expected`.
    pub(crate) async fn until_path(&self, expected: &str) {
        self.until(expected, async || self.path().await == expected)
            .await;
    }

    /// Waits until `holds` is true.
    pub(crate) async fn until(&self, what: &str, holds: impl AsyncFn() -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !holds().await {
            assert!(Instant::now() < deadline, "not in {PATIENCE:?}: {what}");
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Marks the shown page. A reload removes the mark.
    pub(crate) async fn mark(&self) {
        self.ask(&format!("{MARK} = true")).await;
    }

    /// Whether the shown page is marked, that is, was not loaded again since.
    pub(crate) async fn is_marked(&self) -> bool {
        self.ask(&format!("return {MARK} === true")).await == true
    }

    /// The path and the text of the shown page, for a failure message.
    async fn seen(&self) -> String {
        let path = self.path().await;
        let body = self.client.find(Locator::Css("body")).await;
        let text = match body {
            Ok(body) => body.text().await.unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        // Short lines are mostly the cells of tables.
        let lines = text.lines().filter(|line| line.len() > 3);
        let lines: Vec<&str> = lines.collect();
        format!("the browser is at {path}:\n{}", lines.join("\n"))
    }
}
