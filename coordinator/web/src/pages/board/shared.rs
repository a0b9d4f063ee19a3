//! Matches between two people on two devices. The coordinator keeps them; the address is the secret that both share.
//!
//! The inviter keeps the seat that they had on the board, the first to join is the other player, and all others watch.
//! A cookie for the path of the match identifies a player. Moves are sent as forms, so that no other site can make one.

use std::convert::Infallible;
use std::mem;
use std::sync::Arc;
use std::time::Instant;

use axum::Form;
use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use maud::html;
use serde::Deserialize;
use sproutnet_board::address::{Address, People, Terms};
use sproutnet_board::page::{chosen, wanted_line};
use sproutnet_board::pick::{refused, refused_line};
use sproutnet_board::state::{LONGEST, Match, Rematch, Seat};
use sproutnet_board::{Around, picture, talk};
use sproutnet_coordinator::{Coordinator, CoordinatorError, SharedMatch};
use sproutnet_solver::play::Play;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::between;
use super::presence::Players;
use crate::extract::{Asked, At, Origin};
use crate::links;
use crate::pages::Site;
use crate::pages::layout::Script;
use crate::pages::preview::{self, Preview};
use crate::problem::Problem;
use crate::{access, sessions};

/// The cookie of a player. Its path is that of the match.
const COOKIE: &str = "sproutnet_player";

/// The lifetime of the cookie, in seconds: as long as a match is kept in which nothing happens.
const MAX_AGE: u32 = 30 * 24 * 60 * 60;

/// The problem of a move for a match that has changed since.
const GONE_ON: &str = "the match has gone on meanwhile; look at it again";

const ENDED: &str = "this match has ended";

/// The match to be shared.
#[derive(Deserialize)]
pub(in crate::pages) struct Invitation {
    /// A match on the board, as in its address.
    played: String,
    play: Play,
    /// The seat of the inviter.
    #[serde(default = "first")]
    you: People,
}

fn first() -> People {
    People::First
}

/// Begins a match between two devices, with the moves made on the board so far.
pub(in crate::pages) async fn invite(
    State(site): State<Arc<Site>>,
    headers: HeaderMap,
    form: Result<Form<Invitation>, FormRejection>,
) -> Result<Response, Problem> {
    let Form(Invitation { played, play, you }) =
        form.map_err(|_| Problem::bad("a match is expected"))?;
    let (name, secret) = (new_name()?, random()?);
    let (its_name, its_secret) = (name.clone(), secret.clone());
    let at_hand = Arc::clone(&site);
    let begun = move || -> Result<(), Problem> {
        let game = Match::read(&at_hand.sheets, &played, Terms::between_people(play))?;
        if game.winner().is_some() {
            return Err(Problem::bad(ENDED));
        }
        let matches = &at_hand.coordinator.matches;
        let side = usize::from(you == People::Second);
        matches.begin(&its_name, &its_secret, side, &played, play)?;
        Ok(())
    };
    crate::blocking(begun).await??;
    tracing::info!("a match between two people begins");
    Ok(seated(&headers, &name, &secret))
}

/// Takes the free place of a player, or watches if there is none.
pub(in crate::pages) async fn join(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let known = access::cookie(&headers, COOKIE);
    let secret = random()?;
    let (its_name, its_secret) = (name.clone(), secret.clone());
    let joined = site.ask(move |coordinator, _| {
        let matches = &coordinator.matches;
        let of = matches
            .get(&its_name)
            .ok_or(CoordinatorError::Unknown("match"))?;
        // Nobody plays against themselves.
        let plays = known.is_some_and(|known| of.player(&known).is_some());
        Ok(!plays && matches.join(&its_name, &its_secret)?)
    });
    Ok(if joined.await? {
        seated(&headers, &name, &secret)
    } else {
        Redirect::to(&links::shared(&name, "")).into_response()
    })
}

