//! `sproutnet serve`: a coordinator, a worker and the pages in one process, on one folder.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde::Serialize;
use sproutnet_coordinator::{AuditShare, Config as CoordinatorConfig, rpc};
use sproutnet_coordinator_program::{EndRequests, Ended, Ports, Server};
use sproutnet_system::options::DailySize;
use sproutnet_transport::listen::{ListenArgs, Protection};
use sproutnet_transport::serve::{self, Limits};
use sproutnet_worker::{Config, Worker};
use tokio::sync::watch;

use crate::args::{Common, Serve};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::{check_memory, open_here, pipe};
use crate::terminal::text::{Show, named_values, print};

/// The time that open calls have to end.
const GRACE: Duration = Duration::from_secs(5);

/// The commands that open an address in the user's browser; the first one that exists is used.
const OPENERS: [&str; 2] = ["xdg-open", "open"];

/// The addresses of the served pages and of the coordinator.
#[derive(Serialize)]
struct Addresses {
    /// The URL of the front page.
    pages: String,
    /// The URL of the coordinator, for commands and workers.
    coordinator: String,
    /// The folder of the store.
    data: String,
}

impl Show for Addresses {
    fn lines(&self) -> Vec<String> {
        let coordinator = format!("--coordinator {}", self.coordinator);
        let mut lines = named_values([
            ("pages", self.pages.clone()),
            ("other commands", coordinator),
            ("store", self.data.clone()),
        ]);
        lines.push("Ctrl-C ends it; what is proved stays in the store".to_owned());
        lines
    }
}

/// Serves until Ctrl-C or SIGTERM.
pub(crate) async fn run(serve: Serve, common: Common) -> anyhow::Result<Exit> {
    let ports = ports(&serve, &common)?;
    let config = CoordinatorConfig {
        // This applies to other workers that join. The worker in this process is not audited.
        audit: AuditShare::default(),
        record_budget: DailySize::default().0,
        store_budget: serve.store_budget.map(|size| size.0),
        ..CoordinatorConfig::default()
    };
    let worker = Config {
        cores: serve.cores.unwrap_or_default().0,
        memory: serve.memory,
        name: "inside the process".to_owned(),
        ..Config::default()
    };
    check_memory(&worker)?;
    let bound = ports.bind(None).await;
    let bound = bound.context("name another address with --http or --listen")?;
    // Only now: what is refused leaves no store.
    let (coordinator, _) = open_here(common.data.clone(), config, false).await?;
    let coordinator = Arc::new(coordinator);
    let server = Server::on(bound, Arc::clone(&coordinator));
    let addresses = Addresses {
        pages: page(server.bound().http_address()?),
        coordinator: server.bound().grpc_url()?,
        data: common.data.display().to_string(),
    };
    // From here on, Ctrl-C and SIGTERM do not end the process by themselves.
    let mut requests = EndRequests::new()?;
    let (connection, incoming) = pipe()?;
    let stop_worker = watch::Sender::new(false);
    let worker = Worker::new(worker)?;
    let services = rpc::services(&coordinator, &stop_worker.subscribe());
    drop(coordinator);
    tokio::spawn(async move {
        let (inside, limits) = (Protection::default(), Limits::default());
        serve::serve(services, &inside, &limits, incoming, std::future::pending()).await
    });
    let stop = stop_worker.subscribe();
    let mut worker = Some(tokio::spawn(
        async move { worker.run(connection, stop).await },
    ));
    print(common.json, &addresses)?;
    if serve.open {
        open(&addresses.pages);
    }
    let mut failed = Ok(());
    let end_requested = async || {
        let Some(running) = &mut worker else {
            return requests.next().await;
        };
        tokio::select! {
            () = requests.next() => {
                // The worker reports its facts and hands its jobs back. A second request skips that.
                stop_worker.send_replace(true);
                tokio::select! {
                    _ = &mut *running => {}
                    () = requests.next() => {}
                }
            }
            ended = &mut *running => {
                failed = ended.map_err(anyhow::Error::from).and_then(|ended| Ok(ended?));
            }
        }
        worker = None;
    };
    let ended = server.run(GRACE, end_requested).await?;
    failed.context("the worker")?;
    match ended {
        Ended::Requested => Ok(Exit::Fine),
        Ended::DiskFull(why) => anyhow::bail!("{why}"),
    }
}

fn ports(serve: &Serve, common: &Common) -> anyhow::Result<Ports> {
    let credentials = &common.credentials;
    let tls = [
        &credentials.tls_ca,
        &credentials.tls_cert,
        &credentials.tls_key,
    ];
    if tls.into_iter().any(Option::is_some) {
        let problem =
            "`serve` does not speak TLS: omit the TLS options, or run sproutnet-coordinator";
        return Err(BadInput(problem.to_owned()).into());
    }
    let listen = ListenArgs {
        listen: serve.listen,
        token_file: credentials.token_file.clone(),
        tls_cert: None,
        tls_key: None,
        tls_client_ca: None,
        insecure: serve.insecure,
    };
    Ports::new(&listen, serve.http).map_err(|error| BadInput(format!("{error:#}")).into())
}

/// The URL of the front page for a browser on this machine.
fn page(mut address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    format!("http://{address}/")
}

/// Opens a page in a browser; prints a note if there is none.
fn open(page: &str) {
    let start = |opener: &&str| {
        let mut command = Command::new(opener);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null()).arg(page).spawn().ok()
    };
    match OPENERS.iter().find_map(start) {
        // The opener ends once the browser has the address. The thread reaps it.
        Some(mut opener) => drop(std::thread::spawn(move || opener.wait())),
        None => eprintln!("note: no browser is found; open {page} yourself"),
    }
}
