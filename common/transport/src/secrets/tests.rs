use super::*;
use std::fs::{self, Permissions};

#[test]
fn a_file_in_a_closed_folder_is_not_world_readable() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("token");
    fs::write(&file, "secret").expect("written");
    let set = |path: &Path, mode| {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("its owner may");
    };
    let found = |of_folder, of_file| {
        set(folder.path(), of_folder);
        set(&file, of_file);
        is_world_readable(&file).expect("it is there")
    };
    assert!(found(0o755, 0o644));
    assert!(!found(0o755, 0o600));
    assert!(!found(0o700, 0o644));
    assert!(!found(0o750, 0o644));
}
