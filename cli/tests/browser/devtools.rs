//! Commands that WebDriver lacks: the size of a phone, a dark screen, a picture of a whole page.

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// The size of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// The name in pictures and messages.
    pub(crate) name: &'static str,
    /// In CSS pixels.
    pub(crate) width: u32,
    /// In CSS pixels.
    pub(crate) height: u32,
}

pub(crate) const PHONE: Screen = Screen {
    name: "phone",
    width: 390,
    height: 844,
};

pub(crate) const DESKTOP: Screen = Screen {
    name: "desktop",
    width: 1280,
    height: 900,
};

pub(crate) const WIDE: Screen = Screen {
    name: "wide",
    width: 1920,
    height: 1080,
};

/// The user's preferred colour scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    /// The value of `prefers-color-scheme`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The user's preference for motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Motion {
    Full,
    Reduced,
}

/// Sets the screen and the scheme for all later pages, with reduced motion.
pub(crate) async fn show_on(client: &Client, screen: Screen, scheme: Scheme) {
    let metrics = json!({
        "width": screen.width,
        "height": screen.height,
        "deviceScaleFactor": 1,
        "mobile": screen.width == PHONE.width,
    });
    send(client, "Emulation.setDeviceMetricsOverride", metrics).await;
    prefer(client, scheme, Motion::Reduced).await;
}

/// Sets the user's preferences for all later pages.
pub(crate) async fn prefer(client: &Client, scheme: Scheme, motion: Motion) {
    let motion = match motion {
        Motion::Full => "no-preference",
        Motion::Reduced => "reduce",
    };
    let media = json!({
        "features": [
            { "name": "prefers-color-scheme", "value": scheme.name() },
            { "name": "prefers-reduced-motion", "value": motion },
        ],
    });
    send(client, "Emulation.setEmulatedMedia", media).await;
}

/// A picture of the whole page on a screen, as PNG.
pub(crate) async fn picture(client: &Client, screen: Screen, scheme: Scheme) -> Vec<u8> {
    let script = "return document.documentElement.scrollHeight";
    let height = client.execute(script, Vec::new()).await;
    let height = height.expect("an answer").as_u64().expect("a height");
    let whole = Screen {
        height: screen.height.max(height as u32),
        ..screen
    };
    show_on(client, whole, scheme).await;
    client.screenshot().await.expect("a picture")
}

/// The input device that draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Mouse,
    Pen,
    Finger,
}

/// Presses at the first place, moves through all others, and releases at the last. Places are in CSS pixels.
pub(crate) async fn drag(client: &Client, pointer: Pointer, way: &[(f64, f64)]) {
    let last = way.len() - 1;
    for (i, &(x, y)) in way.iter().enumerate() {
        act(client, pointer, usize::from(i != 0), x, y).await;
        if i == last {
            act(client, pointer, 2, x, y).await;
        }
    }
}

/// Sends a press (`what` is 0), a move (1) or a release (2).
async fn act(client: &Client, pointer: Pointer, what: usize, x: f64, y: f64) {
    if pointer == Pointer::Finger {
        let points = match what {
            2 => json!([]),
            _ => json!([{ "x": x, "y": y, "id": 1, "force": 1 }]),
        };
        let kind = ["touchStart", "touchMove", "touchEnd"][what];
        let parameters = json!({ "type": kind, "touchPoints": points });
        send(client, "Input.dispatchTouchEvent", parameters).await;
        return;
    }
    let kind = ["mousePressed", "mouseMoved", "mouseReleased"][what];
    let parameters = json!({
        "type": kind,
        "x": x,
        "y": y,
        "button": "left",
        "buttons": i32::from(what != 2),
        "clickCount": i32::from(what != 1),
        "pointerType": if pointer == Pointer::Pen { "pen" } else { "mouse" },
    });
    send(client, "Input.dispatchMouseEvent", parameters).await;
}

/// What the console of the browser got since the last call: faults of scripts, and what the policy of a page refused.
pub(crate) async fn console(client: &Client) -> Vec<String> {
    let lines = client.issue_cmd(Console).await.expect("an answer");
    let lines = lines.as_array().expect("a list").iter();
    lines.map(|line| line["message"].to_string()).collect()
}

/// A command of chromedriver.
#[derive(Debug)]
struct Console;

impl WebDriverCompatibleCommand for Console {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// Takes the network away from the browser, or gives it back.
pub(crate) async fn go_offline(client: &Client, offline: bool) {
    send(client, "Network.enable", json!({})).await;
    let network = json!({
        "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
    });
    send(client, "Network.emulateNetworkConditions", network).await;
}

async fn send(client: &Client, name: &'static str, parameters: Value) -> Value {
    let command = Command { name, parameters };
    client.issue_cmd(command).await.expect("an answer")
}

/// A command of the DevTools protocol, which chromedriver forwards.
#[derive(Debug)]
struct Command {
    name: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for Command {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, ParseError> {
        let session = session_id.expect("a session");
        base_url.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "cmd": self.name, "params": self.parameters });
        (Method::POST, Some(body.to_string()))
    }
}
