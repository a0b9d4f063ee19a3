//! Telemetry of a program: its log and, with the feature `otlp`, its traces.

use std::io::IsTerminal;

use clap::ValueEnum;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, fmt};

#[cfg(feature = "otlp")]
mod otlp;

/// The target of the database's log.
const DATABASE: &str = "sled";

/// The format of a program's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line of text for each event.
    Text,
    /// A JSON object on a line for each event.
    Json,
}

/// The telemetry options of a long-running program.
#[derive(Clone, Debug, clap::Args)]
pub struct TelemetryArgs {
    /// How to write the log, to standard error
    #[arg(
        long,
        env = "SPROUTNET_LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub log_format: LogFormat,
    /// Send traces to the OpenTelemetry collector at this URL, over gRPC
    #[cfg(feature = "otlp")]
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp: Option<String>,
}

/// The reason why telemetry cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// There is a log already.
    #[error(transparent)]
    Log(#[from] TryInitError),
    /// The collector's URL cannot be used.
    #[cfg(feature = "otlp")]
    #[error("--otlp")]
    Otlp(#[from] opentelemetry_otlp::ExporterBuildError),
}

/// The telemetry of a program, until it ends.
#[derive(Debug)]
#[must_use = "spans that are not sent yet would be lost"]
pub struct Telemetry {
    #[cfg(feature = "otlp")]
    traces: Option<otlp::Traces>,
}

impl Telemetry {
    /// Sends the remaining spans. Call it last.
    pub fn end(self) {
        #[cfg(feature = "otlp")]
        if let Some(traces) = self.traces {
            traces.end();
        }
    }
}

/// The filter in `RUST_LOG`: a level, or `target=level` pairs separated by commas. If it is missing or invalid,
/// everything from `default` on. The database is logged only if `RUST_LOG` asks for it: the store returns its errors,
/// and each is reported once.
pub fn log_filter(default: LevelFilter) -> Targets {
    let text = std::env::var("RUST_LOG").unwrap_or_default();
    parse_filter(&text, default)
}

fn parse_filter(text: &str, default: LevelFilter) -> Targets {
    let targets = match text {
        "" => Ok(Targets::new()),
        text => text.parse(),
    };
    let targets = targets.unwrap_or_else(|error| {
        eprintln!("RUST_LOG is ignored: {error}");
        Targets::new()
    });
    if targets.default_level().is_some() {
        return targets;
    }
    let targets = targets.with_default(default);
    if targets
        .iter()
        .any(|(target, _)| target.starts_with(DATABASE))
    {
        targets
    } else {
        targets.with_target(DATABASE, LevelFilter::OFF)
    }
}

impl TelemetryArgs {
    /// Starts the log, filtered by `RUST_LOG`; the default level is `info`. Spans are logged when they end.
    /// Call it once, within an async runtime, which traces need.
    ///
    /// # Errors
    /// There is a log already, or the collector's URL cannot be used.
    pub fn start(&self, program: &'static str) -> Result<Telemetry, TelemetryError> {
        let log = fmt::layer()
            .with_span_events(FmtSpan::CLOSE)
            .with_ansi(std::io::stderr().is_terminal())
            .with_writer(std::io::stderr);
        let log = match self.log_format {
            LogFormat::Text => log.boxed(),
            LogFormat::Json => log.json().boxed(),
        };
        let log = log.with_filter(log_filter(LevelFilter::INFO));
        let registry = tracing_subscriber::registry().with(log);
        #[cfg(feature = "otlp")]
        {
            let url = self.otlp.as_deref();
            let traces = url.map(|url| otlp::Traces::to(url, program)).transpose()?;
            let layer = traces.as_ref().map(otlp::Traces::layer);
            registry.with(layer).try_init()?;
            Ok(Telemetry { traces })
        }
        #[cfg(not(feature = "otlp"))]
        {
            let _ = program;
            registry.try_init()?;
            Ok(Telemetry {})
        }
    }
}

#[cfg(test)]
mod tests;
