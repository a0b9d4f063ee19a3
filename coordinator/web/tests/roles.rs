//! What the role of a token allows, over HTTP.

use sproutnet_coordinator::Config;

use crate::browser::{Page, ask, html};
use sproutnet_testkit::cluster::{Cluster, soon};

const READ: &str = "read-read-read-read";
const SOLVE: &str = "solve-solve-solve-solve";
const WORK: &str = "work-work-work-work";
const ADMIN: &str = "admin-admin-admin-admin";

async fn cluster() -> Cluster {
    let tokens =
        format!("anna read {READ}\nbert solve {SOLVE}\nfleet work {WORK}\nops admin {ADMIN}\n");
    Cluster::with(Config::default(), Some(&*tokens)).await
}

/// Sends a request with a token, as JSON if the path is one of the API, else as a form.
async fn send(cluster: &Cluster, token: &str, method: &str, path: &str, body: &str) -> Page {
    let token = format!("Bearer {token}");
    let kind = match path {
        "/api/v1/positions" => "application/x-ndjson",
        "/api/v1/certificates" => "application/octet-stream",
        path if path.starts_with("/api") => "application/json",
        _ => "application/x-www-form-urlencoded",
    };
    let headers = [("Authorization", &*token), ("Content-Type", kind)];
    soon(ask(cluster.http(), method, path, &headers, body)).await
}

