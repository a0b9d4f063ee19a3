//! A hostile worker. It sends unreadable blocks and contradictions of known records. It leases jobs and
//! keeps them, or reports that they failed.
//!
//! It never sends a false record that contradicts nothing, as the coordinator trusts workers' proofs.

use std::time::Duration;

use fastrand::Rng;
use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_store::{Sourced, Worth, block};
use sproutnet_transport::connect::Connection;
use sproutnet_worker::client::{Client, Introduction};
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt;
use tonic::Code;
use turmoil::Result;
use v1::worker_service_client::WorkerServiceClient;

use crate::network::connection;
use crate::people::Trouble;
use crate::witness::violation;

type Calls = WorkerServiceClient<Connection>;

/// Disturbs the coordinator while faults happen.
///
/// # Errors
/// An invalid report was accepted.
pub(crate) async fn run(trouble: Trouble, seed: u64) -> Result {
    let mut random = Rng::with_seed(seed);
    let honest = Client::new(connection());
    let mut calls = Calls::new(connection());
    let mut worker = 0;
    while trouble.get() {
        sleep(Duration::from_millis(random.u64(..3000))).await;
        if worker == 0 || random.u32(..8) == 0 {
            let who = Introduction {
                cores: 2,
                slots: 2,
                name: "stranger".to_owned(),
                identity: random.u64(1..3),
            };
            let known = honest.register(&who).await;
            worker = known.map_or(worker, |known| known.worker.0);
        }
        let lease = match random.u32(..3) {
            0 => lease(&mut calls, worker, random.u32(..2)).await,
            1 => random.u64(..),
            _ => 0,
        };
        let report = |blocks| {
            let content = match lease {
                0 => v1::Delivery { blocks }.into(),
                lease => finding(lease, blocks).into(),
            };
            let content = Some(content);
            v1::ReportRequest { worker, content }
        };
        match random.u32(..4) {
            0 => {
                let blocks = vec![garbage(&mut random)?];
                match calls.report(report(blocks)).await {
                    Ok(_) => return Err(violation("garbage was acknowledged").into()),
                    Err(status) if status.code() == Code::Internal => {
                        return Err(violation(format!("garbage was a fault: {status}")).into());
                    }
                    Err(_) => {}
                }
            }
            1 => {
                // The contradictions are stored, and change nothing else.
                let blocks = contraries(&mut calls, worker).await.into_iter().collect();
                let _ = calls.report(report(blocks)).await;
            }
            2 => {
                let fault = v1::Fault {
                    lease: Some(lease).filter(|&lease| lease > 0),
                    reason: "so I say".to_owned(),
                    disputed: Vec::new(),
                };
                let content = Some(fault.into());
                let _ = calls.report(v1::ReportRequest { worker, content }).await;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The result of a job that was not solved.
fn finding(lease: u64, blocks: Vec<Vec<u8>>) -> v1::Finding {
    let numbers = v1::Numbers {
        proof: 1,
        disproof: 1,
    };
    v1::Finding {
        lease,
        numbers: Some(numbers),
        blocks,
        ..v1::Finding::default()
    }
}

/// Leases a job without searching it. Returns the lease, or 0.
async fn lease(calls: &mut Calls, worker: u64, slot: u32) -> u64 {
    let leased = calls.lease(v1::LeaseRequest { worker, slot }).await;
    let job = leased.ok().and_then(|leased| leased.into_inner().job);
    job.map_or(0, |job| job.lease)
}

/// A record of an unknown game, or an invalid block.
fn garbage(random: &mut Rng) -> Result<Vec<u8>> {
    if random.bool() {
        return Ok((0..random.usize(1..200)).map(|_| random.u8(..)).collect());
    }
    let codes = game::all().into_iter().map(|game| game.code());
    let other = codes.fold(b'?', |other, code| other.max(code.0 + 1));
    let record = Sourced {
        worth: Worth::LEAST,
        key: &[other, b'n', random.u8(..)],
        value: random.u64(..),
        source: 0,
    };
    Ok(block::encode([record])?)
}

/// A block of records that contradict those of the feed.
async fn contraries(calls: &mut Calls, worker: u64) -> Option<Vec<u8>> {
    let feed = calls
        .feed(v1::FeedRequest {
            worker,
            ..v1::FeedRequest::default()
        })
        .await;
    let mut feed = feed.ok()?.into_inner();
    let part = timeout(Duration::from_secs(5), feed.next()).await.ok()??;
    let records = block::decode(&part.ok()?.block).ok()?;
    let contraries = records.iter().filter_map(|known| {
        let Sourced {
            key, value, source, ..
        } = known.borrow();
        // A win becomes a loss, and a nimber becomes another one. Excluded nimbers cannot be contradicted for certain.
        let value = match (key.get(1), value & 1) {
            (Some(b'm'), _) => value ^ 1,
            (Some(b'n'), 1) => value ^ 2,
            _ => return None,
        };
        Some(Sourced {
            key,
            value,
            worth: Worth::LEAST,
            source,
        })
    });
    block::encode(contraries).ok()
}
