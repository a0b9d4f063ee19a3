//! The options of `serve`.

use std::net::SocketAddr;

use sproutnet_system::options::{Cores, Memory, StoreSize};
use sproutnet_transport::listen::address;

#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
    /// Open the front page in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// The address to serve the web pages on, over HTTP; port 0 takes a free port
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    #[arg(default_value = "127.0.0.1:7351")]
    pub(crate) http: SocketAddr,
    /// The address for other commands and workers, over gRPC; port 0 takes a free port
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    #[arg(default_value = "127.0.0.1:7350")]
    pub(crate) listen: SocketAddr,
    /// Allow addresses that other machines can reach, without --token-file: anyone who reaches them can use
    /// the coordinator
    #[arg(long)]
    pub(crate) insecure: bool,
    /// The number of search threads [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) cores: Option<Cores>,
    /// How much disk the store may take, such as 50GB, at least 1MB [default: no limit]. Above that, the facts that
    /// took the least work leave it
    #[arg(long, value_name = "SIZE")]
    pub(crate) store_budget: Option<StoreSize>,
    /// The memory for the search: an amount, or a percentage of the machine's memory
    #[arg(long, value_name = "SIZE", default_value_t)]
    pub(crate) memory: Memory,
}