#[tokio::test]
async fn readers_read_everything_and_change_nothing() {
    let cluster = cluster().await;
    for token in [READ, SOLVE, WORK, ADMIN] {
        for path in [
            "/",
            "/metrics",
            "/api/v1/fleet",
            "/api/v1/positions/0*3",
            "/api/v1/certificates",
            "/api/v1/games",
        ] {
            let page = send(&cluster, token, "GET", path, "").await;
            assert_eq!(page.status, 200, "{path}");
        }
        let question = r#"{"position": "0*3"}"#;
        let page = send(&cluster, token, "POST", "/api/v1/positions", question).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let page = send(&cluster, token, "POST", "/api/v1/certificates", "no").await;
        assert_eq!(page.status, 200, "{}", page.text);
    }
    let to_solve = r#"{"position": "0*9", "play": "normal"}"#;
    for (token, holder) in [
        (READ, "`anna` has the role read"),
        (WORK, "`fleet` has the role work"),
    ] {
        let why = format!("this needs a token with the role solve; {holder}");
        for (path, body) in [
            ("/api/v1/computations", to_solve),
            ("/api/v1/computations/1/pause", ""),
            ("/api/v1/computations/1/resume", ""),
            ("/api/v1/computations/1/weight", r#"{"weight": 2}"#),
            ("/api/v1/computations/1/cancel", ""),
        ] {
            let page = send(&cluster, token, "POST", path, body).await;
            assert_eq!(page.status, 403, "{path}");
            assert_eq!(page.json()["error"], why, "{path}");
            assert_eq!(page.json()["code"], "insufficient-role", "{path}");
        }
        for path in [
            "/computations",
            "/computations/1/pause",
            "/match",
            "/match/0123456789abcdef",
            "/match/0123456789abcdef/join",
            "/match/0123456789abcdef/resign",
            "/match/0123456789abcdef/rematch",
            "/s",
        ] {
            let page = send(&cluster, token, "POST", path, "position=0*9&play=normal").await;
            assert_eq!(page.status, 403, "{path}");
            html::check(&page.text).expect("a page");
            assert!(
                page.text.contains("needs a token with the role solve"),
                "{}",
                page.text
            );
        }
        let page = send(&cluster, token, "GET", "/api/v1/computations", "").await;
        assert_eq!(page.json()["total"], 0);
    }
}

#[tokio::test]
async fn solvers_start_and_stop() {
    let cluster = cluster().await;
    let to_solve = r#"{"position": "0*9", "play": "normal"}"#;
    let page = send(&cluster, SOLVE, "POST", "/api/v1/computations", to_solve).await;
    assert_eq!(page.status, 201, "{}", page.text);
    for token in [SOLVE, ADMIN] {
        for change in ["pause", "resume"] {
            let path = format!("/api/v1/computations/1/{change}");
            let page = send(&cluster, token, "POST", &path, "").await;
            assert_eq!(page.status, 200, "{path}: {}", page.text);
            let path = format!("/computations/1/{change}");
            let page = send(&cluster, token, "POST", &path, "").await;
            assert_eq!(page.status, 303, "{path}: {}", page.text);
        }
    }
}

#[tokio::test]
async fn the_audit_log_names_who_changed_what() {
    let cluster = cluster().await;
    let to_solve = r#"{"position": "0*19", "play": "normal"}"#;
    send(&cluster, SOLVE, "POST", "/api/v1/computations", to_solve).await;
    let weight = r#"{"weight": 5}"#;
    send(
        &cluster,
        ADMIN,
        "POST",
        "/api/v1/computations/1/weight",
        weight,
    )
    .await;
    let log = send(&cluster, READ, "GET", "/api/v1/audit-log?limit=2", "").await;
    assert_eq!(log.status, 200, "{}", log.text);
    let told = |number: usize| {
        let entry = &log.json()["items"][number];
        assert_eq!(
            (&entry["computation"], &entry["position"]),
            (&1.into(), &"0*19".into())
        );
        (
            entry["event"].clone(),
            entry["by"].clone(),
            entry["weight"].clone(),
        )
    };
    assert_eq!(told(0), ("reweighted".into(), "ops".into(), 5.into()));
    assert_eq!(told(1), ("started".into(), "bert".into(), 1.into()));
    let page = send(&cluster, READ, "GET", "/audit-log", "").await;
    html::check(&page.text).expect("a page");
    for part in ["Reweighted", "computation 1, weight 5", "ops", "bert"] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}

#[tokio::test]
async fn the_owner_is_the_name_of_the_token() {
    let cluster = cluster().await;
    let to_solve = |spots: u32, owner: &str| {
        format!(r#"{{"position": "0*{spots}", "play": "normal", "owner": "{owner}"}}"#)
    };
    let path = "/api/v1/computations";
    for (token, spots, wanted, owner) in [
        (SOLVE, 9, "", "bert"),
        (SOLVE, 10, "bert", "bert"),
        (ADMIN, 11, "", "ops"),
        (ADMIN, 12, "anna", "anna"),
        // It is joined, and keeps its owner.
        (SOLVE, 12, "", "anna"),
    ] {
        let page = send(&cluster, token, "POST", path, &to_solve(spots, wanted)).await;
        assert_eq!(page.json()["owner"], owner, "{}", page.text);
    }
    let page = send(&cluster, SOLVE, "POST", path, &to_solve(13, "anna")).await;
    assert_eq!(page.status, 403, "{}", page.text);
    assert_eq!(page.json()["code"], "insufficient-role");
    // The page says who paused it.
    let page = send(&cluster, SOLVE, "POST", &format!("{path}/3/pause"), "").await;
    assert_eq!(page.json()["paused_by"], "bert", "{}", page.text);
    let page = send(&cluster, READ, "GET", "/computations/3", "").await;
    assert!(page.text.contains("Paused by bert."), "{}", page.text);
}

#[tokio::test]
async fn what_there_is_not_needs_no_role() {
    let cluster = cluster().await;
    for (path, status) in [
        ("/nothing", 404),
        ("/help", 405),
        ("/api/v1/nothing", 404),
        ("/api/v1/fleet", 405),
        ("/api/v1/positions/0*2/1", 405),
    ] {
        let page = send(&cluster, READ, "POST", path, "").await;
        assert_eq!(page.status, status, "{path}");
    }
    let page = send(&cluster, READ, "POST", "/api/v1/fleet", "").await;
    assert_eq!(page.header("allow"), Some("get,head"));
}
