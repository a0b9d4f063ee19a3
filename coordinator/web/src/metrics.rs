//! The metrics of the coordinator, in the format of Prometheus.

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
use sproutnet_coordinator::{Coordinator, State, WorkerState};
use sproutnet_solver::search::Numbers;
use sproutnet_system::build;
use sproutnet_system::disk::{Disk, DiskSpace};
use sproutnet_system::process::ProcessState;
use sproutnet_transport::tls::ServerTls;

/// The metrics of a coordinator, read anew for each request.
pub(super) struct Metrics(Registry);

/// The prefix of the metrics that only this program has.
const PREFIX: &str = "sproutnet";

impl Metrics {
    /// The metrics of this coordinator, of its process, and of its port for gRPC.
    pub(super) fn of(coordinator: Arc<Coordinator>, tls: Option<ServerTls>) -> Self {
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix(PREFIX);
        own.register_collector(Box::new(Read(coordinator)));
        own.register_collector(Box::new(Tls(tls)));
        registry.register_collector(Box::new(Process));
        Self(registry)
    }

    /// The metrics before the store on this disk is open.
    pub(super) fn before_open(disk: Disk, is_full: bool) -> Self {
        let mut registry = Registry::default();
        let own = registry.sub_registry_with_prefix(PREFIX);
        own.register_collector(Box::new(OfDisk { disk, is_full }));
        registry.register_collector(Box::new(Process));
        Self(registry)
    }

    /// All metrics as text.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(super) fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        text::encode(&mut text, &self.0)?;
        Ok(text)
    }
}

/// Reads the figures of this process.
#[derive(Debug)]
struct Process;

impl Collector for Process {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut out = Output(encoder);
        let labels = vec![
            ("version", build::VERSION.to_owned()),
            ("commit", build::COMMIT.to_owned()),
        ];
        out.help("The version and the commit of the program; always 1")
            .gauges("sproutnet_build_info", [(labels, 1.0)])?;
        let Some(process) = ProcessState::now() else {
            return Ok(());
        };
        out.help("Memory that the process holds").gauge(
            "process_resident_memory_bytes",
            process.resident_bytes as f64,
        )?;
        out.help("Processor time that the process used")
            .counter("process_cpu_seconds", process.cpu_seconds)?;
        out.help("Files that the process has open")
            .gauge("process_open_fds", process.open_files as f64)?;
        out.help("Start of the process, in seconds since 1970")
            .gauge("process_start_time_seconds", process.started_at)
    }
}

/// Reads the state of TLS on the port for gRPC.
#[derive(Debug)]
struct Tls(Option<ServerTls>);

impl Collector for Tls {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut out = Output(encoder);
        let tls = self.0.as_ref();
        out.help("Refused TLS handshakes")
            .counter("tls_handshakes_refused", tls.map_or(0, ServerTls::refused))?;
        out.help("First end of validity in the chain of the TLS certificate, in seconds since 1970; 0 without TLS")
            .gauge(
                "tls_certificate_expiry_timestamp_seconds",
                tls.and_then(ServerTls::expires_at).unwrap_or(0) as f64,
            )
    }
}

/// Reads the space on a disk.
#[derive(Debug)]
struct OfDisk {
    disk: Disk,
    is_full: bool,
}

impl Collector for OfDisk {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let space = self.disk.space().unwrap_or_default();
        disk(&mut Output(encoder), space, self.is_full)
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
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let state = self.0.state(Instant::now()).map_err(|error| {
            tracing::error!(%error, "cannot read the metrics");
            fmt::Error
        })?;
        let mut out = Output(encoder);
        histograms(&mut out, &self.0)?;
        counters(&mut out, &state)?;
        gauges(&mut out, &state)?;
        workers(&mut out, &state)?;
        computations(&mut out, &self.0)
    }
}

/// The encoder of the metrics.
struct Output<'e>(DescriptorEncoder<'e>);

