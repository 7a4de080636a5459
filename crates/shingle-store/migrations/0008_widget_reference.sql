-- The caller's own id of a widget, which is unique in its account and environment. widget.id is what its links hold.
ALTER TABLE widget ADD COLUMN reference_id TEXT;
UPDATE widget SET reference_id = id;
CREATE UNIQUE INDEX widget_reference ON widget (account_id, environment, reference_id);
-- Two accounts may have a widget of one id.
DROP INDEX event_resource;
CREATE UNIQUE INDEX event_resource ON event (resource_id, account_id, environment, sequence);
-- Names that the company had lately, as JSON: pages that are still open, and leads that wait on a device, show them.
ALTER TABLE widget ADD COLUMN former_names TEXT;
