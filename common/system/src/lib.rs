//! The surroundings of a program: [`options`] as people write them, [`machine`] for the machine's own figures, [`disk`]
//! for the space on a disk, [`process`] for this process, [`build`] for its version, [`figures`] for counts, times and
//! sizes as people read them, [`causes`] for errors as people read them, and [`exit`] for exit codes.

pub mod build;
pub mod causes;
pub mod disk;
pub mod exit;
pub mod figures;
pub mod machine;
pub mod options;
pub mod process;
