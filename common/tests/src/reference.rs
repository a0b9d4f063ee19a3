//! The tables of values made with other solvers.

/// The rows of a table: its lines without remarks (`#`) and without the line of column names.
pub fn rows<const COLUMNS: usize>(table: &str) -> Vec<[&str; COLUMNS]> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let cells = cells.try_into();
            cells.unwrap_or_else(|cells| panic!("expected {COLUMNS} columns, found {cells:?}"))
        })
        .collect()
}

/// A cell that holds a number.
pub fn number(cell: &str) -> u32 {
    let number = cell.parse();
    number.unwrap_or_else(|error| panic!("`{cell}` is no number: {error}"))
}

/// Whether tests run at full length.
pub fn slow_tests() -> bool {
    std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1")
}
