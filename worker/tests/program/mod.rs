//! The worker as a separate process.

use std::io::Read;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// A running program; killed when dropped.
pub(crate) struct Program(Child);

impl Program {
    /// Starts it with two cores, a folder for its store, and more options.
    pub(crate) fn start(coordinator: SocketAddr, folder: &Path, options: &[&str]) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_sproutnet-worker"))
            .args(["--cores", "2", "--nice", "0", "--data"])
            .arg(folder)
            .args(["--coordinator", &format!("http://{coordinator}")])
            .args(options)
            .env_remove("RUST_LOG")
            .stderr(Stdio::piped())
            .spawn();
        Self(program.expect("it starts"))
    }

    /// Sends it a signal, such as `TERM`.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("there is such a command").success());
    }

    /// Waits for its end. Returns its exit status and its log.
    pub(crate) async fn end(mut self) -> (ExitStatus, String) {
        let waiting = tokio::task::spawn_blocking(move || {
            let mut log = String::new();
            let stderr = self.0.stderr.as_mut().expect("a pipe");
            stderr.read_to_string(&mut log).expect("text");
            (self.0.wait().expect("it ends"), log)
        });
        waiting.await.expect("no panic")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
