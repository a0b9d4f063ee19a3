use super::*;

#[test]
fn each_task_but_the_last_step_leads_to_the_next() {
    let task = |text: &str| Task::try_from(text.to_owned()).expect(text);
    assert_eq!(next(task("lesson-4")).as_deref(), Some("/lesson/5"));
    assert_eq!(next(task("lesson-5")), None);
    assert_eq!(next(task("hard-7")).as_deref(), Some("/puzzles/hard-8"));
    assert_eq!(next(task("easy-60")).as_deref(), Some("/puzzles/easy-1"));
}
