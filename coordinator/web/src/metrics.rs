//! How the coordinator does, as metrics in the format of Prometheus.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric, NoLabelSet, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Registry;

use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::{Coordinator, State, Timings};

/// The metrics of a coordinator, read from it whenever they are asked for.
pub(super) struct Metrics(Registry);

impl Metrics {
    /// The metrics of that coordinator.
    pub(super) fn of(coordinator: Arc<Coordinator>) -> Self {
        let mut registry = Registry::with_prefix("sproutnet");
        registry.register_collector(Box::new(Read(coordinator)));
        Self(registry)
    }

    /// All metrics as text.
    ///
    /// # Errors
    /// The store cannot be asked.
    pub(super) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.0)?;
        Ok(text)
    }
}

/// Reads the state of a coordinator.
struct Read(Arc<Coordinator>);

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Read")
    }
}

impl Collector for Read {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let state = self.0.state(Instant::now()).map_err(|error| {
            tracing::error!(%error, "cannot read the metrics");
            fmt::Error
        })?;
        histograms(&mut encoder, self.0.jobs.timings())?;
        counters(&mut encoder, &state)?;
        gauges(&mut encoder, &state)?;
        workers(&mut encoder, &state)?;
        computations(&mut encoder, &self.0)
    }
}

fn histograms(encoder: &mut DescriptorEncoder<'_>, timings: &Timings) -> fmt::Result {
    for (name, help, times) in [
        (
            "lease_seconds",
            "How long the coordinator took to answer calls for a job, without waiting for one",
            &timings.lease,
        ),
        (
            "report_seconds",
            "How long the coordinator took to accept reports and make them durable",
            &timings.report,
        ),
    ] {
        let (sum, buckets) = times.buckets();
        let count = buckets.iter().map(|(_, count)| count).sum();
        let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Histogram)?;
        metric.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)?;
    }
    Ok(())
}

fn counters(encoder: &mut DescriptorEncoder<'_>, state: &State) -> fmt::Result {
    let (jobs, audits) = (state.jobs, state.audits);
    for (name, help, count) in [
        ("jobs_leased", "Jobs leased", jobs.leased),
        (
            "jobs_finished",
            "Jobs that ended by a report",
            jobs.finished,
        ),
        (
            "jobs_expired",
            "Jobs whose lease expired or was revoked",
            jobs.expired,
        ),
        (
            "jobs_released",
            "Jobs released without a result",
            jobs.released,
        ),
        (
            "expansions",
            "Lands whose options were generated",
            state.done.expansions,
        ),
        ("visits", "States visited", state.done.visits),
        (
            "records_received",
            "Records in reports, repeated ones included",
            state.received,
        ),
        (
            "contradictions",
            "Records that contradict others",
            state.contradictions,
        ),
        (
            "audits_confirmed",
            "Reported records that an audit confirmed; replaces rechecks_confirmed, as do the other audits",
            audits.confirmed,
        ),
        (
            "audits_contradicted",
            "Reported records that an audit contradicted",
            audits.contradicted,
        ),
        (
            "audits_undecided",
            "Searches that were too short to derive a record anew; all but the longest are made \
             again, longer",
            audits.undecided,
        ),
        (
            "audits_given_up",
            "Records that the longest audit could not decide",
            audits.given_up,
        ),
        (
            "audits_skipped",
            "Records whose audit was skipped because too many were waiting",
            audits.skipped,
        ),
        (
            "revocations",
            "How often records were revoked from this store; replaces withdrawals",
            state.revocations,
        ),
    ] {
        let counter = ConstCounter::new(count);
        let descriptor = encoder.encode_descriptor(name, help, None, counter.metric_type())?;
        counter.encode(descriptor)?;
    }
    Ok(())
}

