-- Up Migration

alter table api_key validate constraint api_key_allowed_ips_check;

-- Devices and addresses that a developer has signed in from, to notice new ones
create table sign_in_place (
  developer_id uuid not null references developer on delete cascade,
  -- SHA-256 of the device in words or of the network address
  place bytea not null check (length(place) = 32),
  seen_at timestamptz not null,
  primary key (developer_id, place)
);
create index on sign_in_place (seen_at);
