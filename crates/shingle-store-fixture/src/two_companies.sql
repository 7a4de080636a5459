-- A company with 20,000 leads and one with 20.
INSERT INTO account (id, name, created_at, updated_at, encrypted_with)
    VALUES ('large', 'Large', 0, 0, 1), ('small', 'Small', 0, 0, 1);
INSERT INTO portal_user (id, account_id, role, email, name, created_at, is_proven, chosen_at)
    SELECT 'u' || id, id, 'owner', id || '@oak.example.com', 'Maya', 0, TRUE, 0 FROM account;
INSERT INTO widget (id, account_id, environment, version, config, created_at, updated_at, reference_id)
    SELECT 'w' || id, id, 'production', 1, '{}', 0, 0, 'r' || id FROM account;
INSERT INTO destination (id, account_id, environment, kind, name, address, events, widgets, active, ordered, timeout_seconds,
                         config, success_count, failure_count, failures_in_a_row, blocked_until, created_at, updated_at)
    SELECT 'd' || id, id, 'production', 'webhook', '', 'https://oak.example.com/', '', '', TRUE, FALSE, 10, '{}', 0, 0, 0, 0, 0, 0
      FROM account;
INSERT INTO lead (id, account_id, environment, widget_id, status, record, address_hash, email_hash, phone_hash, created_at,
                  updated_at, tokens_at)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    SELECT 'l' || n || a.id, a.id, 'production', 'w' || a.id, 'new', 'A record is longer than this, and is encrypted.',
           'a' || n, 'e' || n, 'p' || n, n, n, n
      FROM numbers CROSS JOIN account AS a WHERE a.id = 'large' OR n <= 20;
INSERT INTO consent (id, account_id, environment, lead_id, given, text, text_hash, at, evidence, digest, sequence, link)
    SELECT 'c' || id, account_id, environment, id, TRUE, 'May we call you about it?', 'h', created_at,
           'What somebody agreed to is longer than this, and is encrypted.', 'd', created_at, 'k' FROM lead;
INSERT INTO event (id, account_id, environment, kind, resource_id, sequence, payload, created_at)
    SELECT 'v' || id, account_id, environment, 'lead.created', id, 1, '{"what": "was sent"}', created_at FROM lead;
INSERT INTO delivery (id, account_id, environment, event_id, destination_id, kind, resource_id, sequence, step, state, attempts,
                      due_at, claim, created_at, completed_at)
    SELECT 'y' || id, account_id, environment, 'v' || id, 'd' || account_id, 'lead.created', id, 1, 0, 'delivered', 1, 0, '',
           created_at, created_at FROM lead;
INSERT INTO attempt (id, delivery_id, number, started_at, duration_micros, outcome, exchange)
    SELECT 't' || id, id, 1, created_at, 9, 'delivered', 'What was sent and answered' FROM delivery;
INSERT INTO lead_facet (lead_id, account_id, environment, created_at, touched_at, status, widget_id, origin, erased)
    SELECT id, account_id, environment, created_at, created_at, status, widget_id, 'site', FALSE FROM lead;
INSERT INTO lead_token (token, created_at, lead)
    SELECT created_at * 3 + n, created_at, number
      FROM lead_facet CROSS JOIN (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3) AS words;
INSERT INTO lead_work (lead_id, account_id) SELECT id, account_id FROM lead;
INSERT INTO lead_entry (id, lead_id, account_id, author, kind, text, created_at)
    SELECT 'n' || id, id, account_id, '', 'note', 'They called back', created_at FROM lead;
INSERT INTO lead_photo (id, lead_id, path, state, width, height, bytes, created_at)
    SELECT 'f' || id, id, 'photos/' || id, 'stored', 1, 1, 1, created_at FROM lead;
INSERT INTO idempotency (account_id, environment, widget_id, key_hash, request_hash, lead_id, created_at)
    SELECT account_id, environment, widget_id, 'k' || id, 'q', id, created_at FROM lead;
INSERT INTO audit_entry (id, account_id, actor, actor_id, what, target, detail, created_at)
    SELECT 'x' || id, account_id, 'Maya', 'u' || account_id, 'lead.opened', id, '{}', created_at FROM lead;
INSERT INTO portal_lead_view (user_id, lead_id, seen_at) SELECT 'u' || account_id, id, created_at FROM lead;
