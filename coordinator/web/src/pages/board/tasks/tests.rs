use super::*;

#[test]
fn a_task_reads_as_it_is_written() {
    for text in ["lesson-1", "lesson-5", "easy-1", "medium-20", "hard-999"] {
        let task = Task::try_from(text.to_owned()).expect(text);
        assert_eq!(task.to_string(), text);
    }
    for text in [
        "",
        "lesson-0",
        "lesson-6",
        "lesson",
        "easy-0",
        "easy-1000",
        "odd-1",
        "easy",
        "easy--1",
    ] {
        assert!(Task::try_from(text.to_owned()).is_err(), "{text}");
    }
}

#[test]
fn each_task_but_the_last_step_leads_to_the_next() {
    let task = |text: &str| Task::try_from(text.to_owned()).expect(text);
    assert_eq!(task("lesson-4").next().as_deref(), Some("/lesson/5"));
    assert_eq!(task("lesson-5").next(), None);
    assert_eq!(task("hard-7").next().as_deref(), Some("/puzzles/hard-8"));
    assert_eq!(task("easy-999").next().as_deref(), Some("/puzzles/easy-1"));
}
