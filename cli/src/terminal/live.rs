//! A view that is refreshed repeatedly.

use std::time::Duration;

use tokio::time::MissedTickBehavior;
use tonic::Status;

use crate::exit::Exit;
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::screen::Display;
use crate::terminal::text::{self, Show};

/// The refresh interval of terminals and JSON.
pub(crate) const EVERY_SECOND: Duration = Duration::from_secs(1);

/// A result that also has a one-line form.
pub(crate) trait View: Show {
    /// The most important values, in one line.
    fn summary(&self) -> String;
}

/// Shows the answers of `ask` repeatedly until Ctrl-C: in place on a terminal, as JSON, or else as a line every
/// `between_lines`.
pub(crate) async fn show<V, F>(
    cluster: Cluster,
    json: bool,
    between_lines: Duration,
    ask: impl Fn(Client) -> F,
) -> anyhow::Result<Exit>
where
    V: View,
    F: Future<Output = Result<V, Status>>,
{
    let display = Display::new(json);
    let retry = {
        let display = display.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| display.notify(notice))
    };
    let client = cluster.client();
    let refresh = async {
        let is_line = !json && matches!(display, Display::Line(_));
        let mut ticks = tokio::time::interval(if is_line { between_lines } else { EVERY_SECOND });
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let view = retry.call(|| ask(client.clone())).await?;
            match &display {
                Display::Screen(screen) => screen.show(view.lines())?,
                Display::Line(_) if json => text::print_json(&view)?,
                Display::Line(_) => text::print_lines(&[view.summary()])?,
            }
        }
    };
    tokio::select! {
        failed = refresh => return failed,
        interrupted = tokio::signal::ctrl_c() => interrupted?,
    }
    drop(client);
    cluster.close().await?;
    Ok(Exit::Fine)
}
