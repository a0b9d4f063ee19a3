use super::*;
use sproutnet_model::{Progress, Status};

fn computation(id: u64, canonical: &str, play: Play, status: Status) -> Computation {
    Computation {
        id,
        position: canonical.to_owned(),
        play,
        nimber_wanted: false,
        priority: 0,
        weight: 1,
        owner: String::new(),
        label: String::new(),
        started_at: 0,
        machine_seconds: 0.0,
        waits_for: None,
        paused_by: None,
        progress: Progress {
            status,
            ..Progress::default()
        },
    }
}

fn find(text: &str, play: Option<Plays>, list: &[Computation]) -> Result<u64, String> {
    let named = Named::read(text, play).map_err(|error| error.0)?;
    let found = named.find(list).map_err(|error| error.0)?;
    Ok(found.id)
}

#[test]
fn by_id() {
    let list = [computation(7, "0*16", Play::Normal, Status::Cancelled)];
    assert_eq!(find("7", None, &list), Ok(7));
    let unknown = find("8", None, &list).expect_err("there is none");
    assert!(unknown.contains("computation 8 "), "{unknown}");
    let neither = find("7-7", None, &list).expect_err("neither");
    assert!(neither.starts_with("neither an id nor a position: "));
}

#[test]
fn by_position_and_convention() {
    let list = [
        computation(1, "0*16", Play::Normal, Status::Paused),
        computation(2, "0*16", Play::Misere, Status::Running),
        computation(3, "kayles:5", Play::Normal, Status::Running),
    ];
    assert_eq!(find("0*16", Some(Plays::Normal), &list), Ok(1));
    assert_eq!(find("0*10.0*6", Some(Plays::Misere), &list), Ok(2));
    assert_eq!(find("kayles:5", None, &list), Ok(3));
    assert!(find("kayles:5", Some(Plays::Misere), &list).is_err());
    assert!(find("0*5", None, &list).is_err());
    for play in [None, Some(Plays::Both)] {
        let problem = find("0*16", play, &list).expect_err("two");
        assert!(problem.contains("1  normal"), "{problem}");
        assert!(problem.contains("2  misere"), "{problem}");
    }
}

#[test]
fn one_under_way_counts_before_those_that_ended() {
    let ended = [
        computation(1, "0*16", Play::Normal, Status::Expired),
        computation(2, "0*16", Play::Normal, Status::Cancelled),
    ];
    assert_eq!(find("0*16", None, &ended), Ok(2));
    let running = computation(3, "0*16", Play::Misere, Status::Running);
    let all = [running, ended[0].clone(), ended[1].clone()];
    assert_eq!(find("0*16", None, &all), Ok(3));
}
