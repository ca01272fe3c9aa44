-- Up Migration

-- Rows that a pass failed for, until one has helped them: what operators are shown, and alerted to.
create table failing_row (
  step text not null,
  row_id text collate "C" not null,
  error text not null,
  tries integer not null default 1,
  since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  primary key (step, row_id)
);