/// The page of a match.
pub(in crate::pages) async fn page(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
    Origin(origin): Origin,
    Asked(address): Asked<Address>,
) -> Result<Response, Problem> {
    let at_hand = Arc::clone(&site);
    let read = move || -> Result<_, Problem> {
        let (game, of) = read(&at_hand, &name, &headers)?;
        let chosen = chosen(&game, &address);
        Ok((game, of.version(), chosen, address.mark))
    };
    let (game, version, chosen, mark) = crate::blocking(read).await??;
    let content = html! {
        div #match .seen.match data-hand=[talk::hand(&game, mark)] data-method="post" data-version=(version)
            data-side=[game.place.as_ref().and_then(|place| place.side)] {
            (between::join(&game))
            (picture::section(&game, &chosen, mark, None))
            section #turn .about tabindex="-1" { (between::between_two(&game)) }
            (picture::choice(&game, &chosen, Around::Server))
            (talk::more(&game, Around::Server))
        }
    };
    let script = Script::Match {
        waits: !game.can_draw() && game.winner().is_none(),
    };
    let title = talk::title(&game);
    let preview = origin.map(|origin| Preview::new(talk::preview(&game, &title), origin));
    let page = site.page_with(&title, Some(script), preview.as_ref(), &content);
    Ok(page.into_response())
}

/// The board of a match as it is shown with a link.
pub(in crate::pages) async fn preview(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let drawn = move || -> Result<Response, Problem> {
        let (game, _) = read(&site, &name, &headers)?;
        preview::file(game.sheet())
    };
    crate::blocking(drawn).await?
}

/// Makes a move: a line drawn by hand, or one of the ways to join two spots.
pub(in crate::pages) async fn draw(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
    Asked(address): Asked<Address>,
) -> Result<Redirect, Problem> {
    let to = links::shared(&name, "");
    let drawn = move || -> Result<(), Problem> {
        let (game, of) = read(&site, &name, &headers)?;
        game.need_no_resignation()?;
        if address.moves != Some(game.moves()) {
            return Err(conflict(GONE_ON));
        }
        if !game.can_draw() {
            return Err(conflict("it is not your move"));
        }
        let chosen = chosen(&game, &address);
        let stroke = wanted_line(&game, &chosen, &address)?;
        let stroke = stroke.ok_or_else(|| Problem::bad("a line is expected"))?;
        game.sheet()
            .play(&stroke)
            .map_err(|error| refused_line(&error))?;
        let code = stroke.code();
        if game.played().len() + code.len() > LONGEST {
            return Err(refused(&"this match is too long for one more line").into());
        }
        let matches = &site.coordinator.matches;
        // The moves before the invitation are in the start.
        let is_next = matches.add(&name, of.moves.len(), code)?;
        is_next.then_some(()).ok_or_else(|| conflict(GONE_ON))
    };
    crate::blocking(drawn).await??;
    Ok(Redirect::to(&to))
}

/// The reader resigns.
pub(in crate::pages) async fn resign(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
) -> Result<Redirect, Problem> {
    let to = links::shared(&name, "");
    let resigned = move || -> Result<(), Problem> {
        // A move of the other player may come between.
        loop {
            let (game, of) = read(&site, &name, &headers)?;
            if game.winner().is_some() {
                return Err(conflict(ENDED));
            }
            let side = game.place.as_ref().and_then(|place| place.side);
            let Some(side) = side.filter(|_| game.may_resign()) else {
                return Err(conflict(
                    "only a player can resign, and only from the other one",
                ));
            };
            if site
                .coordinator
                .matches
                .resign(&name, of.moves.len(), side)?
            {
                return Ok(());
            }
        }
    };
    crate::blocking(resigned).await??;
    Ok(Redirect::to(&to))
}

/// Offers a rematch, or accepts the one that the other player offered. A form and no link: it takes a seat, and looking
/// at an address must not.
pub(in crate::pages) async fn rematch(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (new, secret) = (new_name()?, random()?);
    let (its_secret, its_headers) = (secret.clone(), headers.clone());
    let found = move || -> Result<(String, bool), Problem> {
        let matches = &site.coordinator.matches;
        // Both players may offer one at the same time: then the second one looks again, and accepts the first. The
        // match that the second one began stays empty, and is forgotten.
        loop {
            let (game, of) = read(&site, &name, &its_headers)?;
            let place = game.place.as_ref();
            let side = place.and_then(|place| place.side);
            let side = side.ok_or_else(|| conflict("only a player can offer a rematch"))?;
            if game.winner().is_none() {
                return Err(conflict("this match has not ended"));
            }
            if let Some(offered) = place.and_then(|place| place.rematch.clone()) {
                let joins = offered.is_open && matches.join(&offered.name, &its_secret)?;
                return Ok((offered.name, joins));
            }
            matches.begin(&new, &its_secret, 1 - side, game.start(), of.play)?;
            if matches.offer(&name, of.rematch.as_deref(), &new)? {
                return Ok((new, true));
            }
        }
    };
    let (new, joins) = crate::blocking(found).await??;
    Ok(if joins {
        seated(&headers, &new, &secret)
    } else {
        Redirect::to(&links::shared(&new, "")).into_response()
    })
}

