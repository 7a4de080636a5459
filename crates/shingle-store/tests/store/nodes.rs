//! Several servers on one database.

use std::time::Duration;

use shingle_store::{NodeFacts, StoreError};
use shingle_store_fixture::{Fixture, on_both_engines};

const MINUTE: Duration = Duration::from_secs(60);

fn node(id: &str, homes: &str) -> NodeFacts {
    NodeFacts { id: id.to_owned(), host: format!("{id}.example.com"), version: "0.1.0".into(), homes: homes.into() }
}

on_both_engines! {
    async fn the_first_mark_of_a_storage_holds(f: Fixture) {
        let nodes = f.store.nodes();
        assert_eq!(nodes.storage_mark().await.unwrap(), None);
        assert_eq!(nodes.set_storage_mark("one").await.unwrap(), "one");
        assert_eq!(nodes.set_storage_mark("two").await.unwrap(), "one");
        assert_eq!(f.open_again().await.nodes().storage_mark().await.unwrap().as_deref(), Some("one"));
    }

    async fn a_solution_counts_once_at_all_nodes(f: Fixture) {
        let (one, two) = (f.store.clone(), f.open_again().await);
        let ends = f.store.now() + MINUTE;
        let spent = tokio::join!(one.nodes().spend_challenge("c", ends), two.nodes().spend_challenge("c", ends));
        assert_eq!(u8::from(spent.0.unwrap()) + u8::from(spent.1.unwrap()), 1);
        f.clock.advance(MINUTE);
        one.nodes().forget_spent_challenges().await.unwrap();
        assert!(!two.nodes().spend_challenge("c", ends).await.unwrap(), "it can still be sent");
        f.clock.advance(Duration::from_secs(1));
        one.nodes().forget_spent_challenges().await.unwrap();
        assert_eq!(f.number("SELECT COUNT(*) FROM spent_challenge").await, 0);
    }
}

#[tokio::test]
async fn nodes_see_each_other_until_they_leave() {
    let Some(f) = Fixture::on_postgres().await else { return };
    let second = f.open_again().await;
    assert!(f.store.nodes().beat(&node("elm", "h")).await.unwrap().is_empty());
    let seen = second.nodes().beat(&node("oak", "g")).await.unwrap();
    assert_eq!(seen.iter().map(|node| (&*node.host, &*node.homes)).collect::<Vec<_>>(), [("elm.example.com", "h")]);
    f.store.nodes().leave("elm").await.unwrap();
    assert!(second.nodes().beat(&node("oak", "g")).await.unwrap().is_empty());
    f.store.nodes().beat(&node("elm", "h")).await.unwrap();
    f.run("UPDATE node SET seen_at = seen_at - 31000000 WHERE id = 'elm'").await;
    assert!(second.nodes().beat(&node("oak", "g")).await.unwrap().is_empty(), "one that died leaves no word");
}

#[tokio::test]
async fn work_is_one_nodes_until_it_is_done_or_late() {
    let Some(f) = Fixture::on_postgres().await else { return };
    let (one, two) = (f.store.nodes(), f.store.nodes());
    assert!(one.may_do("homes", "elm", MINUTE).await.unwrap());
    assert!(!two.may_do("homes", "oak", MINUTE).await.unwrap());
    assert!(two.may_do("another", "oak", MINUTE).await.unwrap());
    assert!(one.may_do("homes", "elm", MINUTE).await.unwrap(), "it goes on");
    two.is_done("homes", "oak").await.unwrap();
    assert!(!two.may_do("homes", "oak", MINUTE).await.unwrap(), "only its own");
    one.is_done("homes", "elm").await.unwrap();
    assert!(two.may_do("homes", "oak", MINUTE).await.unwrap());
    f.run("UPDATE work_lease SET ends_at = ends_at - 61000000").await;
    assert!(one.may_do("homes", "elm", MINUTE).await.unwrap(), "the node that had it is late");
    one.leave("elm").await.unwrap();
    assert!(two.may_do("homes", "oak", MINUTE).await.unwrap());
}

