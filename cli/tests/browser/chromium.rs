//! Chromium without a window, driven over WebDriver.

use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::processes::free_address;
use crate::processes::process::Process;

/// Isolates the browser from the machine: no profile, no window, no network calls of its own. Reduces motion: an
/// element that scrolls smoothly cannot be clicked at once.
const ARGUMENTS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
];

/// The time limit for the driver to listen.
const START: Duration = Duration::from_secs(30);

/// Chromium's value for a blocked content setting.
const BLOCKED: u32 = 2;

/// A browser with one tab.
pub(crate) struct Chromium {
    pub(crate) client: Client,
    driver: Process,
    _folder: TempDir,
}

impl Chromium {
    /// Starts a browser, with or without scripts.
    pub(crate) async fn start(runs_scripts: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let address = free_address();
        let mut command = Command::new("chromedriver");
        command.arg(format!("--port={}", address.port()));
        let mut driver = Process::start(command, folder.path().join("driver.log"));
        let deadline = Instant::now() + START;
        while TcpStream::connect(address).is_err() {
            driver.check_it_runs();
            assert!(Instant::now() < deadline, "no driver on {address}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities(&folder.path().join("profile"), runs_scripts))
            .connect(&format!("http://{address}"))
            .await
            .expect("a browser");
        Self {
            client,
            driver,
            _folder: folder,
        }
    }

    /// Ends the browser before its driver, because a killed driver leaves its browser running.
    pub(crate) async fn end(self) {
        let closed = self.client.close().await;
        self.driver.kill();
        closed.expect("the browser ends");
    }
}

fn capabilities(profile: &Path, runs_scripts: bool) -> Capabilities {
    let profile = format!("--user-data-dir={}", profile.display());
    let arguments: Vec<&str> = ARGUMENTS.into_iter().chain([&*profile]).collect();
    let mut options = json!({ "args": arguments });
    if !runs_scripts {
        let setting = "profile.managed_default_content_settings.javascript";
        options["prefs"] = json!({ setting: BLOCKED });
    }
    let capabilities =
        json!({ "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" } });
    let Value::Object(capabilities) = capabilities else {
        unreachable!("it is written as an object");
    };
    capabilities
}
