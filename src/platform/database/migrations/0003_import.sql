-- Up Migration

-- Where a venue came from: an operator's own id, unique within a source. The same file loaded again finds its venues here.
create table venue_source (
  source text not null check (length(source) between 1 and 200),
  external_id text not null check (length(external_id) between 1 and 200),
  venue_id uuid not null unique references venue,
  primary key (source, external_id)
);

-- A table that an operator no longer has takes no new booking; those that have it keep it.
alter table resource add column retired_at timestamptz;
