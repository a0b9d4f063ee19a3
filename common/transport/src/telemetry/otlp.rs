//! Traces for an OpenTelemetry collector.

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// Spans on their way to a collector, in batches.
#[derive(Debug)]
pub(super) struct Traces {
    provider: SdkTracerProvider,
    program: &'static str,
}

impl Traces {
    /// Spans of `program`, for the collector at `url`.
    pub(super) fn to(url: &str, program: &'static str) -> Result<Self, ExporterBuildError> {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(url)
            .build()?;
        let resource = Resource::builder().with_service_name(program).build();
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource)
            .build();
        Ok(Self { provider, program })
    }

    /// Takes the spans of this project's crates. Spans of other crates are left out, because sending spans creates some
    /// of them.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let tracer = self.provider.tracer(self.program);
        let ours = Targets::new().with_target("sproutnet", Level::DEBUG);
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_filter(ours)
    }

    /// Sends the remaining spans.
    pub(super) fn end(self) {
        if let Err(error) = self.provider.shutdown() {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}
