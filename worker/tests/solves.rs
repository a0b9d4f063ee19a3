//! Workers and a coordinator find outcomes together, over real sockets.

use sproutnet_proto::v1;
use v1::Outcome::{Loss, Win};
use v1::Play::{Misere, Normal};

use sproutnet_testkit::cluster::{Client, Cluster, end, soon, start_under};

fn assert_solved(what: &str, ended: &v1::Progress, outcome: v1::Outcome) {
    assert_eq!(ended.status, v1::Status::Solved as i32, "{what}: {ended:?}");
    assert_eq!(ended.outcome, outcome as i32, "{what}: {ended:?}");
    assert_eq!(ended.source, v1::Source::Search as i32, "{what}");
}

async fn solve(client: &mut Client, position: &str, play: v1::Play, nimber: bool) -> v1::Progress {
    let request = v1::StartRequest {
        position: position.to_owned(),
        play: play.into(),
        nimber,
        ..v1::StartRequest::default()
    };
    let started = soon(client.start(request)).await.expect("it starts");
    end(client, started.into_inner().computation).await
}

#[tokio::test]
async fn one_worker_solves_games_of_every_kind() {
    let cluster = Cluster::start().await;
    let worker = cluster.run_worker(2);
    let mut client = cluster.client().await;
    let mut records = 0;
    // Under normal play 0*5 has nimber 1 and 0*6 has nimber 0.
    for (position, play, outcome, nimber) in [
        ("0*5+0*6", Normal, Win, Some(1)),
        ("0*8", Normal, Loss, Some(0)),
        ("0*8", Misere, Loss, None),
        ("kayles:20", Normal, Win, Some(1)),
    ] {
        let ended = solve(&mut client, position, play, nimber.is_some()).await;
        assert_solved(position, &ended, outcome);
        assert_eq!(ended.nimber, nimber, "{position}");
        assert!(ended.expansions > 0, "{position}: {ended:?}");
        records += ended.records;
        let again = solve(&mut client, position, play, nimber.is_some()).await;
        assert_eq!(again.source, v1::Source::Store as i32, "{position}");
        assert_eq!(
            (again.outcome, again.nimber),
            (ended.outcome, ended.nimber),
            "{position}"
        );
    }
    // Not of each: while messages take long, a worker withholds records that took little work.
    assert!(records > 0);
    worker.stop().await;
}

#[tokio::test]
async fn two_workers_solve_several_computations_at_once() {
    let cluster = Cluster::start().await;
    let workers = [cluster.run_worker(2), cluster.run_worker(1)];
    let mut client = cluster.client().await;
    // Under normal play, the player to move loses if the number of spots modulo 6 is 0, 1 or 2.
    let normal = (6..12).map(|n| (n, Normal, if n % 6 < 3 { Loss } else { Win }));
    let misere = [(6, Win), (7, Loss), (8, Loss), (9, Loss), (10, Win)];
    let misere = misere.map(|(n, outcome)| (n, Misere, outcome));
    let mut started = Vec::new();
    for (spots, play, outcome) in normal.chain(misere) {
        let position = format!("0*{spots}");
        let computation = start_under(&mut client, &position, play).await;
        started.push((
            format!("{} {position}", play.as_str_name()),
            computation,
            outcome,
        ));
    }
    for (what, computation, outcome) in started {
        let ended = end(&mut client, computation).await;
        assert_solved(&what, &ended, outcome);
    }
    for worker in workers {
        worker.stop().await;
    }
}

/// No record can exclude nimbers this large.
#[tokio::test]
async fn positions_of_large_nimbers_end() {
    let cluster = Cluster::start().await;
    let workers = [cluster.run_worker(2), cluster.run_worker(1)];
    let mut client = cluster.client().await;
    for (position, outcome, nimber) in [
        // These have the nimbers 72 and 117, and 74 both: the smallest that no option has.
        ("wythoff:40,50+50,90", Win, Some(0b011_1101)),
        ("wythoff:24,58+26,59", Loss, None),
    ] {
        let ended = solve(&mut client, position, Normal, nimber.is_some()).await;
        assert_solved(position, &ended, outcome);
        if nimber.is_some() {
            assert_eq!(ended.nimber, nimber, "{position}");
        }
    }
    for worker in workers {
        worker.stop().await;
    }
}

#[tokio::test]
async fn nimbers_are_right_with_many_jobs_out() {
    let cluster = Cluster::start().await;
    let workers = [cluster.run_worker(4), cluster.run_worker(4)];
    let mut client = cluster.client().await;
    // The first two are Dawson's Kayles, octal(0.07) (Guy and Smith 1956).
    for (position, nimber) in [
        ("arc-kayles:path(33)", 7),
        ("arc-kayles:path(51)", 5),
        ("0*9", 1),
        ("0*10", 1),
    ] {
        let ended = solve(&mut client, position, Normal, true).await;
        assert_solved(position, &ended, Win);
        assert_eq!(ended.nimber, Some(nimber), "{position}");
    }
    for worker in workers {
        worker.stop().await;
    }
}
