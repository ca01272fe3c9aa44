-- Up Migration

-- How often running it failed on our side; after ten times it is answered `internal_error`, so that
-- it cannot keep its booking from what comes next.
alter table command add failures smallint not null default 0;

-- Where the next pass of a step of the sweep continues: after the row with this id. A step without
-- a row begins with the first.
create table sweep_cursor (
  step text primary key,
  after_id uuid not null
);
