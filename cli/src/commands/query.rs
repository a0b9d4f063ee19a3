//! `sproutnet query`.

use std::time::Duration;

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_model::{Answer, Basis, Proof, Provenance, Verdict};
use sproutnet_notation::brief::brief;
use sproutnet_notation::{ComputationId, Play};
use sproutnet_proto::v1;
use sproutnet_query::MAX_MOVES_OF_SMALL;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::args::{Common, Plays, Query};
use crate::commands::answers;
use crate::commands::roots::{self, Refused, Root, Roots};
use crate::exit::{BadInput, Exit, is_refused};
use crate::remote::client::{Client, explain};
use crate::remote::cluster::{self, Cluster};
use crate::remote::retry::Retry;
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, Row, Rows, table, text};
use crate::terminal::text::{Show, count, moment, or_dash, plain, print, time};

/// The maximum number of lands whose missing nimbers are named.
const MOST_NAMED: usize = 4;

/// The largest number of moves left in a position that a search may decide. `0*53` has 158.
const MOST_DECIDED: u32 = 200;

/// The number of concurrent lookups.
const AT_A_TIME: usize = 32;

/// A query and its answer.
#[derive(Serialize)]
struct Queried {
    /// The text of the query.
    position: String,
    #[serde(flatten)]
    answer: Answer,
}

/// Shows the known facts about one position, or a line about each of several.
pub(crate) async fn run(query: Query, common: Common) -> anyhow::Result<Exit> {
    let [position] = &query.positions[..] else {
        return run_all(&query, &common).await;
    };
    if position == "-" || roots::is_range(position) {
        return run_all(&query, &common).await;
    }
    let position = roots::typed(position)?;
    let (answer, _) = ask(request(&position, query.within.0), &common).await?;
    let queried = Queried { position, answer };
    print(common.json, &queried)?;
    Ok(queried.exit(query.play))
}

impl Queried {
    /// Whether the nimber is not known, but a longer search finds it.
    fn may_have_a_nimber(&self) -> bool {
        let Answer {
            game,
            nimber,
            most_moves,
            normal,
            ..
        } = &self.answer;
        let has_nimbers = || game::by_name(game).is_some_and(|game| !game.is_partizan());
        nimber.is_none()
            && normal.outcome.outcome().is_some()
            && *most_moves <= MAX_MOVES_OF_SMALL
            && has_nimbers()
    }

    /// Whether the genus is not known, but `sproutnet genus` may find it.
    fn may_have_a_genus(&self) -> bool {
        let Answer {
            genus,
            nimber,
            most_moves,
            ..
        } = &self.answer;
        genus.is_none() && nimber.is_some() && *most_moves <= MAX_MOVES_OF_SMALL
    }

    /// [`Exit::Unknown`] if the outcome is unknown under one of the conventions.
    fn exit(&self, plays: Plays) -> Exit {
        let is_unknown = |&play: &Play| self.answer.standing(play).outcome.outcome().is_none();
        if plays.list().iter().any(is_unknown) {
            Exit::Unknown
        } else {
            Exit::Fine
        }
    }
}

impl Row for Queried {
    /// The row of the whole position, under the name that the user gave it.
    fn cells(&self) -> Vec<Cell> {
        let answer = &self.answer;
        vec![
            text("position", brief(&self.position)),
            text("normal", answer.normal.outcome),
            text("nimber", or_dash(answer.nimber)),
            text("misere", answer.misere.outcome),
            text("genus", or_dash(answer.genus.as_ref())),
        ]
    }
}

/// The cells of a verdict, without its position.
pub(crate) fn verdict_cells(verdict: &Verdict) -> [Cell; 4] {
    [
        text("normal", verdict.normal),
        text("nimber", or_dash(verdict.nimber)),
        text("misere", verdict.misere),
        text("genus", or_dash(verdict.genus.as_ref())),
    ]
}

impl Show for Queried {
    fn lines(&self) -> Vec<String> {
        let mut rows = vec![self.cells()];
        for equal in self.answer.lands.chunk_by(|one, other| one == other) {
            let times = match equal.len() {
                1 => String::new(),
                several => format!("{several} times "),
            };
            let land = format!("  land {times}{}", equal[0].canonical);
            let mut row = vec![text("position", land)];
            row.extend(verdict_cells(&equal[0]));
            rows.push(row);
        }
        let mut lines = table(rows, Look::of_stdout());
        lines.push(String::new());
        if self.position != self.answer.canonical {
            let canonical = brief(&plain(&self.answer.canonical));
            lines.push(format!("canonical form: {canonical}"));
        }
        lines.extend(Play::ALL.map(|play| {
            let verified = if self.answer.standing(play).verified {
                "; confirmed by the checker of certificates"
            } else {
                ""
            };
            format!(
                "{play}: {}{verified}",
                reason(&self.position, &self.answer, play)
            )
        }));
        if self.may_have_a_nimber() {
            let asked = brief(&plain(&self.position));
            lines.push(format!(
                "nimber: `sproutnet solve \"{asked}\" --nimber` finds it"
            ));
        }
        if self.may_have_a_genus() {
            let asked = brief(&plain(&self.position));
            lines.push(format!(
                "genus: `sproutnet genus \"{asked}\"` searches for it"
            ));
        }
        lines
    }
}