#[tokio::test]
async fn what_a_node_let_pass_is_read_by_the_others_and_by_nobody_else() {
    let Some(f) = Fixture::on_postgres().await else { return };
    let second = f.open_again().await;
    let uses = r#"{"roof network":{"04cb0071000000":3}}"#;
    assert!(f.store.nodes().share_limits("elm", Some(uses), true).await.unwrap().is_empty());
    let read = second.nodes().share_limits("oak", None, true).await.unwrap();
    assert_eq!(read.iter().map(|row| &*row.uses).collect::<Vec<_>>(), [uses]);
    let again = second.nodes().share_limits("oak", None, false).await.unwrap();
    assert_eq!(again, read, "the row comes again, with its id");
    assert!(!f.text("SELECT uses FROM limit_use").await.contains("04cb"), "networks are sealed");
    f.run("UPDATE limit_use SET noted_at = noted_at - 30000000").await;
    assert!(second.nodes().share_limits("oak", None, false).await.unwrap().is_empty());
    assert_eq!(
        second.nodes().share_limits("oak", None, true).await.unwrap().len(),
        1,
        "one that starts reads further back"
    );
    f.run("UPDATE limit_use SET noted_at = noted_at - 300000000").await;
    second.nodes().share_limits("oak", Some("{}"), false).await.unwrap();
    assert_eq!(f.number("SELECT COUNT(*) FROM limit_use").await, 1);
    f.run("UPDATE limit_use SET uses = 'damaged'").await;
    assert!(matches!(f.store.nodes().share_limits("elm", None, false).await, Err(StoreError::Cipher)));
}

#[tokio::test]
async fn files_of_a_node_are_listed_by_the_others_and_it_is_asked_once() {
    let Some(f) = Fixture::on_postgres().await else { return };
    let (elm, second) = (f.store.nodes(), f.open_again().await);
    let oak = second.nodes();
    let place = |id: &str, record: &str| (id.to_owned(), record.to_owned());
    elm.beat(&node("elm", "")).await.unwrap();
    elm.show_homes("elm", "elm.host", &[place("a", "first"), place("b", "second")]).await.unwrap();
    assert!(elm.homes_elsewhere("elm").await.unwrap().is_empty());
    let found = oak.homes_place("oak", "b").await.unwrap().unwrap();
    let as_shown = ("elm", "elm.host", "second", true);
    assert_eq!((&*found.node, &*found.host, &*found.record, found.runs), as_shown);
    assert!(
        !f.text("SELECT record FROM homes_place WHERE id = 'b'").await.contains("second"),
        "names of files are sealed"
    );
    elm.show_homes("elm", "elm.host", &[place("b", "changed")]).await.unwrap();
    let listed = oak.homes_elsewhere("oak").await.unwrap();
    assert_eq!(
        listed.iter().map(|place| &*place.record).collect::<Vec<_>>(),
        ["changed"],
        "what is gone is not listed"
    );
    // The same folder after a restart.
    elm.show_homes("elm again", "elm.host", &[place("b", "again")]).await.unwrap();
    let after = oak.homes_elsewhere("oak").await.unwrap();
    assert!(after.len() == 1 && after[0].node == "elm again" && !after[0].runs, "{after:?}");

    let id = oak.ask_node("elm", "What?").await.unwrap();
    assert!(oak.take_questions("oak").await.unwrap().is_empty());
    let asked = elm.take_questions("elm").await.unwrap();
    assert_eq!(asked.iter().map(|asked| (&*asked.id, &*asked.question)).collect::<Vec<_>>(), [(&*id, "What?")]);
    assert!(elm.take_questions("elm").await.unwrap().is_empty(), "once");
    assert_eq!(oak.take_answer(&id).await.unwrap(), None);
    elm.answer_question(&id, "This.").await.unwrap();
    assert!(!f.text("SELECT answer FROM homes_question").await.contains("This"));
    assert_eq!(oak.take_answer(&id).await.unwrap().as_deref(), Some("This."));
    assert_eq!(f.number("SELECT COUNT(*) FROM homes_question").await, 0);
    oak.ask_node("elm", "Late?").await.unwrap();
    f.run("UPDATE homes_question SET asked_at = asked_at - 61000000").await;
    assert!(elm.take_questions("elm").await.unwrap().is_empty(), "nobody waits for it");
    let dropped = oak.ask_node("elm", "Now?").await.unwrap();
    assert_eq!(f.number("SELECT COUNT(*) FROM homes_question").await, 1, "the old one is gone");
    oak.drop_question(&dropped).await.unwrap();
    assert_eq!(f.number("SELECT COUNT(*) FROM homes_question").await, 0);
    f.run("UPDATE homes_place SET shown_at = shown_at - 700000000000").await;
    oak.show_homes("oak", "oak.host", &[]).await.unwrap();
    assert!(oak.homes_elsewhere("oak").await.unwrap().is_empty(), "a server that never came back");
}
