//! A coordinator on two ports: gRPC for workers and clients, HTTP for pages, JSON and metrics. The program
//! `sproutnet-coordinator` is that alone; `sproutnet serve` adds a worker.

mod server;
mod standard_services;
mod waiting;

pub use server::{Bound, EndRequests, Ended, Ports, Server};
pub use waiting::Waiting;
