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

/// Nothing of the machine's own: no profile, no window, no calls to anywhere.
/// And nothing moves: what is scrolled to smoothly cannot be clicked at once.
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

/// The longest that the driver may take to listen.
const START: Duration = Duration::from_secs(30);

/// The value of a content setting that blocks.
const BLOCKED: u32 = 2;

/// A browser with one tab.
pub(crate) struct Chromium {
    pub(crate) client: Client,
    driver: Process,
    _folder: TempDir,
}

impl Chromium {
    /// Starts one that runs scripts, or one that does not.
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

    /// Ends the browser, then its driver: a driver that is killed leaves its browser behind.
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
    let Value::Object(capabilities) = json!({ "goog:chromeOptions": options }) else {
        unreachable!("it is written as an object");
    };
    capabilities
}
