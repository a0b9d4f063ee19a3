use super::*;

#[test]
fn a_task_reads_as_it_is_written() {
    for text in ["lesson-1", "lesson-5", "easy-1", "medium-20", "hard-40"] {
        let task = Task::try_from(text.to_owned()).expect(text);
        assert_eq!(task.to_string(), text);
    }
    for text in [
        "", "lesson-0", "lesson-6", "lesson", "easy-0", "easy-61", "odd-1", "easy", "easy--1",
    ] {
        assert!(Task::try_from(text.to_owned()).is_err(), "{text}");
    }
}
