//! The real program as a process of its own.

#![allow(dead_code, reason = "each test program uses a part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tonic::transport::{Channel, Endpoint};

/// Nothing that a test waits for takes longer, unless something is wrong.
const SOON: Duration = Duration::from_secs(20);

/// A running coordinator; killed when dropped.
pub(crate) struct Program {
    child: Child,
    /// The URL for gRPC.
    pub(crate) url: String,
    /// The URL of the pages.
    pub(crate) http: String,
    /// Kept open: the program prints more than its address, and would end if its output were closed.
    _output: BufReader<ChildStdout>,
    /// A folder of its own.
    folder: TempDir,
}

impl Program {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        let program = Self::start_with(folder, &data, &[]);
        program.wait_until_open();
        program
    }

    /// Waits until its store is open.
    pub(crate) fn wait_until_open(&self) {
        until(|| {
            self.get("/healthz", "")
                .ends_with("\r\n\r\nok\n")
                .then_some(())
        });
    }

    /// Starts it on this folder for data, with options. Its store may not be open yet. Its log goes to the file `log` in `folder`.
    pub(crate) fn start_with(folder: TempDir, data: &Path, options: &[&str]) -> Self {
        let any = "localhost:0";
        let log = std::fs::File::create(folder.path().join("log")).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_sproutnet-coordinator"))
            .args(["--listen", any, "--http", any, "--data"])
            .arg(data)
            .args(options)
            .env_clear()
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("it starts");
        let output = child.stdout.take().expect("it is piped");
        let mut output = BufReader::new(output);
        let mut next = |before: &str| {
            let mut line = String::new();
            output.read_line(&mut line).expect("text");
            let url = line.trim_end().strip_prefix(before);
            url.expect("an address").to_owned()
        };
        let (url, http) = (next("gRPC on "), next("HTTP on "));
        Self {
            child,
            url,
            http,
            _output: output,
            folder,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder().join("log")).expect("a log")
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Endpoint::from_shared(self.url.clone()).expect("an address");
        soon(endpoint.connect()).await.expect("a connection")
    }

    /// Asks the HTTP port for a path, with headers. Returns the whole answer.
    pub(crate) fn get(&self, path: &str, headers: &str) -> String {
        self.request("GET", path, headers)
    }

    /// The same by another method, without a body.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &str) -> String {
        let address = self.http.strip_prefix("http://").expect("a URL");
        let mut stream = TcpStream::connect(address).expect("a connection");
        stream.set_read_timeout(Some(SOON)).expect("a time limit");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n"
        );
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    pub(crate) fn healthcheck(&self) -> ExitStatus {
        let address = self.url.strip_prefix("http://").expect("a URL");
        Command::new(env!("CARGO_BIN_EXE_sproutnet-coordinator"))
            .args(["--listen", address, "healthcheck"])
            .env_clear()
            .stderr(Stdio::null())
            .status()
            .expect("it runs")
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).expect("a number of a process");
        let pid = Pid::from_raw(pid).expect("a process");
        kill_process(pid, signal).expect("it runs");
    }

    /// Whether it ended.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child")
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> (ExitStatus, String) {
        let status = until(|| self.ended());
        (status, self.log())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(SOON, future).await;
    ended.expect("this should have ended long ago")
}

/// Waits until there is something.
pub(crate) fn until<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < SOON, "this should have happened long ago");
        std::thread::sleep(Duration::from_millis(20));
    }
}
