//! Users, invites, sessions and the ways to sign in.

use std::time::Duration;

use shingle_domain::{AccountId, Email, LeadId, Role, UserId, UserName};
use shingle_store::{
    CodeCheck, InviteDraft, LinkState, RECOVERY_CODES, SESSION_IDLE, SESSION_LIFETIME, SIGN_IN_LIFETIME, SessionOrigin,
    SignInWay, Store, StoreError, User,
};
use shingle_store_fixture::on_both_engines;

const DAY: Duration = Duration::from_secs(24 * 3_600);
const ORIGIN: SessionOrigin<'static> =
    SessionOrigin { way: SignInWay::MailedCode, user_agent: "Firefox", network: "192.0.2.0/24", domain: "" };

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn name(text: &str) -> UserName {
    UserName::parse(text).unwrap()
}

fn draft(account: AccountId, role: Role) -> InviteDraft {
    InviteDraft {
        account: Some(account),
        role,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime: DAY * 7,
    }
}

async fn account(store: &Store) -> AccountId {
    store.accounts().create("Oak Roofing").await.unwrap().id
}

async fn user(store: &Store, account: AccountId, role: Role, address: &str) -> User {
    let (_, token) = store.people().invite(&draft(account, role)).await.unwrap();
    store.people().accept_invite(&token, &email(address), &name("Maya Lindqvist")).await.unwrap()
}

async fn owner(store: &Store) -> (AccountId, UserId) {
    let account = account(store).await;
    (account, user(store, account, Role::Owner, "maya@oak.example.com").await.id)
}

fn is<T>(result: Result<T, StoreError>, expected: &str) -> bool {
    matches!(result, Err(error) if format!("{error:?}").starts_with(expected))
}

