//! The knowledge about a position, with searches whose work is counted.

use std::cell::RefCell;
use std::io;

use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Searched, Source, Standing, Verdict};
use sproutnet_notation::Play;
use sproutnet_query::{
    derived, is_small, nimber_of, nimber_within, published_of, solve_within, sum, verdict,
};
use sproutnet_solver::play::{GameKnowledge, Knowledge};
use sproutnet_solver::search::Control;

/// The size of known facts from which they are forgotten, in bytes.
const MOST_KNOWN: usize = 512 << 20;

thread_local! {
    /// The facts of earlier answers.
    static KNOWLEDGE: RefCell<Knowledge> = RefCell::default();
}

/// Calls a function with the facts of earlier answers.
pub(crate) fn with_knowledge<T>(use_it: impl FnOnce(&Knowledge) -> T) -> T {
    KNOWLEDGE.with_borrow_mut(|knowledge| {
        if knowledge.bytes() > MOST_KNOWN {
            *knowledge = Knowledge::default();
        }
        use_it(knowledge)
    })
}

/// The facts about a game.
pub(crate) fn of_game<'a>(knowledge: &'a Knowledge, game: &dyn Game) -> &'a GameKnowledge {
    knowledge.game(game.name()).expect("all games are known")
}

/// The knowledge about a position, and what came of the searches. A small position is searched as far as `control`
/// allows.
///
/// # Errors
/// There is not enough memory.
pub(crate) fn answer(
    knowledge: &Knowledge,
    game: &dyn Game,
    position: &Position,
    control: &Control,
) -> io::Result<(Answer, Searched)> {
    let known = of_game(knowledge, game);
    let seen = verdict(known, position);
    let mut searched = Searched::No;
    let mut standing = |play| standing(known, position, play, &seen, control, &mut searched);
    let (mut normal, misere) = (standing(Play::Normal)?, standing(Play::Misere)?);
    let lands = lands(knowledge, game, position, control)?;
    // What the searches proved may tell more.
    let Verdict {
        canonical,
        mut nimber,
        genus,
        ..
    } = verdict(known, position);
    if !game.is_partizan() {
        if let Some((standing, of_sum)) = sum(&lands) {
            nimber = nimber.or(of_sum);
            if normal.outcome.outcome().is_none() {
                normal = standing;
            }
        }
        nimber = nimber.or_else(|| nimber_of(normal.outcome));
        if nimber.is_none() && is_small(known, position) {
            nimber = nimber_within(known, position, control)?;
            searched = searched.max(came_of(nimber.is_some()));
        }
    }
    let answer = Answer {
        canonical,
        game: game.name().to_owned(),
        most_moves: game.max_moves_of(position),
        normal,
        misere,
        nimber,
        genus,
        lands: lands.into_iter().map(|(verdict, _)| verdict).collect(),
    };
    Ok((answer, searched))
}

/// The outcome under one convention, and its source.
fn standing(
    known: &GameKnowledge,
    position: &Position,
    play: Play,
    seen: &Verdict,
    control: &Control,
    searched: &mut Searched,
) -> io::Result<Standing> {
    if let Some(outcome) = seen.outcome(play).outcome() {
        return Ok(derived(known, position, play, outcome));
    }
    if is_small(known, position) {
        let outcome = solve_within(known, position, play, control)?;
        *searched = came_of(outcome.is_some()).max(*searched);
        if outcome.is_some() {
            return Ok(Standing::known(outcome, Source::Search));
        }
    } else {
        *searched = Searched::TooLarge.max(*searched);
    }
    Ok(match published_of(&seen.canonical, play) {
        Some((outcome, source, citation)) => Standing {
            citation: Some(citation.to_owned()),
            ..Standing::known(Some(outcome), source)
        },
        None => Standing::open(None),
    })
}

/// The verdicts on the lands of a sum, each with its standing under normal play.
fn lands(
    knowledge: &Knowledge,
    game: &dyn Game,
    position: &Position,
    control: &Control,
) -> io::Result<Vec<(Verdict, Standing)>> {
    let [_, _, ..] = position.lands() else {
        return Ok(Vec::new());
    };
    let each = position.lands().iter().map(|land| {
        // A land of a sum across games belongs to one of them.
        let part = game.part(land);
        let (game, land) = match &part {
            Some((game, land)) => (&**game, land),
            None => (game, land),
        };
        let land = Position::new(vec![land.clone()]);
        let (of_land, _) = answer(knowledge, game, &land, control)?;
        let verdict = Verdict {
            canonical: of_land.canonical,
            normal: of_land.normal.outcome,
            misere: of_land.misere.outcome,
            nimber: of_land.nimber,
            genus: of_land.genus,
            verified: Vec::new(),
        };
        Ok((verdict, of_land.normal))
    });
    each.collect()
}

/// What came of a search.
fn came_of(has_found: bool) -> Searched {
    if has_found {
        Searched::Yes
    } else {
        Searched::OutOfTime
    }
}
