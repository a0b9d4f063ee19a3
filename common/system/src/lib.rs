//! What every program needs of its surroundings: [`options`] as people write them, [`machine`], what the
//! machine reports of itself, [`disk`], the space on a disk, [`figures`], counts, times and sizes as people
//! read them, [`causes`], errors as people read them, and [`exit`], how a program ends.

pub mod causes;
pub mod disk;
pub mod exit;
pub mod figures;
pub mod machine;
pub mod options;