on_both_engines! {
    async fn an_invite_makes_one_user_once_and_in_time(f: Fixture) {
        let account = account(&f.store).await;
        let (invite, token) = f.store.people().invite(&draft(account, Role::Member)).await.unwrap();
        assert!(invite.is_open(f.store.now()));
        assert_eq!(f.store.people().find_invite(&token).await.unwrap(), Some(invite.clone()));
        let long = "x".repeat(43);
        for none in ["", "x", long.as_str(), &token[1..], &token.to_uppercase()] {
            assert_eq!(f.store.people().find_invite(none).await.unwrap(), None, "{none}");
        }
        let accept = |address: &'static str| {
            let (store, token) = (f.store.clone(), token.clone());
            async move { store.people().accept_invite(&token, &email(address), &name("Tomas")).await }
        };
        // Twenty at once: a link that was forwarded.
        let all: Vec<_> = ["a@x.example", "b@x.example", "c@x.example", "d@x.example"].map(|one| tokio::spawn(accept(one))).into();
        let mut made = Vec::new();
        for one in all {
            made.extend(one.await.unwrap().ok());
        }
        assert_eq!(made.len(), 1);
        assert_eq!((made[0].account, made[0].role), (Some(account), Role::Member));
        assert!(is(accept("late@x.example").await, "NotFound"));
        assert!(!f.store.people().find_invite(&token).await.unwrap().unwrap().is_open(f.store.now()), "it tells why it does nothing");

        let (_, token) = f.store.people().invite(&draft(account, Role::Member)).await.unwrap();
        f.clock.advance(DAY * 7);
        assert!(is(f.store.people().accept_invite(&token, &email("e@x.example"), &name("E")).await, "NotFound"));
        let (invite, token) = f.store.people().invite(&draft(account, Role::Member)).await.unwrap();
        assert_eq!(f.store.people().list_invites(account).await.unwrap().len(), 1);
        let stranger = crate::portal::account(&f.store).await;
        assert!(is(f.store.people().end_invite(stranger, invite.id).await, "NotFound"), "another's");
        f.store.people().end_invite(account, invite.id).await.unwrap();
        assert!(is(f.store.people().accept_invite(&token, &email("f@x.example"), &name("F")).await, "NotFound"));
        assert!(f.store.people().list_invites(account).await.unwrap().is_empty());
        assert!(is(f.store.people().invite(&draft(AccountId(uuid::Uuid::nil()), Role::Owner)).await, "NotFound"));
    }

    async fn an_address_is_one_user_and_an_invite_for_it_is_for_nobody_else(f: Fixture) {
        let account = account(&f.store).await;
        user(&f.store, account, Role::Owner, "Maya@Oak.example.com").await;
        assert!(f.store.people().find_user_by_email(&email("maya@oak.EXAMPLE.com")).await.unwrap().is_some());
        let (_, token) = f.store.people().invite(&draft(account, Role::Member)).await.unwrap();
        assert!(is(f.store.people().accept_invite(&token, &email("maya@oak.example.com"), &name("X")).await, "AlreadyExists"));
        let other = f.store.people().accept_invite(&token, &email("tomas@oak.example.com"), &name("Tomas")).await;
        assert_eq!(other.unwrap().email, email("tomas@oak.example.com"), "the invite was not spent by the mistake");
        let bound = InviteDraft { email: Some(email("li@oak.example.com")), ..draft(account, Role::Member) };
        let (_, token) = f.store.people().invite(&bound).await.unwrap();
        let made = f.store.people().accept_invite(&token, &email("thief@x.example"), &name("Li")).await.unwrap();
        assert_eq!(made.email, email("li@oak.example.com"));
    }

    async fn an_installation_is_claimed_once(f: Fixture) {
        assert!(!f.store.people().has_users().await.unwrap());
        let first = f.store.people().claim_link().await.unwrap();
        let second = f.store.people().claim_link().await.unwrap();
        assert!(!f.store.people().find_invite(&first).await.unwrap().unwrap().is_open(f.store.now()), "a later start prints another");
        let claim = |token: &str, address: &str| {
            let (store, token, address) = (f.store.clone(), token.to_owned(), email(address));
            async move { store.people().claim_installation(&token, &address, &name("Maya"), "Oak Roofing", None).await }
        };
        assert!(is(claim(&first, "a@x.example").await, "NotFound"));
        let (left, right) = tokio::join!(claim(&second, "maya@oak.example.com"), claim(&second, "thief@x.example"));
        let made = left.or(right).unwrap();
        let accounts = f.store.accounts().list().await.unwrap();
        assert_eq!((accounts.len(), accounts[0].name.as_str()), (1, "Oak Roofing"), "the second one left nothing");
        assert_eq!((made.role, made.account), (Role::Operator, Some(accounts[0].id)));
        assert!(f.store.people().has_users().await.unwrap());
        let late = f.store.people().claim_link().await.unwrap();
        assert!(is(claim(&late, "b@x.example").await, "AlreadyExists"));
        f.clock.advance(Duration::from_secs(30 * 60));
        assert!(is(f.store.people().accept_invite(&late, &email("x@x.example"), &name("X")).await, "NotFound"));
    }

    async fn a_session_ends_by_itself_by_hand_and_with_its_user(f: Fixture) {
        let (account, id) = owner(&f.store).await;
        let token = f.store.people().begin_session(id, ORIGIN).await.unwrap();
        let (session, user) = f.store.people().find_session(&token, "").await.unwrap().unwrap();
        assert_eq!((session.user, user.id, session.user_agent.as_str()), (id, id, "Firefox"));
        for none in ["", "x", &"x".repeat(43), &token[1..]] {
            assert!(f.store.people().find_session(none, "").await.unwrap().is_none());
        }
        // Every day is enough, until its end in any case.
        let mut days = 0;
        while f.store.people().find_session(&token, "").await.unwrap().is_some() {
            f.clock.advance(DAY);
            days += 1;
        }
        assert_eq!(days, SESSION_LIFETIME.as_secs() / DAY.as_secs());
        let token = f.store.people().begin_session(id, ORIGIN).await.unwrap();
        f.clock.advance(SESSION_IDLE);
        assert!(f.store.people().find_session(&token, "").await.unwrap().is_none(), "nobody used it");
        assert!(f.store.people().list_sessions(id).await.unwrap().is_empty());
        assert!(f.store.people().delete_ended_portal_rows().await.unwrap() >= 2);

        let mut tokens = Vec::new();
        for _ in 0..3 {
            tokens.push(f.store.people().begin_session(id, ORIGIN).await.unwrap());
        }
        let own = f.store.people().find_session(&tokens[0], "").await.unwrap().unwrap().0;
        assert_eq!(f.store.people().list_sessions(id).await.unwrap().len(), 3);
        let other = crate::portal::user(&f.store, account, Role::Owner, "tomas@oak.example.com").await.id;
        assert!(is(f.store.people().end_session(other, own.id).await, "NotFound"), "another's");
        assert_eq!(f.store.people().end_other_sessions(id, own.id).await.unwrap(), 2);
        assert!(f.store.people().find_session(&tokens[1], "").await.unwrap().is_none());
        f.store.people().end_session(id, own.id).await.unwrap();
        assert!(f.store.people().find_session(&tokens[0], "").await.unwrap().is_none());

        let token = f.store.people().begin_session(id, ORIGIN).await.unwrap();
        f.store.people().remove_user(account, id).await.unwrap();
        assert!(f.store.people().find_session(&token, "").await.unwrap().is_none());
        assert!(f.store.people().find_user_by_email(&email("maya@oak.example.com")).await.unwrap().is_none());
        assert!(is(f.store.people().remove_user(account, other).await, "LastOwner"));
        crate::portal::user(&f.store, account, Role::Member, "maya@oak.example.com").await;
        let stranger = crate::portal::account(&f.store).await;
        assert!(is(f.store.people().remove_user(stranger, other).await, "NotFound"));
    }

    async fn two_owners_who_remove_each_other_leave_one(f: Fixture) {
        let (account, first) = owner(&f.store).await;
        let second = user(&f.store, account, Role::Owner, "tomas@oak.example.com").await.id;
        let (left, right) = tokio::join!(f.store.people().remove_user(account, first), f.store.people().remove_user(account, second));
        assert!(left.is_ok() != right.is_ok(), "{left:?} {right:?}");
        assert_eq!(f.store.people().list_users(account).await.unwrap().len(), 1);
    }

    async fn a_mailed_code_is_for_the_browser_that_asked_and_for_five_tries(f: Fixture) {
        let (_, id) = owner(&f.store).await;
        let address = email("maya@oak.example.com");
        let asked = f.store.people().ask_to_sign_in(&address).await.unwrap();
        let mail = asked.mail.unwrap();
        assert!(mail.code.len() == 6 && mail.code.bytes().all(|b| b.is_ascii_digit()));
        let other = f.store.people().ask_to_sign_in(&address).await.unwrap();
        assert!(matches!(f.store.people().check_sign_in_code(&other.browser, &mail.code).await.unwrap(), CodeCheck::Wrong { left: 4 }));
        let spaced = format!("{} {}", &mail.code[..3], &mail.code[3..]);
        assert_eq!(f.store.people().check_sign_in_code(&asked.browser, &spaced).await.unwrap(), CodeCheck::Right(id));
        assert_eq!(f.store.people().check_sign_in_code(&asked.browser, &mail.code).await.unwrap(), CodeCheck::Ended, "once");
        assert_eq!(f.store.people().use_link(&mail.link, Some(&asked.browser)).await.unwrap(), LinkState::Ended, "it was the same one");

        let right = other.mail.unwrap().code;
        for left in [3, 2, 1] {
            assert_eq!(f.store.people().check_sign_in_code(&other.browser, "nothing").await.unwrap(), CodeCheck::Wrong { left });
        }
        assert_eq!(f.store.people().check_sign_in_code(&other.browser, "").await.unwrap(), CodeCheck::Ended);
        assert_eq!(f.store.people().check_sign_in_code(&other.browser, &right).await.unwrap(), CodeCheck::Ended, "too late");

        let nobody = f.store.people().ask_to_sign_in(&email("nobody@x.example")).await.unwrap();
        assert!(nobody.mail.is_none());
        assert_eq!(f.store.people().check_sign_in_code(&nobody.browser, "123456").await.unwrap(), CodeCheck::Wrong { left: 4 }, "as for anybody");
        let late = f.store.people().ask_to_sign_in(&address).await.unwrap();
        f.clock.advance(SIGN_IN_LIFETIME);
        let code = late.mail.unwrap().code;
        assert_eq!(f.store.people().check_sign_in_code(&late.browser, &code).await.unwrap(), CodeCheck::Ended);
    }

    async fn a_mailed_link_is_spent_by_one_press_where_it_was_asked_for(f: Fixture) {
        let (_, id) = owner(&f.store).await;
        let asked = f.store.people().ask_to_sign_in(&email("maya@oak.example.com")).await.unwrap();
        let mail = asked.mail.unwrap();
        let elsewhere = LinkState::OtherBrowser { code: mail.code.clone() };
        for _ in 0..3 {
            assert_eq!(f.store.people().look_at_link(&mail.link, None).await.unwrap(), elsewhere, "a scanner looks");
            assert_eq!(f.store.people().use_link(&mail.link, None).await.unwrap(), elsewhere, "and presses");
            assert_eq!(f.store.people().use_link(&mail.link, Some(&"x".repeat(43))).await.unwrap(), elsewhere);
        }
        assert_eq!(f.store.people().look_at_link(&mail.link, Some(&asked.browser)).await.unwrap(), LinkState::Ready(id));
        assert_eq!(f.store.people().use_link(&mail.link, Some(&asked.browser)).await.unwrap(), LinkState::Ready(id));
        assert_eq!(f.store.people().use_link(&mail.link, Some(&asked.browser)).await.unwrap(), LinkState::Ended);
        assert_eq!(f.store.people().look_at_link(&mail.link, None).await.unwrap(), LinkState::Ended);
        for none in ["", &"x".repeat(43), &mail.link[1..]] {
            assert_eq!(f.store.people().use_link(none, Some(&asked.browser)).await.unwrap(), LinkState::Ended);
        }
    }

    async fn a_user_who_is_reset_gets_in_by_one_link_and_everything_of_before_ends(f: Fixture) {
        let (_, id) = owner(&f.store).await;
        let address = email("maya@oak.example.com");
        let session = f.store.people().begin_session(id, ORIGIN).await.unwrap();
        let codes = f.store.people().make_recovery_codes(id).await.unwrap();
        let asked = f.store.people().ask_to_sign_in(&address).await.unwrap();
        let link = f.store.people().reset_user(&address).await.unwrap();
        assert!(f.store.people().find_session(&session, "").await.unwrap().is_none());
        assert_eq!(f.store.people().use_recovery_code(&address, &codes[0]).await.unwrap(), None);
        assert_eq!(f.store.people().check_sign_in_code(&asked.browser, &asked.mail.unwrap().code).await.unwrap(), CodeCheck::Ended);
        assert_eq!(f.store.people().use_link(&link, None).await.unwrap(), LinkState::Ready(id), "in whatever browser it is opened");
        assert_eq!(f.store.people().use_link(&link, None).await.unwrap(), LinkState::Ended);
        assert!(is(f.store.people().reset_user(&email("nobody@x.example")).await, "NotFound"));
        let written = "SELECT COUNT(*) FROM audit_entry WHERE what = 'user.reset' AND account_id IS NOT NULL";
        assert_eq!(f.number(written).await, 1);
    }

    async fn a_lead_is_unread_until_this_user_has_opened_it(f: Fixture) {
        let (account, id) = owner(&f.store).await;
        let other = user(&f.store, account, Role::Member, "tomas@oak.example.com").await.id;
        let leads = [1, 2].map(|n| LeadId(uuid::Uuid::from_u128(n)));
        assert_eq!(f.store.leads().unread(id, &leads).await.unwrap(), leads);
        for _ in 0..2 {
            f.store.leads().note_read(id, leads[0]).await.unwrap();
        }
        assert_eq!(f.store.leads().unread(id, &leads).await.unwrap(), leads[1..]);
        assert_eq!(f.store.leads().unread(other, &leads).await.unwrap(), leads);
        assert!(f.store.leads().unread(id, &[]).await.unwrap().is_empty());
    }

    async fn a_recovery_code_is_good_once_and_until_there_are_new_ones(f: Fixture) {
        let (account, id) = owner(&f.store).await;
        let address = email("maya@oak.example.com");
        let codes = f.store.people().make_recovery_codes(id).await.unwrap();
        assert_eq!((codes.len(), f.store.people().recovery_codes_left(id).await.unwrap()), (RECOVERY_CODES, 8));
        let spoilt = codes[0].to_uppercase().replace('-', " ").replace('1', "l").replace('0', "O");
        assert_eq!(f.store.people().use_recovery_code(&address, &spoilt).await.unwrap(), Some(id));
        assert_eq!(f.store.people().use_recovery_code(&address, &codes[0]).await.unwrap(), None);
        assert_eq!(f.store.people().recovery_codes_left(id).await.unwrap(), 7);
        let other = user(&f.store, account, Role::Member, "tomas@oak.example.com").await;
        assert_eq!(f.store.people().use_recovery_code(&other.email, &codes[1]).await.unwrap(), None, "another's");
        assert_eq!(f.store.people().use_recovery_code(&email("nobody@x.example"), &codes[1]).await.unwrap(), None);
        f.store.people().make_recovery_codes(id).await.unwrap();
        assert_eq!(f.store.people().use_recovery_code(&address, &codes[1]).await.unwrap(), None);
        assert_eq!(f.store.people().use_recovery_code(&address, "").await.unwrap(), None);
    }
}
