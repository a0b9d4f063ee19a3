//! What every program needs of its surroundings: [`options`] as people write them, [`machine`], what the
//! machine reports of itself, [`disk`], the room on a disk, and [`figures`], counts, times and sizes as
//! people read them.

pub mod disk;
pub mod figures;
pub mod machine;
pub mod options;
