INSERT INTO account_product SELECT id, 'buyer-insights', TRUE FROM account;
INSERT INTO usage_month SELECT id, 0, 3 FROM account;
INSERT INTO usage_day SELECT id, 'production', 0, 'k', 'p', 3, 3, 18, 0 FROM account;
INSERT INTO widget_draft SELECT id, account_id, 1, config, '{}', '', 0 FROM widget;
INSERT INTO widget_preview
    SELECT 'p' || w.id, w.id, u.id, 1, w.config, '{}', 0, 9000000000000000
      FROM widget AS w JOIN portal_user AS u ON u.account_id = w.account_id WHERE u.role = 'owner';
INSERT INTO widget_sighting SELECT id, 'oak.example.com', 0 FROM widget;
INSERT INTO widget_check SELECT 'c' || id, id, 'https://oak.example.com/', '{}', 0 FROM widget;
INSERT INTO visit_count SELECT account_id, environment, id, '2026-03-10', '/', '', 1, 1, 1, 1, 1, 1 FROM widget;
INSERT INTO town_asked SELECT account_id, environment, id, '2026-03-10', 'Harborview', 1 FROM widget;
INSERT INTO destination (id, account_id, environment, kind, name, address, events, widgets, active, ordered, timeout_seconds,
                         config, success_count, failure_count, failures_in_a_row, blocked_until, created_at, updated_at)
    SELECT n || id, id, 'production', 'webhook', '', 'https://oak.example.com/', '', '', TRUE, FALSE, 10, '{}', 0, 0, 0, 0, 0, 0
      FROM account CROSS JOIN (SELECT 'd' AS n UNION SELECT 'e') AS two;
INSERT INTO delivery (id, account_id, environment, event_id, destination_id, kind, resource_id, sequence, step, state, attempts,
                      due_at, claim, created_at)
    SELECT 'd' || e.id, e.account_id, 'production', e.id, 'd' || e.account_id, e.kind, e.resource_id, 1, 0, 'pending', 1, 0, '', 0
      FROM event AS e;
INSERT INTO attempt (id, delivery_id, number, started_at, duration_micros, outcome)
    SELECT 'a' || id, id, 1, 0, 0, 'failed' FROM delivery;
INSERT INTO homeowner_copy SELECT 'h' || id, id, 0 FROM delivery;
INSERT INTO notice_settings SELECT id, 'production', '{}', NULL, NULL, 0 FROM account;
INSERT INTO api_request SELECT id, 'production', 'k', 'r', 'x', 0 FROM account;
INSERT INTO lead_photo SELECT id, id, 'photos/' || id || '.jpg', 'stored', 1, 1, 1, 9000000000000000 FROM lead;
INSERT INTO lead_work SELECT id, account_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM lead;
INSERT INTO lead_file SELECT id, id, account_id, '', NULL, '', 'pdf', 'files/' || id || '.pdf', 'stored', 1, 0 FROM lead;
INSERT INTO lead_rules SELECT id, '{"places": [], "in_turn": []}', NULL, NULL FROM account;
INSERT INTO lead_merge SELECT id, account_id, id, '{}', 0, NULL FROM lead;
INSERT INTO calendar_link SELECT id, '', 1, TRUE FROM account;
INSERT INTO reply_template SELECT 'r' || id, id, '', 0 FROM account;
INSERT INTO lead_import SELECT 'f' || id, id, 'production', 'done', '', NULL, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0 FROM account;
INSERT INTO lead_import_lead SELECT id, 'f' || account_id FROM lead;
INSERT INTO tag SELECT 't' || id, id, '' FROM account;
INSERT INTO lead_tag SELECT id, 't' || account_id, account_id FROM lead;
INSERT INTO lead_appointment SELECT id, account_id, environment, NULL, TRUE, 0, 0, '' FROM lead;
INSERT INTO quote (id, lead_id, account_id, environment, revision, state, digest, amounts, author, created_at, updated_at)
    SELECT 'q' || id, id, account_id, environment, 1, 'draft', '', '', '', 0, 0 FROM lead;
INSERT INTO quote_settings SELECT id, NULL, 1000, 1000 FROM account;
INSERT INTO lead_entry SELECT 'e' || id, id, account_id, '', NULL, 'note', '', 0, NULL FROM lead;
INSERT INTO lead_answer SELECT id, 'm' || id, account_id, 0 FROM lead;
INSERT INTO contact_stop SELECT id, 'c' || id, 0 FROM account;
INSERT INTO company_sender (account_id) SELECT id FROM account;
INSERT INTO portal_lead_view SELECT u.id, l.id, 0 FROM lead AS l CROSS JOIN portal_user AS u WHERE u.account_id = l.account_id;
INSERT INTO portal_session SELECT 's' || id, 't' || id, id, 'invite', '', '', 0, 0 FROM portal_user;
INSERT INTO portal_visit SELECT 's' || id, account_id, 9000000000000000 FROM portal_user;
INSERT INTO portal_sign_in SELECT 'i' || id, 'l' || id, '', id, 0, 5, NULL FROM portal_user;
INSERT INTO portal_passkey SELECT 'k' || id, id, 'c' || id, '{}', 0, '', 'oak.example.com', id, 0, NULL FROM portal_user;
INSERT INTO portal_ceremony SELECT 'c' || id, '', 'register', id, '', 0 FROM portal_user;
INSERT INTO portal_recovery_code SELECT id, 'r' || id, id, NULL FROM portal_user;
INSERT INTO portal_email_change SELECT id, 'new@oak.example.com', '', 5, 0 FROM portal_user;
INSERT INTO portal_view SELECT 'v' || id, id, account_id, '', '', 0 FROM portal_user;
INSERT INTO portal_company SELECT id, '+12075550143', 'https://oak.example.com/', 'Ridge', '#2b5ba6', 'logos/a.png' FROM account;
INSERT INTO own_domain SELECT id || '.ridge.example', id, 1, 1, '' FROM account;
INSERT INTO push_device SELECT 'u' || id, account_id, id, 's' || id, 'e' || id, 'd' || account_id, 'e' || account_id, 0
    FROM portal_user WHERE role = 'owner';
INSERT INTO node VALUES ('n', 'oak', '0.1.0', '', 0);
INSERT INTO limit_use VALUES ('l', 'n', '', 0);
INSERT INTO homes_place VALUES ('areas', 'n', 'oak', '', 0);
INSERT INTO homes_question VALUES ('q', 'n', '', FALSE, NULL, 0);
INSERT INTO hidden_home VALUES ('h', '', 0);
INSERT INTO spent_challenge VALUES ('c', 0);
INSERT INTO work_lease VALUES ('areas', 'n', 0);
