//! `sproutnet match`: replays recorded matches, and says where a player gave a win away.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use sproutnet_game::sprouts::replay::{self, Replay, ReplayError};
use sproutnet_game::{self as game, Game, Position, Sprouts, sprouts};
use sproutnet_model::Known;
use sproutnet_notation::Play;
use sproutnet_notation::matches::{self, Player, Record};
use sproutnet_proto::v1;
use sproutnet_system::options::Time;

use crate::args::{Common, Match};
use crate::commands::{query, roots};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::ask;
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, number, table, text};
use crate::terminal::text::{Show, or_dash, print};

/// A review of a match.
#[derive(Serialize)]
struct Review {
    /// The match in the notation of records, each move as it was written.
    record: String,
    spots: u32,
    play: Play,
    players: Option<String>,
    /// The winner by the record: `I` began.
    winner: Option<String>,
    /// The start, and the position after each move.
    steps: Vec<Step>,
}

/// A position of a match.
#[derive(Serialize)]
struct Step {
    /// The number of moves made.
    r#move: usize,
    /// The player who made the last move: `I` began.
    player: Option<String>,
    /// The last move, as it was written.
    written: Option<String>,
    canonical: String,
    /// The outcome for the player to move now.
    outcome: Known,
    /// Whether the last move gave a win away; `null` if that is unknown.
    mistake: Option<bool>,
}

/// Reviews the matches of a file, or writes them.
pub(crate) async fn run(asked: Match, common: Common) -> anyhow::Result<Exit> {
    let input = read(&asked.file)?;
    let records = match asked.positions {
        Some(play) => vec![through(&input, play)?],
        None => records(&input)?,
    };
    let replays: Vec<Replay> = records.iter().map(replayed).collect::<Result<_, _>>()?;
    let mut exit = Exit::Fine;
    for (record, replay) in records.iter().zip(&replays) {
        if asked.write {
            print(common.json, &Written::of(record, replay))?;
            continue;
        }
        let outcomes = outcomes(record, replay, asked.within, &common).await?;
        let review = Review::of(record, replay, &outcomes);
        print(common.json, &review)?;
        if outcomes.contains(&Known::Unknown) {
            exit = Exit::Unknown;
        }
    }
    Ok(exit)
}

/// The text of a file, or of standard input.
fn read(file: &Path) -> anyhow::Result<String> {
    if file == Path::new("-") {
        let mut input = String::new();
        let read = std::io::stdin().read_to_string(&mut input);
        read.context("standard input")?;
        return Ok(input);
    }
    let input = fs::read_to_string(file);
    let input = input.map_err(|error| BadInput(format!("{}: {error}", file.display())))?;
    Ok(input)
}

fn records(input: &str) -> Result<Vec<Record>, BadInput> {
    let records = matches::read(input).map_err(|error| BadInput(error.to_string()))?;
    if records.is_empty() {
        return Err(BadInput(
            "there is no match: a record begins with a number of spots, such as `8+` or `8-`"
                .to_owned(),
        ));
    }
    Ok(records)
}

/// The record of a match through positions.
fn through(input: &str, play: Play) -> Result<Record, BadInput> {
    let lines = input.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut positions = Vec::new();
    for line in lines {
        let (game, position) = roots::parse(line)?;
        if game.name() != Sprouts.name() {
            return Err(BadInput(format!("`{line}` is no position of Sprouts")));
        }
        positions.push(position);
    }
    let spots = positions.first().and_then(start_spots);
    let Some(spots) = spots else {
        return Err(BadInput(
            "the first position has to be a start, such as `0*8`".to_owned(),
        ));
    };
    let moves = replay::through(spots, &positions).map_err(|error| refusal(&error))?;
    Ok(Record {
        spots,
        play,
        players: None,
        moves,
        winner: None,
    })
}

/// The number of spots of a start position.
fn start_spots(position: &Position) -> Option<u32> {
    let (spots, _) = sprouts::spots_and_lives(position);
    let spots = u32::try_from(spots).ok()?;
    let start = Sprouts.parse(&Sprouts::start(spots)).ok()?;
    (start == *position).then_some(spots)
}

fn replayed(record: &Record) -> Result<Replay, BadInput> {
    replay::replay(record).map_err(|error| {
        let BadInput(problem) = refusal(&error);
        BadInput(format!("{}: {problem}", head(record)))
    })
}

/// The record without its moves.
fn head(record: &Record) -> String {
    let head = Record {
        moves: Vec::new(),
        winner: None,
        ..record.clone()
    };
    head.to_string()
}

