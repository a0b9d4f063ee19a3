//! Random games on one sheet.

use std::ops::ControlFlow;

use crate::drawing_hand::farthest;
use crate::drawing_reader::points;
use sproutnet_drawing::Point;
use sproutnet_drawing::sheet::{SIDE, Sheet, SheetPicture, Size, Stroke};
use sproutnet_game::{Game, Position, Sprouts};

/// The number of games from each of seven start positions. With `SPROUTNET_FULL_TESTS=1`, 301 in all.
fn games() -> u64 {
    let is_full = std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1");
    if is_full { 43 } else { 15 }
}

/// The side of a line on which a point lies. Exact, since coordinates are multiples of 2⁻¹⁴.
fn side(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

fn is_between(a: Point, b: Point, c: Point) -> bool {
    side(a, b, c) == 0.0
        && c.x >= a.x.min(b.x)
        && c.x <= a.x.max(b.x)
        && c.y >= a.y.min(b.y)
        && c.y <= a.y.max(b.y)
}

/// Whether all common points of two segments are ends of both.
fn are_apart(a: [Point; 2], b: [Point; 2]) -> bool {
    let far = |a: f64, b: f64, c: f64, d: f64| a.max(b) < c.min(d) || c.max(d) < a.min(b);
    if far(a[0].x, a[1].x, b[0].x, b[1].x) || far(a[0].y, a[1].y, b[0].y, b[1].y) {
        return true;
    }
    let crosses = side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < 0.0
        && side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < 0.0;
    let touches = |a: [Point; 2], b: [Point; 2]| {
        b.iter()
            .any(|&end| is_between(a[0], a[1], end) && !a.contains(&end))
    };
    !crosses && !touches(a, b) && !touches(b, a)
}

/// Checks that no line crosses another or itself, and that each ends at its spots.
pub(crate) fn check_lines(sheet: &Sheet) {
    let mut segments = Vec::new();
    let mut inner: Vec<(u64, u64)> = sheet.spots().iter().map(bits).collect();
    for (line, ends) in sheet.lines().zip(sheet.ends()) {
        assert_eq!(line[0], sheet.spots()[ends[0]]);
        assert_eq!(line[line.len() - 1], sheet.spots()[ends[1]]);
        inner.extend(line[1..line.len() - 1].iter().map(bits));
        segments.extend(line.windows(2).map(|step| [step[0], step[1]]));
    }
    for (i, &one) in segments.iter().enumerate() {
        for &other in &segments[..i] {
            assert!(are_apart(one, other), "{one:?} {other:?}");
        }
    }
    let count = inner.len();
    inner.sort_unstable();
    inner.dedup();
    assert_eq!(inner.len(), count, "lines touch");
}

/// Checks that no curve, as drawn, crosses another or itself.
fn check_curves(sheet: &Sheet) {
    let mut segments = Vec::new();
    for path in sheet.paths() {
        let points = points(&path);
        segments.extend(points.windows(2).map(|step| [step[0], step[1]]));
    }
    segments.sort_by(|a, b| a[0].x.min(a[1].x).total_cmp(&b[0].x.min(b[1].x)));
    for (i, &a) in segments.iter().enumerate() {
        let right = a[0].x.max(a[1].x);
        let beside = segments[i + 1..].iter();
        for &b in beside.take_while(|b| b[0].x.min(b[1].x) <= right) {
            let crosses = side(a[0], a[1], b[0]) * side(a[0], a[1], b[1]) < 0.0
                && side(b[0], b[1], a[0]) * side(b[0], b[1], a[1]) < 0.0;
            assert!(!crosses, "{a:?} {b:?}");
        }
    }
}

fn bits(point: &Point) -> (u64, u64) {
    (point.x.to_bits(), point.y.to_bits())
}

/// Whether the fast rules engine has this move.
pub(crate) fn leads_to(position: &Position, next: &Position) -> bool {
    let found = Sprouts.moves(position, &mut |option| {
        if option == *next {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    found.is_break()
}

/// A random move, and the expected position after it. `None` if the game is over.
pub(crate) fn random_move(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Stroke, Position)> {
    let (stroke, position) = random_choice(sheet, random)?;
    Some((stroke.expect("room for a line"), position))
}

/// The same. There is no stroke if its line has no room.
fn random_choice(sheet: &Sheet, random: &mut fastrand::Rng) -> Option<(Option<Stroke>, Position)> {
    let count = sheet.spots().len();
    let mut pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|one| (one..count).map(move |other| (one, other)))
        .filter(|&(one, other)| {
            sheet.lives(one) > usize::from(one == other) && sheet.lives(other) > 0
        })
        .collect();
    random.shuffle(&mut pairs);
    for (one, other) in pairs {
        let choices = sheet.options(one, other);
        assert_eq!(sheet.partners(one).contains(&other), !choices.is_empty());
        assert_eq!(sheet.partners(other).contains(&one), !choices.is_empty());
        if choices.is_empty() {
            continue;
        }
        let choice = &choices[random.usize(..choices.len())];
        return Some((sheet.route(choice), choice.position.clone()));
    }
    None
}

/// A random game in progress.
struct Playing {
    sheet: Sheet,
    random: fastrand::Rng,
    /// The sheet before the last move, and the move.
    last: Option<(Sheet, Stroke)>,
    code: String,
}

impl Playing {
    fn start(spots: usize, seed: u64) -> Self {
        Self {
            sheet: Sheet::start(spots),
            random: fastrand::Rng::with_seed(seed),
            last: None,
            code: String::new(),
        }
    }

    /// Makes a random move. Returns the places of the spots before it and the position that it leads to; `None` if the
    /// game is over. Where there is no room for the line, the drawing is evened out first, and then there is.
    fn step(&mut self) -> Option<(Vec<Point>, Position)> {
        let (stroke, position) = random_choice(&self.sheet, &mut self.random)?;
        let stroke = stroke.unwrap_or_else(|| {
            let (sheet, last) = self.last.take().expect("an empty sheet has room");
            self.code.truncate(self.code.len() - last.code().len());
            let tidied = Stroke {
                is_tidied: true,
                ..last
            };
            self.code += &tidied.code();
            self.sheet = sheet.play(&tidied).expect("the same move");
            let stroke = self.sheet.route_to(&position);
            stroke.unwrap_or_else(|| panic!("no way: {}", self.code))
        });
        self.code += &stroke.code();
        let before = self.sheet.spots().to_vec();
        let after = self.sheet.play(&stroke);
        let after = after.unwrap_or_else(|error| panic!("{error}: {}", self.code));
        self.last = Some((std::mem::replace(&mut self.sheet, after), stroke));
        Some((before, position))
    }
}

/// Plays a number of random games.
fn play_games(spots: usize) {
    (0..games()).for_each(|game| drop(play_game(spots, game)));
}

/// Plays a random game to its end, with a check after each move. Returns the last sheet.
fn play_game(spots: usize, game: u64) -> Sheet {
    let mut playing = Playing::start(spots, game);
    let mut before = playing.sheet.position();
    while let Some((places, position)) = playing.step() {
        let Playing { sheet, code, .. } = &playing;
        check_lines(sheet);
        check_curves(sheet);
        assert_eq!(sheet.position(), position, "game {game}: {code}");
        assert!(leads_to(&before, &position), "game {game}");
        for (was, is) in places.iter().zip(sheet.spots()) {
            assert!(was.distance(*is) <= SIDE / 10.0, "game {game}");
        }
        before = position;
    }
    let Playing { sheet, code, .. } = playing;
    assert!(
        sheet.position().lands().is_empty() && sheet.is_over(),
        "game {game} ended early"
    );
    check_distances(&sheet);
    for spot in 0..sheet.spots().len() {
        let nearest = nearest_return(&sheet, spot);
        assert!(
            nearest > 23.0,
            "game {game}: a line comes back to its spot {spot}: {nearest}"
        );
    }
    if !game.is_multiple_of(10) {
        return sheet;
    }
    let replayed = Stroke::decode(&code)
        .expect("a code")
        .iter()
        .fold(Sheet::start(spots), |sheet, stroke| {
            sheet.play(stroke).expect("a move")
        });
    assert_eq!(replayed, sheet, "game {game}");
    sheet
}

#[test]
fn random_games_of_four_spots_stay_on_one_sheet() {
    play_games(4);
}

#[test]
fn random_games_of_five_spots_stay_on_one_sheet() {
    play_games(5);
}

#[test]
fn random_games_of_six_spots_stay_on_one_sheet() {
    play_games(6);
}

#[test]
fn random_games_of_seven_spots_stay_on_one_sheet() {
    play_games(7);
}

#[test]
fn random_games_of_eight_spots_stay_on_one_sheet() {
    play_games(8);
}

#[test]
fn random_games_of_nine_spots_stay_on_one_sheet() {
    play_games(9);
}

#[test]
fn random_games_of_ten_spots_stay_on_one_sheet() {
    play_games(10);
}

/// The distances that the program keeps even where it makes room: 0.72 of those it aims at. A disc has a radius of 15.
#[test]
fn drawings_of_twelve_spots_can_be_read_to_the_end() {
    for game in 0..games() / 5 {
        let sheet = play_game(12, game);
        let spots = sheet.spots();
        check_discs(&sheet);
        for (i, spot) in spots.iter().enumerate() {
            let nearest = spots[..i].iter().map(|other| spot.distance(*other));
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(nearest > 33.8, "game {game}: discs are {nearest} apart");
            for (path, ends) in sheet.paths().iter().zip(sheet.ends()) {
                let away = farthest(&[*spot], &points(path));
                assert!(
                    ends.contains(&i) || away > 23.0,
                    "game {game}: a line is {away} from a spot"
                );
            }
        }
    }
}

/// At each size at which a sheet is shown, no disc touches another one, and none touches a line that does not end in it.
fn check_discs(sheet: &Sheet) {
    let lines: Vec<_> = sheet.paths().into_iter().zip(sheet.ends()).collect();
    for (size, half_line, largest) in [
        (Size::Large, 2.0, [11.25, 15.0]),
        (Size::Board, 3.0, [21.0, 26.0]),
        (Size::Small, 9.5, [17.0, 31.0]),
    ] {
        let radii: Vec<f64> = (0..sheet.spots().len())
            .map(|spot| sheet.disc(spot, size))
            .collect();
        assert!(radii.contains(&largest[0]), "{radii:?}");
        let svg = sheet.svg(SheetPicture {
            size,
            ..SheetPicture::default()
        });
        let drawn = svg.split(" r=\"").skip(1).map(|rest| {
            let radius = rest.split('"').next().expect("a radius");
            radius.parse::<f64>().expect("a number")
        });
        let drawn: Vec<f64> = drawn.collect();
        assert_eq!(drawn.len(), radii.len());
        assert!(
            drawn
                .iter()
                .zip(&radii)
                .all(|(drawn, radius)| (drawn - radius).abs() < 0.01)
        );
        for (i, spot) in sheet.spots().iter().enumerate() {
            let is_alive = sheet.lives(i) > 0;
            assert!(radii[i] <= largest[usize::from(is_alive)]);
            for (j, other) in sheet.spots().iter().enumerate().filter(|(j, _)| *j != i) {
                let apart = spot.distance(*other);
                assert!(apart > radii[i] + radii[j], "{size:?}: discs overlap");
                // The pips of a live spot stand out by half of its radius.
                let is_large = radii[i] > 15.0 && radii[j] > 15.0;
                assert!(!(is_alive && is_large) || apart > 1.5 * radii[i] + radii[j]);
            }
            for (path, ends) in lines.iter().filter(|(_, ends)| !ends.contains(&i)) {
                let away = farthest(&[*spot], &points(path));
                assert!(
                    away > radii[i] + half_line,
                    "{size:?}: a disc covers the line {ends:?}"
                );
            }
        }
    }
}

/// The distance of a spot from the parts of its own lines that have left it: those beyond the first point, from the spot,
/// that is farther from it than 50 units. A line that comes back to its spot would read as another one.
fn nearest_return(sheet: &Sheet, spot: usize) -> f64 {
    let at = sheet.spots()[spot];
    let mut nearest = f64::INFINITY;
    for (path, ends) in sheet.paths().iter().zip(sheet.ends()) {
        let mut line = points(path);
        let is_far = |of: &Point| of.distance(at) > 50.0;
        if ends[0] == spot {
            line.drain(..line.iter().position(is_far).unwrap_or(line.len()));
        }
        if ends[1] == spot {
            line.truncate(line.iter().rposition(is_far).map_or(0, |last| last + 1));
        }
        if ends.contains(&spot) && line.len() > 1 {
            nearest = nearest.min(farthest(&[at], &line));
        }
    }
    nearest
}

#[test]
fn spots_stay_where_they_are_unless_room_is_needed() {
    let mut moved = Vec::new();
    for spots in [4, 7, 10] {
        for game in 0..4 {
            let mut playing = Playing::start(spots, 1000 + game);
            while let Some((before, _)) = playing.step() {
                let pairs = before.iter().zip(playing.sheet.spots());
                moved.extend(pairs.map(|(was, is)| was.distance(*is)));
            }
            check_distances(&playing.sheet);
        }
    }
    moved.sort_by(f64::total_cmp);
    let [median, most] = [moved.len() / 2, moved.len() * 9 / 10].map(|i| moved[i]);
    assert!(median < 3.0 && most < 15.0, "{median} {most}");
}

/// Checks that a drawing can be read: no discs overlap, no line runs over a spot, and no two lines read as one.
fn check_distances(sheet: &Sheet) {
    let spots = sheet.spots();
    let paths: Vec<Vec<Point>> = sheet.paths().iter().map(|path| points(path)).collect();
    let ends: Vec<[usize; 2]> = sheet.ends().collect();
    for (i, spot) in spots.iter().enumerate() {
        for other in &spots[..i] {
            assert!(spot.distance(*other) > 31.0, "discs overlap");
        }
        for (path, ends) in paths.iter().zip(&ends) {
            assert!(
                ends.contains(&i) || farthest(&[*spot], path) > 16.0,
                "a line runs over a spot"
            );
        }
    }
    for (i, one) in paths.iter().enumerate() {
        for (j, other) in paths[..i].iter().enumerate() {
            let mut pairs = [ends[i], ends[j]];
            for ends in &mut pairs {
                ends.sort_unstable();
            }
            if pairs[0] == pairs[1] {
                let apart = farthest(one, other).max(farthest(other, one));
                assert!(apart > 10.0, "two lines read as one: {apart}");
            }
        }
    }
}

#[test]
fn a_drawing_is_tidied_on_request() {
    let mut sheet = Sheet::start(4);
    let spots = sheet.spots().to_vec();
    let mut stroke = sheet.by_hand(&[spots[0], spots[1]]).expect("a line");
    stroke.is_tidied = true;
    let code = stroke.code();
    assert_eq!(Stroke::decode(&code).expect("a move"), [stroke.clone()]);
    assert!(Stroke::decode("*").is_err());
    sheet = sheet.play(&stroke).expect("a move");
    assert_ne!(&sheet.spots()[..4], &spots[..]);
}

/// A text is read as a valid match, or refused.
#[test]
fn damaged_matches_are_refused_or_drawn_without_a_crossing() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut sheet = Sheet::start(5);
    let mut code = String::new();
    for _ in 0..6 {
        let (stroke, _) = random_move(&sheet, &mut random).expect("a move");
        code += &stroke.code();
        sheet = sheet.play(&stroke).expect("a move");
    }
    let (mut refused, mut drawn) = (0, 0);
    for _ in 0..2000 {
        let mut bytes = code.clone().into_bytes();
        let at = random.usize(..bytes.len());
        bytes[at] = b"ABCDEFGHXYZabcxyz0189-_.~"[random.usize(..25)];
        let text = String::from_utf8(bytes).expect("ASCII");
        let strokes = Stroke::decode(&text);
        let mut strokes = strokes.into_iter().flatten();
        let end = strokes.try_fold(Sheet::start(5), |sheet, stroke| sheet.drawn(&stroke));
        match end {
            Ok(sheet) => {
                check_lines(&sheet);
                let _ = sheet.position();
                drawn += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100 && drawn > 100, "{refused} {drawn}");
}

#[test]
fn numbers_are_names_and_dots_are_lives() {
    let sheet = Sheet::start(3);
    let stroke = sheet.route(&sheet.options(0, 1)[0]).expect("there is room");
    let sheet = sheet.play(&stroke).expect("it can be drawn");
    let svg = sheet.svg(SheetPicture::default());
    let numbers: Vec<&str> = svg
        .split("<text class=\"number\"")
        .skip(1)
        .map(|rest| rest.split(['>', '<']).nth(1).expect("a text"))
        .collect();
    assert_eq!(numbers, ["1", "2", "3", "4"]);
    // A pip is two arcs.
    let pips = svg
        .split("class=\"rim\" d=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().expect("a path").matches('a').count() / 2);
    assert_eq!(pips.collect::<Vec<_>>(), [2, 2, 3, 1]);
}
