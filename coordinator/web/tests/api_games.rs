//! The API about games: the list, the nimbers of heaps, misère quotients.

use serde_json::{Value, json};
use sproutnet_testkit::cluster::{Cluster, soon};

use crate::api::{got, told};
use crate::browser::get;

#[tokio::test]
async fn every_game_is_listed_and_found_by_its_names() {
    let cluster = Cluster::start().await;
    let games = told(&cluster, "/games").await;
    let names = games["items"].as_array().expect("a list").iter();
    let names: Vec<&str> = names.filter_map(|game| game["game"].as_str()).collect();
    let all = sproutnet_game::all();
    let expected: Vec<&str> = all.iter().map(|game| game.name()).collect();
    assert_eq!(names, expected);
    let page = told(&cluster, "/games?limit=2&offset=1").await;
    assert_eq!(page["items"], json!([games["items"][1], games["items"][2]]));
    for (name, game, nimbers, heaps, proved) in [
        ("sprouts", "sprouts", true, false, true),
        ("kayles", "kayles", true, true, false),
        ("dawson", "octal", true, true, false),
        ("switching", "switching", false, false, false),
    ] {
        let one = told(&cluster, &format!("/games/{name}")).await;
        assert_eq!(one["game"], game);
        assert_eq!(one["plays"], json!(["normal", "misere"]), "{name}");
        let features = [&one["nimbers"], &one["heaps"], &one["proved"]];
        assert_eq!(features, [nimbers, heaps, proved], "{name}");
        let example = one["examples"][0].as_str().expect("an example");
        assert_eq!(
            sproutnet_game::parse(example).expect("a position").0.name(),
            game
        );
    }
    let missing = got(&cluster, "/games/chess").await;
    assert_eq!(
        (missing.status, &missing.json()["code"]),
        (404, &json!("not-found"))
    );
}

#[tokio::test]
async fn sequences_go_on_by_their_period() {
    let cluster = Cluster::start().await;
    let kayles = told(&cluster, "/sequences/kayles?heaps=10000&within_ms=10000").await;
    assert_eq!(kayles["searched"], "yes", "{}", kayles["stopped"]);
    let nimbers = kayles["nimbers"].as_array().expect("a list");
    assert_eq!(nimbers.len(), 10_001);
    assert_eq!(
        nimbers[..8],
        json!([0, 1, 2, 3, 1, 4, 3, 2]).as_array().expect("a list")[..]
    );
    assert_eq!(nimbers[9_999], nimbers[9_999 % 12 + 72]);
    let period = &kayles["period"];
    let [from, length, saltus] = ["from", "length", "saltus"].map(|name| period[name].clone());
    assert_eq!([from, length, saltus], [json!(71), json!(12), json!(0)]);
    assert!(
        kayles["computed"].as_u64() < Some(2_002),
        "{}",
        kayles["computed"]
    );
    // A `/` in the address belongs to the name.
    for path in ["/sequences/bash/3?heaps=5", "/sequences/bash%2F3?heaps=5"] {
        let bash = told(&cluster, path).await;
        assert_eq!(bash["game"], "bash/3");
        assert_eq!(bash["nimbers"], json!([0, 1, 2, 3, 0, 1]));
    }
}

#[tokio::test]
async fn sequences_say_how_far_they_came() {
    let cluster = Cluster::start().await;
    let grundy = told(&cluster, "/sequences/grundy?heaps=100000&within_ms=10000").await;
    assert_eq!(grundy["searched"], "too large", "{}", grundy["stopped"]);
    let stopped = grundy["stopped"].as_str().expect("a reason");
    assert!(
        stopped.contains("`sproutnet sequence \"grundy\"`"),
        "{stopped}"
    );
    let found = grundy["nimbers"].as_array().expect("a list").len();
    assert!((2_000..100_000).contains(&found), "{found}");
    assert_eq!(grundy["computed"], found);
    let none = told(&cluster, "/sequences/grundy?heaps=100000&within_ms=0").await;
    assert_eq!(
        (&none["searched"], &none["nimbers"]),
        (&json!("out of time"), &json!([]))
    );
}

