//! The coordinator as a separate process.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

/// A running coordinator; killed when dropped.
pub(crate) struct Program {
    child: Child,
    url: String,
    http: SocketAddr,
}

impl Program {
    /// Starts the coordinator on the cores of this thread, with its store in `data`, on free local ports.
    pub(crate) fn start(path: &Path, data: &Path) -> anyhow::Result<Self> {
        let any = "127.0.0.1:0";
        let mut command = Command::new(path);
        command.args(["--listen", any, "--http", any, "--data"]);
        // Variables set for other coordinators must not affect this one.
        command.arg(data).env_clear().env("RUST_LOG", "warn");
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot run {}", path.display()))?;
        let output = child.stdout.take().context("its output is piped")?;
        let mut lines = BufReader::new(output).lines();
        let mut told = |what: &str| -> anyhow::Result<String> {
            let line = lines.next().context("the coordinator ended")??;
            let rest = line.strip_prefix(what).map(str::to_owned);
            rest.with_context(|| format!("the coordinator said `{line}`, not `{what}…`"))
        };
        let url = told("gRPC on ")?;
        let http = told("HTTP on http://")?.parse()?;
        Ok(Self { child, url, http })
    }

    /// The URL for gRPC.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// The address for HTTP, with the metrics.
    pub(crate) fn http(&self) -> SocketAddr {
        self.http
    }

    /// The process id.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends it with SIGKILL.
    pub(crate) fn kill(mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The package and the name of the coordinator's program, which is named like the library.
pub(crate) const COORDINATOR: [&str; 2] =
    ["sproutnet-coordinator-program", "sproutnet-coordinator"];

/// The path of a package's program, in the folder of this one. Under cargo, builds it first, so that no outdated
/// program is measured.
pub(crate) fn built_beside([package, name]: [&str; 2]) -> anyhow::Result<PathBuf> {
    let this = env::current_exe()?;
    let folder = this.parent().context("this program is in no folder")?;
    if let Some(cargo) = env::var_os("CARGO") {
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--package", package, "--bin", name]);
        if folder.ends_with("release") {
            build.arg("--release");
        }
        anyhow::ensure!(build.status()?.success(), "cannot build {name}");
    }
    Ok(folder.join(name))
}
