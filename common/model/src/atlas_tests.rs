use super::*;
use crate::published;

#[test]
fn every_row_of_the_list_is_read() {
    let rows = MANIFEST.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(proofs().len(), rows.count() - 1, "all but the head");
    for (index, proof) in proofs().iter().enumerate() {
        let name = proof.name;
        assert_eq!(proof.sha256.len(), 64, "{name}");
        assert_eq!(Proof::cited(proof.citation()), Some(proof));
        let (before, same) = (&proofs()[..index], (proof.position, proof.play));
        assert!(
            before
                .iter()
                .all(|other| (other.position, other.play) != same && other.name != name)
        );
        let spots = proof
            .position
            .strip_prefix("0*")
            .and_then(|spots| spots.parse().ok());
        let mut others = published(proof.play).filter(|known| Some(known.spots) == spots);
        assert!(others.all(|known| known.outcome == proof.outcome), "{name}");
        if let Some(nimber) = proof.nimber {
            assert_eq!(
                (proof.play, proof.outcome),
                (Play::Normal, Outcome::win_if(nimber != 0))
            );
        }
    }
    assert_eq!(Proof::cited("OEIS A164950"), None);
}
