//! Resignations and rematches in matches between two devices.

use crate::browser::ask;
use crate::pages_board::{links_to, places};
use crate::pages_match::{self, Browser, headline, invite, until_it_has};
use sproutnet_testkit::cluster::{Cluster, soon};

/// A match in which the first player resigned, with the browsers of both players.
async fn resigned(cluster: &Cluster) -> (String, Browser, Browser) {
    let (path, mut first) = invite(cluster, 2, "normal").await;
    let mut second = Browser::default();
    second.post(cluster, &format!("{path}/join"), "").await;
    first.post(cluster, &format!("{path}/resign"), "").await;
    (path, first, second)
}

#[tokio::test]
async fn a_resignation_ends_a_match_and_stays() {
    let mut cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 3, "normal").await;
    let (mut second, mut other) = (Browser::default(), Browser::default());
    let resign = format!("{path}/resign");
    // There is nobody to resign from.
    let page = first.get(&cluster, &path).await;
    assert!(!page.contains("Resign"), "{page}");
    assert_eq!(first.ask(&cluster, "POST", &resign, "").await.status, 409);
    second.post(&cluster, &format!("{path}/join"), "").await;
    assert!(first.moves(&cluster, &path).await);
    let page = other.get(&cluster, &path).await;
    assert!(!page.contains("Resign"), "{page}");
    let page = other.ask(&cluster, "POST", &resign, "").await;
    assert_eq!(page.status, 409, "{}", page.text);
    assert!(
        page.text.contains("Only a player can resign"),
        "{}",
        page.text
    );
    // Neither a link nor a page of another site resigns.
    assert_eq!(first.ask(&cluster, "GET", &resign, "").await.status, 405);
    let cookie = first.0.clone().expect("a cookie");
    let elsewhere = [("Sec-Fetch-Site", "cross-site"), ("Cookie", &*cookie)];
    let page = soon(ask(cluster.http(), "POST", &resign, &elsewhere, "")).await;
    assert_eq!(page.status, 403);
    // The player who waits may resign, too.
    let page = first.get(&cluster, &path).await;
    assert!(page.contains(&format!("action=\"{resign}\"")), "{page}");
    assert_eq!(first.post(&cluster, &resign, "").await, path);
    for restarts in 0..2 {
        for (who, headline, text) in [
            (&mut first, "You lost", "You resigned after 1 move."),
            (
                &mut second,
                "You won",
                "The other player resigned after 1 move.",
            ),
            (
                &mut other,
                "The second player won",
                "The first player resigned after 1 move.",
            ),
        ] {
            let page = who.get(&cluster, &path).await;
            assert_eq!(headline, pages_match::headline(&page));
            assert!(page.contains(text), "{text}: {page}");
            assert!(
                !page.contains("data-hand") && !page.contains("/resign"),
                "{page}"
            );
        }
        // It takes no more moves, and nobody resigns again.
        let line = format!("{path}?moves=1&spot=3&to=3&way=0");
        let page = second.ask(&cluster, "POST", &line, "").await;
        assert_eq!(page.status, 409);
        let text = "The other player resigned, so no more lines can be drawn";
        assert!(page.text.contains(text), "{}", page.text);
        let page = second.ask(&cluster, "POST", &resign, "").await;
        assert_eq!(page.status, 409);
        assert!(page.text.contains("has ended"), "{}", page.text);
        if restarts == 0 {
            cluster.restart().await;
        }
    }
    // The review of its copy says so.
    let page = second.get(&cluster, &path).await;
    let review = links_to(&page, "/board/");
    let review = review.iter().find(|link| link.contains("/review"));
    let review = second.get(&cluster, review.expect("a review")).await;
    assert!(
        review.contains("Then the first player resigned."),
        "{review}"
    );
    assert!(review.contains("Resigned</td>"), "{review}");
}

#[tokio::test]
async fn the_next_player_sees_a_resignation_at_once() {
    let cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 3, "misere").await;
    let mut second = Browser::default();
    second.post(&cluster, &format!("{path}/join"), "").await;
    let mut stream = Browser::default().listen(&cluster, &path).await;
    let mut read = String::new();
    until_it_has(&mut stream, &mut read, "data: 2\n").await;
    first.post(&cluster, &format!("{path}/resign"), "").await;
    until_it_has(&mut stream, &mut read, "data: 3\n").await;
    // Not even the last player to move wins misère play against a resignation.
    assert_eq!(headline(&second.get(&cluster, &path).await), "You won");
}

