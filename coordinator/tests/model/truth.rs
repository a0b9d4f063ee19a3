//! The positions of the model, with their true results.

use std::sync::{Arc, OnceLock};

use sproutnet_coordinator::scheduler::computation::Request;
use sproutnet_game as game;
use sproutnet_solver::play::{Convention, Knowledge, NimberStep, Outcome, Play, State};
use sproutnet_solver::search::{Control, Search, Table};

/// A position with its outcome and, under normal play, its nimber.
pub(crate) struct Known {
    pub(crate) request: Request,
    pub(crate) outcome: Outcome,
    pub(crate) nimber: Option<u32>,
}

const POSITIONS: [&str; 13] = [
    "0*2",
    "0*3",
    "0*4",
    "0*5",
    "0*6",
    "0*3.1a1a",
    "0*3+0*4",
    "kayles:9",
    "kayles:14",
    "kayles:21",
    "kayles:12+8+5",
    "kayles:2+1",
    "0*4+0*4",
];

/// All positions, under each convention, and for their nimbers.
pub(crate) fn all() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    ALL.get_or_init(|| {
        let requests = POSITIONS.iter().flat_map(|text| requests(text));
        requests.map(solve).collect()
    })
}

fn requests(text: &str) -> impl Iterator<Item = Request> {
    let (game, position) = game::parse(text).expect("a position");
    let kinds = [
        (Play::Normal, false),
        (Play::Normal, true),
        (Play::Misere, false),
    ];
    kinds.into_iter().map(move |(play, nimber)| Request {
        game: game.name(),
        position: position.clone(),
        play,
        nimber,
    })
}

fn solve(request: Request) -> Known {
    let knowledge = Knowledge::default();
    let game = knowledge.game(request.game).expect("a game");
    let (outcome, nimber) = match request.play {
        Play::Normal => solve_in(&game.normal, &request),
        Play::Misere => solve_in(&game.misere, &request),
    };
    Known {
        request,
        outcome,
        nimber,
    }
}

fn solve_in<C: Convention>(convention: &Arc<C>, request: &Request) -> (Outcome, Option<u32>) {
    let table = Table::new(1 << 20).expect("memory");
    let run = |state: &State<C::Value>| {
        let control = Control::default();
        let numbers = Search::new(&**convention, &table, &control).run(state);
        numbers.outcome().expect("searched to the end")
    };
    let root = convention.state(&request.position);
    let outcome = run(&root);
    let mut sum = Some(0);
    for &land in &root.lands {
        let of_land = loop {
            match convention.nimber(land) {
                None => break None,
                Some(NimberStep::Known(nimber)) => break Some(nimber),
                Some(NimberStep::Next(next)) => {
                    run(&next);
                }
            }
        };
        sum = sum.zip(of_land).map(|(sum, of_land)| sum ^ of_land);
    }
    (outcome, sum.filter(|_| C::PLAY == Play::Normal))
}
