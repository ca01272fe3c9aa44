-- Up Migration

create table visit (
  id bigint generated always as identity primary key,
  guest text not null,
  at timestamptz not null
);
