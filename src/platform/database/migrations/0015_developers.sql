-- Up Migration

-- People who sign in: one developer, one account -------------------------------------------------

create table developer (
  id uuid primary key,
  account_id uuid not null unique references account,
  email text not null check (char_length(email) between 3 and 254),
  -- argon2id as a PHC string
  password_hash text not null,
  is_operator boolean not null default false,
  -- when the address answered a mail; null until then
  verified_at timestamptz,
  created_at timestamptz not null
);
create unique index on developer (lower(email));

create table developer_session (
  id uuid primary key,
  developer_id uuid not null references developer on delete cascade,
  -- SHA-256 of the token in the cookie
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- what signed in, in words
  device text not null check (char_length(device) <= 100),
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- moves on while the session is used
  expires_at timestamptz not null
);
create index on developer_session (developer_id);
create index on developer_session (expires_at);

-- What a mail carries: good once, for what it was made for
create table mailed_token (
  -- SHA-256 of the token in the link
  hash bytea primary key check (length(hash) = 32),
  developer_id uuid not null references developer on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index on mailed_token (developer_id);
create index on mailed_token (expires_at);

-- How often something was tried; a subject is a SHA-256, so that no address is kept here
create table try_window (
  subject bytea primary key check (length(subject) = 32),
  tries integer not null check (tries > 0),
  ends_at timestamptz not null
);
create index on try_window (ends_at);

-- The mailbox of a development machine without a mail server
create table mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null
);
create index on mail (created_at);