#[tokio::test]
async fn families_are_searched_on_the_spot() {
    let cluster = Cluster::start().await;
    let cram = told(&cluster, "/sequences/cram:2xN?heaps=4&within_ms=10000").await;
    assert_eq!(
        (&cram["first"], &cram["nimbers"]),
        (&json!(0), &json!([0, 1, 0, 1, 0]))
    );
    let cycles = told(
        &cluster,
        "/sequences/node-kayles:cycle(N)?heaps=6&within_ms=10000",
    )
    .await;
    assert_eq!(cycles["first"], 3, "a cycle has three vertices: {cycles}");
    let spots = told(&cluster, "/sequences/0*N?heaps=60&within_ms=300").await;
    assert_ne!(spots["searched"], "yes", "{spots}");
    assert!(
        spots["stopped"]
            .as_str()
            .expect("a reason")
            .starts_with("stopped before N = ")
    );
    for (path, status) in [
        ("/sequences/chess", 404),
        ("/sequences/sprouts", 400),
        ("/sequences/octal(0.9)", 400),
        ("/sequences/kayles?heaps=100001", 400),
        ("/sequences/kayles?within_ms=10001", 400),
        ("/sequences/chess:N", 400),
        ("/sequences/switching:N?heaps=3", 400),
    ] {
        assert_eq!(got(&cluster, path).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn quotients_are_found_in_the_background() {
    let cluster = Cluster::start().await;
    let path = "/quotients/octal(0.123)?within_ms=10000";
    let found = told(&cluster, path).await;
    assert_eq!(
        (&found["searched"], &found["stopped"]),
        (&json!("yes"), &Value::Null)
    );
    let quotient = &found["quotient"];
    let shown = ["whole_game", "order", "period"].map(|name| quotient[name].clone());
    let period = json!({ "from": 5, "length": 5, "verified_to": 12 });
    assert_eq!(shown, [json!(true), json!(20), period]);
    let order = quotient["elements"].as_array().expect("a list").len();
    assert_eq!(
        quotient["products"][order - 1].as_array().map(Vec::len),
        Some(order)
    );
    // It is kept.
    assert_eq!(
        told(&cluster, "/quotients/octal(0.123)?within_ms=0").await,
        found
    );
    let nim = told(&cluster, "/quotients/nim?heaps=3&within_ms=10000").await;
    assert_eq!(nim["quotient"]["order"], 6, "{nim}");
    assert_eq!(nim["quotient"]["whole_game"], false);
    let asked = told(&cluster, "/quotients/octal(0.3102)?within_ms=0").await;
    assert!(
        ["out of time", "busy", "yes"]
            .map(Value::from)
            .contains(&asked["searched"]),
        "{asked}"
    );
    assert_eq!(asked["quotient"].is_null(), asked["stopped"].is_string());
    for (path, status) in [
        ("/quotients/chess", 404),
        ("/quotients/0*5", 404),
        ("/quotients/cram", 400),
        ("/quotients/kayles?heaps=1001", 400),
    ] {
        assert_eq!(got(&cluster, path).await.status, status, "{path}");
    }
}

#[tokio::test]
async fn those_who_wait_for_a_quotient_leave_places_to_others() {
    const AT_ONCE: usize = 32;
    let cluster = Cluster::start().await;
    let address = cluster.http();
    // Finding it takes a second.
    let path = "/api/v1/quotients/octal(0.77)?within_ms=5000";
    let asked = (0..2 * AT_ONCE).map(|_| tokio::spawn(get(address, path, None)));
    let asked: Vec<_> = asked.collect();
    let mut statuses = Vec::new();
    for answer in asked {
        statuses.push(soon(answer).await.expect("an answer").status);
    }
    assert!(statuses.contains(&503), "{statuses:?}");
    assert!(
        statuses.iter().all(|status| [200, 503].contains(status)),
        "{statuses:?}"
    );
}
