-- Up Migration

-- What a developer needs to understand a call. Null in entries of earlier releases.
alter table request_log
  add column method text,
  -- without its query
  add column path text,
  -- the route at REST, the intent at A2A, the tool at MCP; null: none that exists
  add column target text,
  -- of HTTP; for a refusal at MCP that of its code
  add column status smallint,
  -- why the call was refused, and what to do
  add column message text,
  -- the booking, or the group of bookings, that the call was about
  add column subject_id uuid;

-- The bodies of a call as JSON, redacted and shortened. They are erased with their call.
create table request_body (
  account_id uuid not null,
  at timestamptz not null,
  request_id uuid not null,
  -- query and body
  sent text not null,
  -- in full; more than is kept if something was cut
  sent_bytes integer not null check (sent_bytes >= 0),
  is_sent_cut boolean not null,
  answer text not null,
  answer_bytes integer not null check (answer_bytes >= 0),
  is_answer_cut boolean not null,
  primary key (account_id, at, request_id),
  foreign key (account_id, at, request_id) references request_log on delete cascade
);

-- Whether bodies of the account's calls are recorded.
alter table account add column records_bodies boolean not null default true;
