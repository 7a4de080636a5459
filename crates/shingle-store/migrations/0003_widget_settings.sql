-- What a contractor says beside the widget's record, as JSON; NULL until something is set. In the widget's own row: it
-- is read with it and deleted with it.
ALTER TABLE widget ADD COLUMN settings TEXT;
