-- What the estimate step showed, as JSON: the figures and the roof with the chosen buildings.
ALTER TABLE lead ADD COLUMN shown TEXT;
