//! A view that is refreshed repeatedly.

use std::time::Duration;

use serde::Serialize;
use tokio::time::MissedTickBehavior;
use tonic::Status;

use crate::remote::retry::Retry;
use crate::terminal::screen::Screen;
use crate::terminal::text;

/// The refresh interval of terminals and JSON.
pub(crate) const EVERY_SECOND: Duration = Duration::from_secs(1);

/// Something that can be shown, and printed as JSON.
pub(crate) trait View: Serialize {
    /// All of it, for a terminal.
    fn lines(&self) -> Vec<String>;

    /// The most important, in one line.
    fn summary(&self) -> String;
}

/// How a view is shown.
pub(crate) struct Live {
    /// On a terminal, unless JSON is wanted.
    screen: Option<Screen>,
    retry: Retry,
    json: bool,
    /// The time between two lines where there is no terminal.
    between_lines: Duration,
}

impl Live {
    /// With a terminal in place, without one by a line now and then, as JSON if wanted.
    pub(crate) fn new(is_elsewhere: bool, json: bool, between_lines: Duration) -> Self {
        let screen = Screen::new().filter(|_| !json);
        Self {
            retry: Retry::new(is_elsewhere, notices(screen.clone())),
            screen,
            json,
            between_lines,
        }
    }

    /// Shows the answers of `ask` repeatedly; ends only with an error.
    pub(crate) async fn show<V, F>(&self, mut ask: impl FnMut() -> F) -> anyhow::Result<()>
    where
        V: View,
        F: Future<Output = Result<V, Status>>,
    {
        let mut ticks = tokio::time::interval(match self.screen.is_some() || self.json {
            true => EVERY_SECOND,
            false => self.between_lines,
        });
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let view = self.retry.call(&mut ask).await?;
            if self.json {
                text::print_json(&view)?;
            } else if let Some(screen) = &self.screen {
                screen.show(view.lines())?;
            } else {
                text::print_lines(&[view.summary()])?;
            }
        }
    }
}

/// Shows notices on a screen, or on standard error without one.
fn notices(screen: Option<Screen>) -> impl Fn(&str) + Send + Sync + 'static {
    move |notice| {
        // The terminal is gone, so the error cannot be shown.
        let is_shown = screen
            .as_ref()
            .is_some_and(|screen| screen.notify(notice).is_ok());
        if !is_shown {
            eprintln!("{notice}");
        }
    }
}