/// The reason for an outcome; if the outcome is unknown, a hint how to find it.
fn reason(asked: &str, answer: &Answer, play: Play) -> String {
    let standing = answer.standing(play);
    let Some(basis) = standing.basis else {
        return open(asked, answer, play);
    };
    if let Some(solved) = &standing.solved {
        return solved_here(solved);
    }
    let cited = standing.citation.as_deref().unwrap_or_default();
    match basis {
        Basis::PlayedOut if answer.most_moves == 0 => "nothing is left to play".to_owned(),
        Basis::PlayedOut => format!("every play was looked at: {}", at_most(answer.most_moves)),
        Basis::Certificate => match Proof::cited(cited) {
            Some(proof) => format!("{}; `sproutnet atlas` tells more", proof.citation()),
            None => "a certificate was checked here".to_owned(),
        },
        Basis::Search => "found just now".to_owned(),
        Basis::Records | Basis::Computation => "follows from the records of this store".to_owned(),
        _ if !standing.is_proved() => format!("not solved here: {cited}"),
        Basis::Theorem | Basis::Sequence | Basis::Period | Basis::Quotient | Basis::Sum => {
            format!("follows from {cited}")
        }
        Basis::Publication => cited.to_owned(),
    }
}

/// The bound on the moves that are left.
fn at_most(moves: u32) -> String {
    match moves {
        1 => "it ends after one move".to_owned(),
        moves => format!("it ends after at most {moves} moves"),
    }
}

/// How to find an unknown outcome, and which lands are missing.
fn open(asked: &str, answer: &Answer, play: Play) -> String {
    if let Some(id) = answer.standing(play).computation {
        return format!("computation {id} is under way; `sproutnet watch {id}` follows it");
    }
    let asked = brief(&plain(asked));
    let solve = if answer.most_moves > MOST_DECIDED {
        let moves = count(answer.most_moves.into());
        format!("up to {moves} moves are left: too many for a search")
    } else {
        format!("`sproutnet solve \"{asked}\" --play {play}` finds out")
    };
    let missing = answer.lands.iter().filter(|land| land.nimber.is_none());
    let mut missing: Vec<&str> = missing.map(|land| land.canonical.as_str()).collect();
    missing.dedup();
    let why = match &missing[..] {
        _ if play == Play::Misere => String::new(),
        [one] => format!(": the nimber of {one} is missing"),
        [some @ .., last] if !some.is_empty() && missing.len() <= MOST_NAMED => {
            format!(
                ": the nimbers of {} and {last} are missing",
                some.join(", ")
            )
        }
        _ => String::new(),
    };
    format!("unknown{why}; {solve}")
}

fn solved_here(solved: &Provenance) -> String {
    let by = solved.computation.map(ComputationId);
    let by = by.map_or_else(String::new, |id| format!(" by computation {id}"));
    format!(
        "solved here{by} at {} in {}, {} expansions",
        humantime::format_rfc3339_seconds(moment(solved.solved_at)),
        time(solved.seconds),
        count(solved.expansions),
    )
}

/// Looks up a position at the coordinator.
pub(crate) async fn ask(
    request: v1::QueryRequest,
    common: &Common,
) -> anyhow::Result<(Answer, Vec<Verdict>)> {
    cluster::ask(common, |client| async move { client.query(request).await }).await
}

/// A query for a position, with the time limit of a search.
fn request(position: &str, within: Duration) -> v1::QueryRequest {
    v1::QueryRequest {
        position: position.to_owned(),
        within_ms: milliseconds(within),
        ..v1::QueryRequest::default()
    }
}

/// Milliseconds, saturating.
pub(crate) fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}

/// The answer to one line.
type Lookup = Result<Result<Queried, Refused>, tonic::Status>;

/// Looks up several positions, up to [`AT_A_TIME`] at once. Prints the answers in order; returns the worst exit.
async fn run_all(query: &Query, common: &Common) -> anyhow::Result<Exit> {
    let roots = roots::read(&query.positions)?;
    let cluster = Cluster::connect_to_ask(common).await?;
    let retry = Retry::new(cluster.is_elsewhere(), |notice| eprintln!("{notice}"));
    let (sender, mut lookups) = mpsc::channel(AT_A_TIME);
    let asking = tokio::spawn(ask_all(
        cluster.client(),
        retry,
        query.within.0,
        roots,
        sender,
    ));
    let longest = query
        .positions
        .iter()
        .map(|text| text.chars().count())
        .max();
    let mut rows = Rows::new(
        common.json,
        &[longest.unwrap_or_default().max(16), 7, 6, 7, 5],
    );
    let mut worst = Exit::Fine;
    while let Some(lookup) = lookups.recv().await {
        worst = worst.max(match lookup.await?? {
            Ok(queried) => {
                rows.print(&queried)?;
                queried.exit(query.play)
            }
            Err(refused) => {
                answers::refuse(common.json, &refused)?;
                Exit::BadInput
            }
        });
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
    roots: Roots,
    sender: mpsc::Sender<JoinHandle<Lookup>>,
) {
    let mut roots = roots::channel(roots);
    while let Some(root) = roots.recv().await {
        let Ok(place) = sender.reserve().await else {
            return;
        };
        let (client, retry) = (client.clone(), retry.clone());
        place.send(tokio::spawn(async move {
            match root {
                Ok(root) => look_up(&client, &retry, root, within).await,
                Err(refused) => Ok(Err(refused)),
            }
        }));
    }
}

async fn look_up(client: &Client, retry: &Retry, root: Root, within: Duration) -> Lookup {
    let Root {
        text: position,
        line,
    } = root;
    let request = request(&position, within);
    let answer = retry.call(|| client.query(request.clone())).await;
    match answer {
        Ok((answer, _)) => Ok(Ok(Queried { position, answer })),
        Err(status) if is_refused(&status) => Ok(Err(Refused {
            line,
            input: Some(position),
            problem: BadInput(explain(&status)),
        })),
        Err(status) => Err(status),
    }
}