#[tokio::test]
async fn a_rematch_is_offered_and_accepted_by_one_form() {
    let mut cluster = Cluster::start().await;
    let (path, mut first) = invite(&cluster, 3, "misere").await;
    let (mut second, mut other) = (Browser::default(), Browser::default());
    second.post(&cluster, &format!("{path}/join"), "").await;
    assert!(first.moves(&cluster, &path).await);
    let rematch = format!("{path}/rematch");
    let page = first.ask(&cluster, "POST", &rematch, "").await;
    assert_eq!(page.status, 409, "it goes on: {}", page.text);
    second.post(&cluster, &format!("{path}/resign"), "").await;
    let page = other.ask(&cluster, "POST", &rematch, "").await;
    assert_eq!(page.status, 409, "{}", page.text);
    let mut stream = second.listen(&cluster, &path).await;
    let mut read = String::new();
    until_it_has(&mut stream, &mut read, "data: 4\n").await;

    // The second player offers it. The cookie of the new match is that of its path only.
    let page = second.get(&cluster, &path).await;
    assert!(
        page.contains("Rematch") && page.contains("you are the first player"),
        "{page}"
    );
    let mut seat = second.clone();
    let new = seat.post(&cluster, &rematch, "").await;
    assert_ne!((&new, &seat.0), (&path, &second.0));
    until_it_has(&mut stream, &mut read, "data: 5\n").await;
    let page = seat.get(&cluster, &new).await;
    for text in [
        "You are the first player.",
        "There is no second player yet.",
        "Misère play",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(places(&page).len(), 3);
    cluster.restart().await;

    // Who offered it goes there, who watches sees nothing of it, and the other player accepts.
    let page = second.get(&cluster, &path).await;
    assert!(
        page.contains(&format!("href=\"{new}\"")) && !page.contains("Accept"),
        "{page}"
    );
    assert_eq!(second.clone().post(&cluster, &rematch, "").await, new);
    let page = other.get(&cluster, &path).await;
    assert!(
        !page.contains(&new) && !page.to_lowercase().contains("rematch"),
        "{page}"
    );
    let page = first.get(&cluster, &path).await;
    assert!(page.contains("The other player offers a rematch"), "{page}");
    assert!(page.contains("you are the second player."), "{page}");
    // A link takes no seat.
    assert_eq!(first.ask(&cluster, "GET", &rematch, "").await.status, 405);
    let mut guest = first.clone();
    assert_eq!(guest.post(&cluster, &rematch, "").await, new);
    let page = guest.get(&cluster, &new).await;
    assert!(page.contains("You are the second player."), "{page}");
    let page = first.get(&cluster, &path).await;
    assert!(page.contains("Go to the rematch"), "{page}");
    assert!(seat.moves(&cluster, &new).await);
    assert!(guest.moves(&cluster, &new).await);
}

#[tokio::test]
async fn both_players_offer_a_rematch_at_the_same_time() {
    let cluster = Cluster::start().await;
    let (path, first, second) = resigned(&cluster).await;
    let rematch = format!("{path}/rematch");
    let (mut one, mut other) = (first.clone(), second.clone());
    let (here, there) = tokio::join!(
        one.post(&cluster, &rematch, ""),
        other.post(&cluster, &rematch, "")
    );
    assert_eq!(here, there);
    let page = one.get(&cluster, &here).await;
    assert!(page.contains("You are the second player."), "{page}");
    let page = other.get(&cluster, &here).await;
    assert!(page.contains("You are the first player."), "{page}");
}

#[tokio::test]
async fn a_rematch_that_is_offered_twice_leaves_the_other_seat_free() {
    let cluster = Cluster::start().await;
    let (path, first, mut second) = resigned(&cluster).await;
    let rematch = format!("{path}/rematch");
    // As by a double click.
    let (mut one, mut again) = (first.clone(), first.clone());
    let (here, there) = tokio::join!(
        one.post(&cluster, &rematch, ""),
        again.post(&cluster, &rematch, "")
    );
    assert_eq!(here, there);
    let page = second.get(&cluster, &path).await;
    assert!(page.contains("Accept the rematch"), "{page}");
}
