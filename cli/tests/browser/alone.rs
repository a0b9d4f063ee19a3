//! Matches on a static site: the browser has no server, and plays by itself.

use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::devtools::{self, DESKTOP, PHONE, Pointer, Scheme, Screen};
use crate::drawing::{Place, draw_on};
use crate::site::{PATIENCE, served, with_browser};

/// An upper bound on the moves of a person in these matches.
const LONGEST: usize = 6;

/// A browser at the page with the board.
struct Alone<'c> {
    client: &'c Client,
    /// The address of the page.
    page: String,
}

impl Alone<'_> {
    /// Opens an address of the board as a page of its own.
    async fn open(&self, address: &str) {
        self.client.goto("about:blank").await.expect("a page");
        let page = format!("{}{address}", self.page);
        self.client.goto(&page).await.expect("a page");
    }

    async fn ask(&self, script: &str) -> Value {
        let answer = self.client.execute(script, Vec::new()).await;
        answer.expect("an answer")
    }

    /// What follows `#` in the address of the page.
    async fn address(&self) -> String {
        let address = self.ask("return location.hash").await;
        address.as_str().expect("a text").to_owned()
    }

    /// Waits until a condition of the page holds.
    async fn until(&self, condition: &str) {
        let holds = async || {
            while self.ask(&format!("return Boolean({condition})")).await != true {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
        };
        if tokio::time::timeout(PATIENCE, holds()).await.is_err() {
            let text = "return location.href + '\\n' + document.body.innerText";
            panic!("not {condition}: {}", self.ask(text).await);
        }
    }

    async fn until_it_says(&self, text: &str) {
        let says = format!("document.querySelector('main').innerText.includes({text:?})");
        self.until(&says).await;
    }

    /// Waits until there are so many spots, and no answer is waited for.
    async fn until_spots(&self, spots: usize) {
        let condition = format!(
            "document.querySelectorAll('.sheet .dot').length === {spots} && !document.querySelector('[aria-busy]')"
        );
        self.until(&condition).await;
    }

    /// Clicks the first element that matches a selector.
    async fn click(&self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})"))
            .await;
        let element = self.client.find(Locator::Css(selector)).await;
        element.expect(selector).click().await.expect("clicked");
    }

    /// Clicks the link or button whose text contains `name`.
    async fn press(&self, name: &str) {
        let path =
            format!("//main//*[self::a or self::button][contains(normalize-space(.), '{name}')]");
        let wait = self.client.wait().at_most(PATIENCE);
        let element = wait.for_element(Locator::XPath(&path)).await;
        element.expect(name).click().await.expect("clicked");
    }

    async fn spots(&self) -> Vec<Place> {
        let script = "return [...document.querySelectorAll('.sheet .dot')].map((d) => [d.dataset.x, d.dataset.y].map(Number))";
        let spots = self.ask(script).await;
        let spots = spots.as_array().expect("places").iter();
        let number = |value: &Value| value.as_f64().expect("a number");
        spots.map(|at| (number(&at[0]), number(&at[1]))).collect()
    }

    /// Draws a line; the solver replies. The hint of the solver wins, to the end.
    async fn play_by_hand(&self, pointer: Pointer) {
        self.open("").await;
        self.click("#play button").await;
        self.until_spots(5).await;
        let address = self.address().await;
        assert!(
            address.starts_with("#/board/5?") && address.contains("&seed="),
            "{address}"
        );
        self.open("#/board?spots=3").await;
        self.until_spots(3).await;
        let begun = self.address().await;
        let spots = self.spots().await;
        draw_on(self.client, pointer, &[spots[0], spots[1]]).await;
        self.until_spots(5).await;
        self.until("document.querySelector('.sheet .reply')").await;
        self.press("Take back").await;
        self.until_spots(3).await;
        assert_eq!(self.address().await, begun);
        for _ in 0..LONGEST {
            if self
                .ask("return document.querySelector('h1').textContent")
                .await
                != "Your move"
            {
                break;
            }
            self.press("Hint").await;
            let before = self.spots().await.len();
            self.click("#hint").await;
            self.until(&format!("document.querySelectorAll('.sheet .dot').length > {before} && !document.querySelector('[aria-busy]')"))
                .await;
        }
        self.until_it_says("You won").await;
        // Back in time, and forth.
        let end = self.address().await;
        self.client.back().await.expect("back");
        self.until(&format!(
            "location.hash !== {end:?} && !document.querySelector('[aria-busy]')"
        ))
        .await;
        self.client.forward().await.expect("forth");
        self.until_it_says("You won").await;
        self.press("Review it").await;
        self.until_it_says("It never turned").await;
        let body = self
            .client
            .find(Locator::Css("body"))
            .await
            .expect("a page");
        body.send_keys("\u{e012}").await.expect("typed");
        self.until("document.querySelector('a[rel=next]')").await;
    }

    /// Chooses spots and ways by links, and resigns.
    async fn play_by_links(&self) {
        self.open("#/board/0?you=both").await;
        self.until_it_says("A match begins with its number of spots")
            .await;
        self.open("#/board?game=mixed&spots=1&crosses=2&you=both")
            .await;
        self.click("#spot-1").await;
        self.until_it_says("Where does the line from spot 1 end?")
            .await;
        self.click("#spot-2").await;
        self.until("document.querySelector('#choice img')").await;
        // The pictures of the ways are parts of the page.
        self.ask("document.querySelector('#choice').scrollIntoView()")
            .await;
        self.until(
            "[...document.querySelectorAll('#choice img')].every((way) => way.naturalWidth > 0)",
        )
        .await;
        self.click("#choice a").await;
        self.until_it_says("The first player joined free end 2 and spot 1")
            .await;
        let links = "[...document.querySelectorAll('main [href]')].map((link) => link.getAttribute('href'))";
        self.until(&format!(
            "{links}.every((to) => to.startsWith('#/') || to.startsWith('look-up.html#'))"
        ))
        .await;
        self.press("Resign").await;
        self.client.accept_alert().await.expect("a question");
        self.until_it_says("The second player resigned").await;
        self.press("about this position").await;
        self.until("document.querySelector('#found .verdict')")
            .await;
    }

    async fn learn(&self, pointer: Pointer) {
        self.open("#/lesson").await;
        self.until_it_says("Draw a line from one spot to the other")
            .await;
        let spots = self.spots().await;
        draw_on(self.client, pointer, &[spots[0], spots[1]]).await;
        self.until_it_says("A new spot appeared").await;
        self.press("Next").await;
        self.until_it_says("Three lines a spot").await;
        self.open("#/puzzles").await;
        self.until("document.querySelectorAll('ul.boards img').length === 18")
            .await;
        self.until("document.querySelector('ul.boards img').naturalWidth > 0")
            .await;
        self.click("ul.boards a").await;
        self.until_it_says("Only one line wins").await;
        self.press("Show the answer").await;
        self.click("#hint").await;
        self.until("document.querySelector('.verdict.win')").await;
    }
}

async fn play(client: &Client, page: String, screen: Screen, pointer: Pointer) {
    devtools::show_on(client, screen, Scheme::Light).await;
    let alone = Alone { client, page };
    alone.play_by_hand(pointer).await;
    alone.play_by_links().await;
    alone.learn(pointer).await;
    assert_eq!(devtools::console(client).await, Vec::<String>::new());
}

#[test]
#[ignore = "needs Chromium and the WebAssembly module"]
fn a_browser_plays_without_a_server() {
    with_browser(async |client, site| {
        let page = served(site.to_owned()) + "play.html";
        play(client, page, DESKTOP, Pointer::Mouse).await;
        let page = format!("file://{}/play.html", site.display());
        play(client, page, PHONE, Pointer::Finger).await;
    });
}
