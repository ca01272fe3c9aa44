-- Up Migration

-- How often running it failed on our side; after ten times it is answered `internal_error`, so that
-- it cannot keep its booking from what comes next.
alter table command add failures smallint not null default 0;