fn gauges(encoder: &mut DescriptorEncoder<'_>, state: &State) -> fmt::Result {
    for (name, help, value) in [
        ("leases", "Jobs under lease", state.leases as u64),
        (
            "workers",
            "Workers that called in the last minute",
            state.workers.len() as u64,
        ),
        (
            "slots",
            "Searches that these workers run at a time",
            state.slots(),
        ),
        (
            "queue",
            "Jobs that wait for a worker, as far as is known: as many as are out while every \
             search has one, else none",
            state.queue(),
        ),
        (
            "workers_quarantined",
            "Workers whose records are no longer accepted; replaces workers_set_aside",
            state.quarantined.len() as u64,
        ),
        (
            "audits_waiting",
            "Reported records that wait for an audit",
            state.audits.waiting,
        ),
        ("records", "Records in the store", state.records as u64),
        (
            "store_bytes",
            "What the store takes on disk",
            state.store_bytes,
        ),
        ("dag_nodes", "Nodes of all proofs", state.nodes as u64),
        (
            "dag_bytes",
            "Memory of these nodes",
            state.node_bytes as u64,
        ),
        (
            "knowledge_bytes",
            "Memory of the knowledge that the proofs use",
            state.knowledge_bytes as u64,
        ),
    ] {
        let gauge = ConstGauge::new(value as f64);
        let descriptor = encoder.encode_descriptor(name, help, None, gauge.metric_type())?;
        gauge.encode(descriptor)?;
    }
    Ok(())
}

fn workers(encoder: &mut DescriptorEncoder<'_>, state: &State) -> fmt::Result {
    let of_worker = |worker: &sproutnet_coordinator::WorkerState| {
        [
            ("worker", format!("{:x}", worker.number.0)),
            ("name", worker.name.clone()),
        ]
    };
    let help = "Lands whose options the worker generates per second";
    let name = "worker_expansions_per_second";
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for worker in &state.workers {
        let labels = of_worker(worker);
        let metric = family.encode_family(&labels)?;
        ConstGauge::new(worker.rate).encode(metric)?;
    }
    let help = "Blocks of records in the store that were not yet sent to the worker";
    let mut family = encoder.encode_descriptor("feed_lag_blocks", help, None, MetricType::Gauge)?;
    for worker in &state.workers {
        let labels = of_worker(worker);
        let metric = family.encode_family(&labels)?;
        ConstGauge::new(worker.feed_lag as f64).encode(metric)?;
    }
    let help = "The share of the worker's reports that is audited";
    let name = "worker_recheck_share";
    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for worker in &state.workers {
        let labels = of_worker(worker);
        let metric = family.encode_family(&labels)?;
        ConstGauge::new(worker.audit_share).encode(metric)?;
    }
    Ok(())
}

fn computations(encoder: &mut DescriptorEncoder<'_>, coordinator: &Coordinator) -> fmt::Result {
    let listed = coordinator.computations.list();
    let help = "Computations, by status";
    let mut family = encoder.encode_descriptor("computations", help, None, MetricType::Gauge)?;
    for status in Status::ALL {
        let count = listed
            .iter()
            .filter(|c| c.progress.status == status)
            .count();
        let labels = [("status", status.name())];
        let metric = family.encode_family(&labels)?;
        ConstGauge::new(count as f64).encode(metric)?;
    }
    let running: Vec<_> = listed
        .iter()
        .filter(|computation| computation.progress.status == Status::Running)
        .collect();
    for (name, help, is_proof) in [
        (
            "root_proof_number",
            "Lower bound of the effort to prove a win",
            true,
        ),
        (
            "root_disproof_number",
            "Lower bound of the effort to prove a loss",
            false,
        ),
    ] {
        let mut family = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
        for computation in &running {
            let labels = [
                ("computation", computation.id.to_string()),
                ("position", computation.position.clone()),
                ("play", computation.play.to_string()),
            ];
            let root = computation.progress.root;
            let number = if is_proof { root.proof } else { root.disproof };
            let metric = family.encode_family(&labels)?;
            ConstGauge::new(i64::from(number)).encode(metric)?;
        }
    }
    Ok(())
}
