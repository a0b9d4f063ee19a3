//! `sproutnet query -`: lookups of positions from standard input, several at a time.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::args::{Common, Query};
use crate::commands::answers::Refused;
use crate::commands::query::{HEADING, Line, request};
use crate::commands::roots;
use crate::exit::{BadInput, Exit, is_refused};
use crate::remote::client::{Client, explain};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::rows::Rows;
use crate::terminal::style::Look;
use crate::terminal::text;

/// The number of concurrent lookups.
const AT_A_TIME: usize = 32;

/// The widths of the columns.
const WIDTHS: [usize; HEADING.len()] = [16, 7, 6, 7, 5];

/// The answer to one line.
type Lookup = Result<Result<Line, BadInput>, tonic::Status>;

/// Answers each line in order; returns the worst exit.
pub(crate) async fn run(query: &Query, common: &Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(common, None).await?;
    let retry = Retry::new(cluster.is_elsewhere(), |notice| eprintln!("{notice}"));
    let (sender, mut lookups) = mpsc::channel(AT_A_TIME);
    let asking = tokio::spawn(ask_all(cluster.client(), retry, query.within, sender));
    let mut rows = Rows::new(&HEADING, &WIDTHS, 0..0, Look::of_stdout());
    let mut worst = Exit::Fine;
    while let Some(lookup) = lookups.recv().await {
        let exit = match lookup.await?? {
            Ok(line) => {
                match common.json {
                    true => text::print_json(&line)?,
                    false => text::print_lines(&rows.next(&line.row()))?,
                }
                line.exit(query.play)
            }
            Err(refused) => {
                eprintln!("error: {refused}");
                if common.json {
                    Refused::print(&refused)?;
                }
                Exit::BadInput
            }
        };
        worst = worst.or_worse(exit);
    }
    asking.await?;
    cluster.close().await?;
    Ok(worst)
}

/// Starts lookups while the queue has room.
async fn ask_all(
    client: Client,
    retry: Retry,
    within: Duration,
    sender: mpsc::Sender<JoinHandle<Lookup>>,
) {
    let mut positions = roots::channel(roots::from_stdin());
    while let Some(position) = positions.recv().await {
        let Ok(place) = sender.reserve().await else {
            return;
        };
        let (client, retry) = (client.clone(), retry.clone());
        place.send(tokio::spawn(async move {
            match position {
                Ok(position) => look_up(&client, &retry, position, within).await,
                Err(refused) => Ok(Err(refused)),
            }
        }));
    }
}

async fn look_up(client: &Client, retry: &Retry, position: String, within: Duration) -> Lookup {
    let request = request(&position, within);
    let answer = retry.call(|| client.query(request.clone())).await;
    match answer {
        Ok((answer, _)) => Ok(Ok(Line::new(position, answer))),
        Err(status) if is_refused(&status) => Ok(Err(BadInput(explain(&status)))),
        Err(status) => Err(status),
    }
}