/// A reason to look what a page has to be told.
enum Wake {
    Match,
    Presence,
}

/// What a page is told.
enum Told {
    /// The number of changes to the match.
    Version(usize),
    Presence(Players),
}

/// The number of changes to the match and the presence of its players, now and after each change, as server-sent
/// events. While a player reads them, the player's page counts as open.
pub(in crate::pages) async fn events(
    State(site): State<Arc<Site>>,
    At(name): At<String>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let of_name = name.clone();
    let get = move |coordinator: &Coordinator| {
        let of = coordinator.matches.get(&of_name);
        of.ok_or(CoordinatorError::Unknown("match"))
    };
    let changes = site.coordinator.matches.changes();
    let first = get.clone();
    let of = site.ask(move |coordinator, _| first(coordinator)).await?;
    let side = access::cookie(&headers, COOKIE).and_then(|secret| of.player(&secret));
    let open_page = side.map(|side| site.presence.open(&name, side, Instant::now()));
    let players = WatchStream::new(site.presence.changes()).map(|_| Wake::Presence);
    let wakes = WatchStream::new(changes)
        .map(|_| Wake::Match)
        .merge(players);
    let told = wakes.then(move |wake| {
        let (site, get, name) = (Arc::clone(&site), get.clone(), name.clone());
        async move {
            Ok::<_, Problem>(match wake {
                Wake::Match => {
                    let of = site.ask(move |coordinator, _| get(coordinator)).await?;
                    Told::Version(of.version())
                }
                Wake::Presence => Told::Presence(site.presence.of(&name)),
            })
        }
    });
    let (mut version, mut presence) = (None, Players::default());
    let events = told.map_while(Result::ok).filter_map(move |told| {
        let _open = &open_page;
        match told {
            Told::Version(new) if version.replace(new) != Some(new) => {
                Some(Ok(Event::default().data(new.to_string())))
            }
            Told::Presence(new) if mem::replace(&mut presence, new) != new => {
                let now = Instant::now();
                let players = new.map(|player| player.told(now));
                let event = Event::default().event("presence").json_data(players);
                event.ok().map(Ok)
            }
            Told::Version(_) | Told::Presence(_) => None,
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn conflict(text: &str) -> Problem {
    Problem::new(StatusCode::CONFLICT, text)
}

/// The match as the sender of these headers sees it, and as it is kept.
fn read(site: &Site, name: &str, headers: &HeaderMap) -> Result<(Match, SharedMatch), Problem> {
    let of = site.coordinator.matches.get(name);
    let of = of.ok_or_else(|| Problem::missing("there is no such match"))?;
    let side = access::cookie(headers, COOKIE).and_then(|secret| of.player(&secret));
    // It may have been removed.
    let rematch = of.rematch.as_ref().and_then(|name| {
        let new = site.coordinator.matches.get(name)?;
        Some(Rematch {
            name: name.clone(),
            // The seats are exchanged.
            is_open: side.is_some_and(|side| new.players[1 - side].is_none()),
        })
    });
    let place = Seat {
        name: name.to_owned(),
        side,
        free: of.players.iter().position(Option::is_none),
        rematch,
    };
    let terms = Terms::between_people(of.play);
    let played = of.start.clone() + &of.moves.concat();
    let mut game = Match::read(&site.sheets, &played, terms)?;
    game.place = Some(place);
    game.resigned = of.resigned;
    Ok((game, of))
}

/// Redirects to a match, and sets the cookie of a player.
fn seated(headers: &HeaderMap, name: &str, secret: &str) -> Response {
    let path = links::shared(name, "");
    let secure = access::secure(headers);
    let cookie = format!(
        "{COOKIE}={secret}; Path={path}; Max-Age={MAX_AGE}; HttpOnly; SameSite=Lax{secure}"
    );
    (
        AppendHeaders([(header::SET_COOKIE, cookie)]),
        Redirect::to(&path),
    )
        .into_response()
}

/// A random name of a match: 96 bits, and short, because people send it to each other.
fn new_name() -> Result<String, Problem> {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).map_err(|error| Problem::fault(&error))?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// A random secret of a player.
fn random() -> Result<String, Problem> {
    sessions::random::<16>().map_err(|error| Problem::fault(&error))
}
