//! The lesson and the puzzles, played over HTTP.

use sproutnet_game::{Game, Sprouts};
use sproutnet_solver::play::Play;

use crate::browser::get;
use crate::pages::check;
use crate::pages_board::{follow, hand, leaves, links_to, places, position};
use crate::puzzles::Found;
use sproutnet_testkit::cluster::{Cluster, soon};

/// The page after a line by hand through some points.
async fn draw(cluster: &Cluster, path: &str, points: &[(f64, f64)]) -> String {
    follow(cluster, &format!("{path}&hand={}", hand(points)))
        .await
        .1
}

/// The number of the first spot with one life.
fn middle_of(page: &str) -> Option<&str> {
    let (before, _) = page.split_once("\" data-lives=\"1\"")?;
    Some(before.rsplit_once("data-spot=\"")?.1)
}

#[tokio::test]
async fn the_lesson_is_five_lines() {
    let cluster = Cluster::start().await;
    assert_eq!(
        follow(&cluster, "/lesson").await.0,
        follow(&cluster, "/lesson/1").await.0
    );
    for (step, asked, right, blamed) in [
        (
            1,
            "Draw a line from one spot to the other",
            "A new spot appeared",
            "This line is a loop",
        ),
        (
            2,
            "Draw a line that ends at it",
            "It turned grey",
            "still has room",
        ),
        (
            3,
            "lie on different sides",
            "one is outside",
            "can still be joined",
        ),
        (4, "It is your move: win", "You made the last move", ""),
        (
            5,
            "Only one of the moves here wins",
            "the last move is theirs",
            "the other player can win",
        ),
    ] {
        let (_, page) = follow(&cluster, &format!("/lesson/{step}")).await;
        assert!(page.contains(asked), "{step}: {page}");
        let after = leaves(&cluster, &page).await;
        let is = |words: &str| {
            after
                .iter()
                .filter(|(_, page)| page.contains(words))
                .count()
        };
        assert!(is(right) > 0, "{step}");
        if blamed.is_empty() {
            assert_eq!(is(right), after.len(), "{step}");
        } else {
            assert!(is(blamed) > 0, "{step}");
            assert_eq!(is(right) + is(blamed), after.len(), "{step}");
        }
        // In the second step, the middle spot is the only one with one life.
        if let Some(middle) = middle_of(&page).filter(|_| step == 2) {
            for (path, page) in &after {
                let (_, told) = page.split_once("id=\"told\"").expect("a message");
                let (told, _) = told.split_once("</p>").expect("an end");
                let ends_there = told.contains(&format!("spot {middle}"));
                assert_eq!(page.contains(right), ends_there, "{path}: {told}");
            }
        }
        let next = format!("/lesson/{}", step + 1);
        for (path, page) in &after {
            assert_eq!(
                page.contains(right) && step < 5,
                links_to(page, &next).len() == 1,
                "{path}"
            );
            // One line is asked for.
            assert!(!page.contains("data-hand"), "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_no_task_leads_back_to_the_tasks() {
    let cluster = Cluster::start().await;
    for (missing, back) in [
        ("/lesson/0", "/lesson"),
        ("/lesson/6", "/lesson"),
        ("/lesson/x", "/lesson"),
        ("/puzzles/easy-0", "/puzzles"),
        ("/puzzles/odd-1", "/puzzles"),
        ("/puzzles/easy-61", "/puzzles"),
    ] {
        let page = soon(get(cluster.http(), missing, None)).await;
        assert_eq!(page.status, 404, "{missing}");
        check(&page);
        let link = format!("<a class=\"button\" href=\"{back}\">");
        assert!(page.text.contains(&link), "{missing}: {}", page.text);
        assert!(!page.text.contains("Look it up"), "{missing}");
    }
}

#[tokio::test]
async fn a_line_of_the_lesson_is_drawn_by_hand() {
    let cluster = Cluster::start().await;
    let (path, page) = follow(&cluster, "/lesson/1").await;
    let spots = places(&page);
    let page = draw(&cluster, &path, &[spots[0], spots[1]]).await;
    assert!(page.contains("A new spot appeared") && page.contains("Try again"));
}

#[tokio::test]
async fn a_puzzle_has_one_winning_move_and_every_other_move_loses() {
    let cluster = Cluster::start().await;
    for (puzzle, play) in [
        ("easy-1", Play::Normal),
        ("easy-2", Play::Misere),
        ("easy-3", Play::Normal),
        ("easy-60", Play::Misere),
        ("medium-1", Play::Normal),
        ("hard-2", Play::Misere),
    ] {
        let (path, page) = follow(&cluster, &format!("/puzzles/{puzzle}")).await;
        assert!(page.contains("One move wins"), "{page}");
        let (plain, _) = path.split_once("&task=").expect("a task");
        assert!(plain.contains(&format!("play={play}")), "{path}");
        let text = position(&follow(&cluster, plain).await.1);
        let start = Sprouts.parse(&text).expect("a position");
        let mut known = Found::default();
        let winning = known.options(&start).into_iter();
        let winning = winning.filter(|option| !known.wins(option, play));
        assert_eq!(winning.count(), 1, "{puzzle}: {text}");
        // Each move is judged as the rules say.
        for (path, page) in leaves(&cluster, &page).await {
            let (right, wrong) = (page.contains("Right: "), page.contains("That move loses"));
            assert!(right != wrong, "{path}: {page}");
            let (plain, _) = path.split_once("&task=").expect("a task");
            let text = position(&follow(&cluster, plain).await.1);
            let after = Sprouts.parse(&text).expect("a position");
            assert_eq!(right, !known.wins(&after, play), "{puzzle}: {text}");
        }
        // The answer is shown on demand, and it is right.
        let (_, shown) = follow(&cluster, &format!("{path}&show=hint")).await;
        let (_, hint) = shown.split_once("id=\"hint\" href=\"").expect("a hint");
        let (hint, _) = hint.split_once('"').expect("an end");
        let (_, solved) = follow(&cluster, &hint.replace("&amp;", "&")).await;
        assert!(solved.contains("Right: "), "{puzzle}");
    }
}

#[tokio::test]
async fn puzzles_of_all_grades_are_listed_and_drawn() {
    let cluster = Cluster::start().await;
    let list = follow(&cluster, "/puzzles").await.1;
    assert!(list.contains("There are 60 easy, 60 medium and 40 hard puzzles."));
    for (grade, last) in [("easy", 60), ("medium", 60), ("hard", 40)] {
        assert!(list.contains(&format!("/puzzles/{grade}-6/picture.svg")));
        let all = links_to(&list, &format!("/puzzles/{grade}-"));
        assert!(
            all.ends_with(&[format!("/puzzles/{grade}-{last}")]),
            "{all:?}"
        );
        let path = format!("/puzzles/{grade}-{last}/picture.svg");
        let picture = soon(get(cluster.http(), &path, None)).await;
        assert_eq!(picture.status, 200, "{grade}: {}", picture.text);
        assert!(picture.text.starts_with("<svg"), "{grade}");
    }
}

#[tokio::test]
async fn a_sheet_to_print_has_the_puzzles_of_a_level_and_their_solutions() {
    const GRADES: [&str; 3] = ["easy", "medium", "hard"];
    let cluster = Cluster::start().await;
    let list = follow(&cluster, "/puzzles").await.1;
    let sheets = links_to(&list, "/puzzles/sheet");
    assert_eq!(sheets.len(), 4, "{sheets:?}");
    for sheet in sheets {
        let (_, page) = follow(&cluster, &sheet).await;
        let (puzzles, solutions) = page.split_once("id=\"solutions\"").expect("solutions");
        let level = sheet.split_once("?level=").map(|(_, level)| level);
        for grade in GRADES {
            let is_on_it = level.is_none_or(|level| level == grade);
            let puzzle = format!("\"/puzzles/{grade}-1/picture.svg\"");
            let solution = format!("\"/puzzles/{grade}-1/picture.svg?solution=1\"");
            assert_eq!(puzzles.contains(&puzzle), is_on_it, "{sheet}");
            assert_eq!(solutions.contains(&solution), is_on_it, "{sheet}");
        }
        let count = puzzles.matches("/picture.svg\"").count();
        assert!(count >= 12, "{sheet}");
        assert_eq!(solutions.matches("?solution=1\"").count(), count, "{sheet}");
    }
    // A solution has one line more.
    for grade in GRADES {
        let path = format!("/puzzles/{grade}-1/picture.svg");
        let puzzle = soon(get(cluster.http(), &path, None)).await.text;
        let solution = soon(get(cluster.http(), &(path + "?solution=1"), None)).await;
        assert_eq!(solution.status, 200, "{grade}: {}", solution.text);
        assert_eq!(places(&solution.text).len(), places(&puzzle).len() + 1);
        assert_eq!(solution.text.matches("class=\"line mine\"").count(), 2);
    }
    let wrong = soon(get(cluster.http(), "/puzzles/sheet?level=odd", None)).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text);
    check(&wrong);
}

#[tokio::test]
async fn the_front_page_has_a_board_to_draw_on() {
    let cluster = Cluster::start().await;
    let (_, page) = follow(&cluster, "/").await;
    let (_, to) = page.split_once("data-hand=\"").expect("a board");
    let (to, _) = to.split_once('"').expect("an end");
    let spots = places(&page);
    let line = to.replace("&amp;", "&") + &hand(&[spots[0], spots[1]]);
    let (path, page) = follow(&cluster, &line).await;
    assert!(path.starts_with("/board/4"), "{path}");
    assert!(page.contains("The solver joined") || page.contains("The solver drew"));
}

#[tokio::test]
async fn what_is_asked_for_is_above_the_board() {
    let cluster = Cluster::start().await;
    for (path, is_task) in [
        ("/lesson/1", true),
        ("/puzzles/easy-1", true),
        ("/board/3", false),
    ] {
        let (_, page) = follow(&cluster, path).await;
        let at = |id: &str| page.find(&format!("id=\"{id}\"")).expect("a part");
        assert_eq!(at("turn") < at("board"), is_task, "{path}");
    }
}