/// A metric to be written, with its help text.
struct Helped<'o, 'e>(&'o mut DescriptorEncoder<'e>, &'static str);

/// Names and values that distinguish the metrics of a family.
type Labels = Vec<(&'static str, String)>;

impl<'e> Output<'e> {
    fn help(&mut self, text: &'static str) -> Helped<'_, 'e> {
        Helped(&mut self.0, text)
    }
}

impl Helped<'_, '_> {
    fn counter<N>(self, name: &str, value: N) -> fmt::Result
    where
        ConstCounter<N>: EncodeMetric,
    {
        let kind = MetricType::Counter;
        let metric = self.0.encode_descriptor(name, self.1, None, kind)?;
        ConstCounter::new(value).encode(metric)
    }

    fn gauge(self, name: &str, value: f64) -> fmt::Result {
        let kind = MetricType::Gauge;
        let metric = self.0.encode_descriptor(name, self.1, None, kind)?;
        ConstGauge::new(value).encode(metric)
    }

    fn gauges(self, name: &str, all: impl IntoIterator<Item = (Labels, f64)>) -> fmt::Result {
        let kind = MetricType::Gauge;
        let mut family = self.0.encode_descriptor(name, self.1, None, kind)?;
        for (labels, value) in all {
            ConstGauge::new(value).encode(family.encode_family(&labels)?)?;
        }
        Ok(())
    }

    fn histogram(self, name: &str, (sum, buckets): (f64, Vec<(f64, u64)>)) -> fmt::Result {
        let kind = MetricType::Histogram;
        let count = buckets.iter().map(|(_, count)| count).sum();
        let mut metric = self.0.encode_descriptor(name, self.1, None, kind)?;
        metric.encode_histogram::<NoLabelSet>(sum, count, &buckets, None)
    }
}

fn histograms(out: &mut Output<'_>, coordinator: &Coordinator) -> fmt::Result {
    let timings = coordinator.jobs.timings();
    out.help("How long the coordinator took to answer calls for a job, without waiting for one")
        .histogram("lease_seconds", timings.lease.buckets())?;
    out.help("How long the coordinator took to accept reports and make them durable")
        .histogram("report_seconds", timings.report.buckets())
}

fn counters(out: &mut Output<'_>, state: &State) -> fmt::Result {
    let (jobs, audits) = (state.jobs, state.audits);
    out.help("Jobs leased")
        .counter("jobs_leased", jobs.leased)?;
    out.help("Jobs that ended by a report")
        .counter("jobs_finished", jobs.finished)?;
    out.help("Jobs whose lease expired or was revoked")
        .counter("jobs_expired", jobs.expired)?;
    out.help("Jobs released without a result")
        .counter("jobs_released", jobs.released)?;
    out.help("Lands whose options were generated")
        .counter("expansions", state.done.expansions)?;
    out.help("States visited")
        .counter("visits", state.done.visits)?;
    out.help("Records in reports, repeated ones included")
        .counter("records_received", state.received)?;
    out.help("The bytes of the blocks of these records")
        .counter("records_received_bytes", state.received_bytes)?;
    out.help("Blocks of records sent to workers")
        .counter("feed_blocks", state.fed)?;
    out.help("The bytes of these blocks")
        .counter("feed_bytes", state.fed_bytes)?;
    out.help("Records that contradict others")
        .counter("contradictions", state.contradictions)?;
    out.help("Reported records that an audit confirmed")
        .counter("audits_confirmed", audits.confirmed)?;
    out.help("Reported records that an audit contradicted")
        .counter("audits_contradicted", audits.contradicted)?;
    out.help("Audits that ended undecided; each but the longest is repeated with more time")
        .counter("audits_undecided", audits.undecided)?;
    out.help("Records that the longest audit could not decide")
        .counter("audits_given_up", audits.given_up)?;
    out.help("Records whose audit was skipped because too many were waiting")
        .counter("audits_skipped", audits.skipped)?;
    out.help("How often records were revoked from this store")
        .counter("revocations", state.revocations)
}

fn gauges(out: &mut Output<'_>, state: &State) -> fmt::Result {
    out.help("Jobs under lease")
        .gauge("leases", state.leases as f64)?;
    out.help("Workers that called in the last minute and have not ended")
        .gauge("workers", state.workers.len() as f64)?;
    out.help("Searches that these workers run at a time")
        .gauge("slots", state.slots() as f64)?;
    out.help("Estimated jobs that wait for a worker: as many as are leased while every slot has one, else 0")
        .gauge("queue", state.queue() as f64)?;
    out.help("Workers whose records are no longer accepted")
        .gauge("workers_quarantined", state.quarantined.len() as f64)?;
    out.help("Reported records that wait for an audit")
        .gauge("audits_waiting", state.audits.waiting as f64)?;
    out.help("Workers withhold facts that took fewer visits, to stay within the budgets of records and of disk; 1: none")
        .gauge("least_worth_visits", state.least_worth as f64)?;
    out.help("Records in the store")
        .gauge("records", state.records as f64)?;
    out.help("Size of the store on disk")
        .gauge("store_bytes", state.store_bytes as f64)?;
    let space = state.disk_space.unwrap_or_default();
    disk(out, space, state.health.is_disk_full())?;
    let backups = state.backups.iter();
    let backups = backups.map(|(by, &end)| (vec![("by", by.to_string())], end as f64));
    out.help("End of the last backup that was sent in full since the start, in seconds since 1970")
        .gauges("backup_timestamp_seconds", backups)?;
    out.help("States whose numbers all workers share")
        .gauge("shared_states", state.shared_states as f64)?;
    out.help("Memory of these numbers")
        .gauge("shared_states_bytes", state.shared_bytes as f64)?;
    out.help("Visits of a state from which on its numbers are shared")
        .gauge("shared_from_visits", state.shared_from as f64)?;
    out.help("Memory of the knowledge that the proofs use")
        .gauge("knowledge_bytes", state.knowledge_bytes as f64)
}

fn disk(out: &mut Output<'_>, space: DiskSpace, is_full: bool) -> fmt::Result {
    out.help("Free space on the disk of the store; 0 if unknown")
        .gauge("disk_free_bytes", space.free as f64)?;
    out.help("How much of the disk is kept free; with less free, no job is leased")
        .gauge("disk_reserve_bytes", space.reserve as f64)?;
    out.help("1 if the disk of the store is full, else 0")
        .gauge("disk_full", u8::from(is_full).into())
}

fn workers(out: &mut Output<'_>, state: &State) -> fmt::Result {
    let each = |value: fn(&WorkerState) -> f64| {
        state.workers.iter().map(move |worker| {
            let number = format!("{:x}", worker.number.0);
            let labels = vec![("worker", number), ("name", worker.name.clone())];
            (labels, value(worker))
        })
    };
    let versions = state.workers.iter().map(|worker| {
        let labels = vec![
            ("worker", format!("{:x}", worker.number.0)),
            ("name", worker.name.clone()),
            ("version", worker.version.clone()),
        ];
        (labels, 1.0)
    });
    out.help("The version of the worker's program; always 1")
        .gauges("worker_info", versions)?;
    out.help("Lands whose options the worker generates per second")
        .gauges("worker_expansions_per_second", each(|worker| worker.rate))?;
    out.help("Blocks of records in the store that were not yet sent to the worker")
        .gauges("feed_lag_blocks", each(|worker| worker.feed_lag as f64))?;
    out.help("The share of the worker's records that is audited, 0 to 1")
        .gauges("worker_audit_share", each(|worker| worker.audit_share))
}

fn computations(out: &mut Output<'_>, coordinator: &Coordinator) -> fmt::Result {
    let listed = coordinator.computations.list(Instant::now());
    let of = |status| listed.iter().filter(move |of| of.progress.status == status);
    let counts = Status::ALL.map(|status| {
        let labels = vec![("status", status.name().to_owned())];
        (labels, of(status).count() as f64)
    });
    out.help("Computations, by status")
        .gauges("computations", counts)?;
    let each = |number: fn(Numbers) -> u32| {
        of(Status::Running).map(move |running| {
            let labels = vec![
                ("computation", running.id.to_string()),
                ("position", running.position.clone()),
                ("play", running.play.to_string()),
            ];
            (labels, number(running.progress.root).into())
        })
    };
    out.help("Lower bound of the effort to prove a win")
        .gauges("root_proof_number", each(|root| root.proof))?;
    out.help("Lower bound of the effort to prove a loss")
        .gauges("root_disproof_number", each(|root| root.disproof))
}