/// The error for a match that cannot be replayed; the readings of an ambiguous move are listed.
fn refusal(error: &ReplayError) -> BadInput {
    let mut problem = error.to_string();
    if let ReplayError::Ambiguous { readings, .. } = error {
        for (position, exact) in readings {
            problem += &format!("\n  {exact} leads to {}", canonical(position));
        }
    }
    BadInput(problem)
}

/// The canonical text of a position, as people and programs see it.
fn canonical(position: &Position) -> String {
    game::qualified(&Sprouts, &Sprouts.print(position))
}

/// The outcomes of the positions, for the player to move. The last ones are asked for first: earlier ones may follow.
async fn outcomes(
    record: &Record,
    replay: &Replay,
    within: Time,
    common: &Common,
) -> anyhow::Result<Vec<Known>> {
    let play = record.play;
    let requests = replay
        .positions
        .iter()
        .rev()
        .map(|position| v1::QueryRequest {
            position: canonical(position),
            within_ms: query::milliseconds(within.0),
            ..v1::QueryRequest::default()
        });
    let requests: Vec<_> = requests.collect();
    let mut outcomes = ask(common, |client| async move {
        let mut outcomes = Vec::new();
        for request in requests {
            let (answer, _) = client.query(request).await?;
            outcomes.push(answer.standing(play).outcome);
        }
        Ok(outcomes)
    })
    .await?;
    outcomes.reverse();
    Ok(outcomes)
}

impl Review {
    fn of(record: &Record, replay: &Replay, outcomes: &[Known]) -> Self {
        let steps = replay.positions.iter().zip(outcomes).enumerate();
        let step = |(moves, (position, &outcome)): (usize, (&Position, &Known))| {
            let last = moves.checked_sub(1);
            Step {
                r#move: moves,
                player: last.map(|last| Player::of_move(last).to_string()),
                written: last.map(|last| record.moves[last].to_string()),
                canonical: canonical(position),
                outcome,
                mistake: last.and_then(|last| is_mistake(outcomes[last], outcome)),
            }
        };
        Self {
            record: record.to_string(),
            spots: record.spots,
            play: record.play,
            players: record.players.clone(),
            winner: record.winner.map(|winner| winner.to_string()),
            steps: steps.map(step).collect(),
        }
    }

    /// Whether the outcome of the last position fits the winner of the record.
    fn verdict(&self) -> Option<String> {
        let winner = self.winner.as_deref()?;
        let last = self.steps.last()?;
        let to_move = Player::of_move(last.r#move).to_string();
        let wins = match last.outcome {
            Known::Win => to_move == winner,
            Known::Loss => to_move != winner,
            Known::Unknown | Known::InProgress => {
                return Some(format!(
                    "{winner} won; the outcome of the last position is unknown"
                ));
            }
        };
        Some(if wins {
            format!("{winner} won, as the last position says")
        } else {
            format!("{winner} won, although the last position is won by the other player")
        })
    }
}

/// Whether a move from a position with the first outcome to one with the second gave a win away.
fn is_mistake(before: Known, after: Known) -> Option<bool> {
    match (before, after) {
        (Known::Win, Known::Win) => Some(true),
        (Known::Loss, _) | (_, Known::Loss) => Some(false),
        _ => None,
    }
}

impl Step {
    fn cells(&self) -> Vec<Cell> {
        let mistake = self.mistake == Some(true);
        vec![
            number("move", self.r#move),
            text("player", or_dash(self.player.as_ref())),
            text("written", or_dash(self.written.as_ref())),
            text("position", &self.canonical),
            text("player to move", self.outcome),
            text("remark", if mistake { "mistake" } else { "" }),
        ]
    }
}

impl Show for Review {
    fn lines(&self) -> Vec<String> {
        let players = self.players.as_ref();
        let players = players.map_or_else(String::new, |players| format!(", {players}"));
        let mut lines = vec![format!("{} spots, {} play{players}", self.spots, self.play)];
        lines.extend(table(self.steps.iter().map(Step::cells), Look::of_stdout()));
        lines.extend(self.verdict());
        lines
    }
}

/// A match in the notation of records.
#[derive(Serialize)]
struct Written {
    record: String,
}

impl Written {
    /// The record with moves that have one meaning each.
    fn of(record: &Record, replay: &Replay) -> Self {
        let record = Record {
            moves: replay.moves(record),
            ..record.clone()
        };
        Self {
            record: record.to_string(),
        }
    }
}

impl Show for Written {
    fn lines(&self) -> Vec<String> {
        vec![self.record.clone()]
    }
}
