//! The solver as an opponent on the board: its levels, and guesses where the outcome is not known.

use sproutnet_testkit::cluster::Cluster;

use crate::pages_board::{follow, links, moves_of, places, position};

#[tokio::test]
async fn all_levels_play_and_say_what_is_not_known() {
    let cluster = Cluster::start().await;
    for (level, told) in [
        ("perfect", "The solver makes the best moves that it finds."),
        (
            "quarter",
            "The solver makes about one move in four at random.",
        ),
        (
            "careless",
            "The solver makes about one move in three at random.",
        ),
        ("half", "The solver makes about every other move at random."),
        ("random", "The solver makes every move at random."),
    ] {
        let form = format!("/board?spots=4&you=second&level={level}");
        let (path, page) = follow(&cluster, &form).await;
        assert!(
            path.starts_with("/board/4") && path.contains("level"),
            "{path}"
        );
        assert!(page.contains(told), "{page}");
        assert!(moves_of("0*4").contains(&position(&page)), "{page}");
        assert!(page.contains("line reply"), "{page}");
    }
    // The winning first move of a certificate is known.
    let (_, page) = follow(&cluster, "/board/12?play=misere&you=second").await;
    assert!(!page.contains("the solver guesses"), "{page}");
    assert_eq!(position(&page), "0*9.AB|0*2.AB");
}

#[tokio::test]
async fn a_match_from_many_spots_is_played_and_it_is_told_that_the_solver_guesses() {
    let cluster = Cluster::start().await;
    for (spots, level) in [(18, "perfect"), (20, "perfect"), (20, "random")] {
        let form = format!("/board?spots={spots}&play=misere&level={level}");
        let (mut path, mut page) = follow(&cluster, &form).await;
        assert!(path.starts_with(&format!("/board/{spots}?")), "{path}");
        // Three lines, each with a reply.
        for made in 0..3 {
            let now = places(&page);
            assert_eq!(now.len(), spots + 2 * made, "{path}");
            let mut choices = links(&page);
            choices.retain(|link| link.contains("&spot="));
            let (_, chosen) = follow(&cluster, &choices[made]).await;
            let mut ends = links(&chosen);
            ends.retain(|link| link.contains("&to="));
            let (next, mut after) = follow(&cluster, ends.last().expect("a line")).await;
            path = next;
            if path.contains("&to=") {
                let mut ways = links(&after);
                ways.retain(|link| link.contains("&way="));
                (path, after) = follow(&cluster, ways.last().expect("a way")).await;
            }
            page = after;
            assert!(page.contains("line reply"), "{path}");
            // All moves of a solver that moves at random are random.
            let tells = page.contains("Who wins from here is not known.");
            assert_eq!(tells, level == "perfect", "{path}: {page}");
        }
        let (_, hinted) = follow(&cluster, &format!("{path}&show=hint")).await;
        assert!(
            hinted.contains("The outcome from here is not known."),
            "{hinted}"
        );
    }
}
