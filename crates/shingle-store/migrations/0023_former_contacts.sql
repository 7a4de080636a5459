-- Leads are found by e-mail addresses and telephone numbers that were replaced since, too: the words of leads that were sent
-- again are made anew.
UPDATE lead SET tokens_at = NULL
 WHERE record IS NOT NULL AND id IN (SELECT lead_id FROM consent GROUP BY lead_id HAVING COUNT(*) > 1);
