-- Up Migration

-- What an import has read so far, and the places it gives; each import empties both. Temporary tables
-- would need a right that the role that serves does not have.
create unlogged table import_row (
  source text,
  external_id text,
  row integer not null,
  primary key (source, external_id)
);
create unlogged table import_seats (offering_id uuid primary key, places integer not null);
