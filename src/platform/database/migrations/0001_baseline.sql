-- Up Migration

-- The whole schema, room by room. A room's tables refer only to those above them. Table names are
-- the glossary's terms in the singular. Keys and constraints on a single column have the names that
-- PostgreSQL generates; others are named here.

-- Platform ----------------------------------------------------------------------------------------

create extension if not exists btree_gist;
create extension if not exists btree_gin;
create extension if not exists pg_trgm;

-- For tables whose rows are never changed or deleted.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows never change', tg_table_name;
end $$;

-- For tables whose rows are added and erased, but never changed.
create function refuse_update() returns trigger language plpgsql as $$
begin
  raise exception 'entries of % are never changed', tg_table_name;
end
$$;

-- When a UUIDv7 was made: when a process first wrote its row, even if the step was repeated.
create function time_of_id(id uuid) returns timestamptz language sql immutable parallel safe strict
return to_timestamp(
  ('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0);

-- How often something was tried. Subjects are SHA-256 hashes, so that addresses are not stored.
create table throttle_window (
  subject bytea primary key check (length(subject) = 32),
  tries integer not null check (tries > 0),
  ends_at timestamptz not null
);
create index throttle_window_ends_at_idx on throttle_window (ends_at);

-- The id after which the next pass of a step continues. Without an entry, the pass starts with the
-- first row.
create table sweep_cursor (
  step text primary key,
  after_id uuid not null
);

-- Rows on which a pass fails, kept until it succeeds: operators see them and are alerted.
create table failing_row (
  step text not null,
  row_id text collate "C" not null,
  error text not null,
  tries integer not null default 1,
  since timestamptz not null default now(),
  failed_at timestamptz not null default now(),
  primary key (step, row_id)
);

-- The mailbox of a development machine without a mail server.
create table mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  attachment jsonb,
  -- the booking that the email is about, if any
  subject_id uuid,
  created_at timestamptz not null
);
create index mail_created_at_idx on mail (created_at);

-- Emails to several people: which recipients have theirs while others could not be reached.
create table sent_mail (
  id uuid primary key,
  sent_at timestamptz not null
);

-- Accounts ----------------------------------------------------------------------------------------

-- A customer of the network. A sandbox is a separate account, so that it shares nothing with
-- others; it belongs to a live account, whose members use it. A deleted account remains as an id
-- without a name, for its bookings, fees and invoices.
create table account (
  id uuid primary key,
  name text not null check (length(name) between 1 and 100),
  tier text not null check (tier in ('free', 'pro')),
  -- the account's own daily limit; null: its tier's limit
  requests_per_day integer check (requests_per_day > 0),
  -- whether the bodies of the account's calls are recorded
  records_bodies boolean not null default true,
  mode text not null default 'live',
  live_account_id uuid,
  -- a live account has one default sandbox, and one for each test clock
  sandbox_kind text,
  -- whether its members need a second factor
  requires_factor boolean not null default false,
  -- months before this are closed: their fees have been invoiced
  invoiced_until timestamptz,
  -- while suspended, its keys are refused and its dashboard is read-only; members see the reason
  suspended_at timestamptz,
  suspended_reason text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint account_mode check (
    (mode = 'live' and live_account_id is null and sandbox_kind is null)
    or (mode = 'test' and live_account_id is not null and live_account_id <> id
      and sandbox_kind in ('default', 'clock'))),
  constraint account_sandbox_of foreign key (live_account_id) references account (id),
  constraint account_suspension check (
    (suspended_at is null) = (suspended_reason is null)
    and length(suspended_reason) between 1 and 500)
);
create index account_by_name on account (lower(name) text_pattern_ops);
create unique index account_default_sandbox on account (live_account_id)
  where sandbox_kind = 'default';
create index account_sandboxes on account (live_account_id, id) where live_account_id is not null;
create index account_suspended on account (id desc) where suspended_at is not null;

-- A person who signs in.
create table developer (
  id uuid primary key,
  email text not null check (char_length(email) between 3 and 254),
  -- argon2id as a PHC string
  password_hash text not null,
  is_operator boolean not null default false,
  -- when the owner of the address confirmed it from an email; null until then
  verified_at timestamptz,
  created_at timestamptz not null
);
create unique index developer_lower_idx on developer (lower(email));

-- Who works in an account, and in which role. The relation is many-to-many.
create table member (
  account_id uuid not null references account,
  developer_id uuid not null references developer on delete cascade,
  role text not null check (role in ('owner', 'developer', 'billing', 'read-only')),
  -- when the developer last chose this account among theirs
  chosen_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, developer_id)
);
create index member_developer_id_idx on member (developer_id);

-- A signed-in browser.
create table developer_session (
  id uuid primary key,
  developer_id uuid not null references developer on delete cascade,
  -- the open account: the session ends with its membership; null: the account chosen last
  account_id uuid,
  -- SHA-256 of the token in the cookie
  token_hash bytea not null unique check (length(token_hash) = 32),
  -- browser and operating system in words
  device text not null check (char_length(device) <= 100),
  -- when the password or a second factor was last given; null: the second factor is missing, and
  -- the session opens nothing
  proved_at timestamptz,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  -- extended while the session is used
  expires_at timestamptz not null,
  constraint developer_session_of_member foreign key (account_id, developer_id)
    references member (account_id, developer_id) on delete cascade
);
create index developer_session_developer_id_idx on developer_session (developer_id);
create index developer_session_expires_at_idx on developer_session (expires_at);

-- What a developer needs in addition to the password: passkeys, or an authenticator app.
create table second_factor (
  id uuid primary key,
  developer_id uuid not null references developer on delete cascade,
  kind text not null check (kind in ('passkey', 'totp')),
  name text not null check (char_length(name) <= 100),
  -- of a passkey
  credential_id text unique,
  public_key bytea,
  -- of an authenticator app, sealed
  secret text,
  -- the signature counter (WebAuthn, 6.1.1) or the last time step (RFC 6238), to refuse replays
  counter bigint not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint second_factor_of_kind check (
    num_nonnulls(credential_id, public_key) = case kind when 'passkey' then 2 else 0 end
    and (secret is not null) = (kind = 'totp'))
);
create index second_factor_developer_id_idx on second_factor (developer_id);
create unique index second_factor_totp on second_factor (developer_id) where kind = 'totp';

-- Codes for developers without their second factor; using one deletes it.
create table recovery_code (
  developer_id uuid not null references developer on delete cascade,
  -- SHA-256 of the code
  hash bytea not null check (length(hash) = 32),
  primary key (developer_id, hash)
);

-- What a passkey must sign, valid once; inserting one deletes some that have expired.
create table passkey_challenge (
  -- SHA-256 of the challenge
  hash bytea primary key check (length(hash) = 32),
  -- the only session that may use it; null: whoever signs in
  session_id uuid references developer_session on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenge_session_id_idx on passkey_challenge (session_id);
create index passkey_challenge_expires_at_idx on passkey_challenge (expires_at);

-- The token of a link in an email, valid once and for one purpose. A later link for a purpose
-- replaces an earlier one, even if both are sent at once.
create table mailed_token (
  -- SHA-256 of the token in the link
  hash bytea primary key check (length(hash) = 32),
  developer_id uuid not null references developer on delete cascade,
  purpose text not null check (purpose in ('verify_email', 'reset_password')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mailed_token_developer_id_idx on mailed_token (developer_id);
create index mailed_token_expires_at_idx on mailed_token (expires_at);
create unique index mailed_token_unused on mailed_token (developer_id, purpose)
  where used_at is null;

-- Devices and addresses that a developer has signed in from, to notice new ones.
create table sign_in_place (
  developer_id uuid not null references developer on delete cascade,
  -- SHA-256 of the device in words or of the network address
  place bytea not null check (length(place) = 32),
  seen_at timestamptz not null,
  primary key (developer_id, place)
);
create index sign_in_place_seen_at_idx on sign_in_place (seen_at);

-- An invitation to become a member, valid once: joining or revoking deletes it, and a new one to
-- the same address replaces it.
create table invitation (
  id uuid primary key,
  account_id uuid not null references account,
  email text not null check (char_length(email) between 3 and 254),
  role text not null check (role in ('owner', 'developer', 'billing', 'read-only')),
  -- ends with their membership, so that they cannot return through their own invitation
  invited_by uuid not null,
  -- SHA-256 of the token in the link
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (account_id, invited_by) references member on delete cascade
);
create index invitation_expires_at_idx on invitation (expires_at);
create unique index invitation_of_address on invitation (account_id, lower(email));

-- The key of an agent.
create table api_key (
  id uuid primary key,
  account_id uuid not null references account,
  name text not null check (length(name) between 1 and 100),
  -- SHA-256 of the raw key; 32 random bytes need no slow hash
  hash bytea not null unique check (length(hash) = 32),
  -- the last four characters, by which people distinguish keys
  hint text not null,
  -- what the key is allowed to do besides searching
  scopes text[] not null default '{bookings,webhooks,agents,usage}'
    check (scopes <@ array['bookings', 'keys', 'webhooks', 'agents', 'usage']),
  -- networks from which the key can be used; empty: anywhere
  allowed_ips cidr[] not null default '{}' check (cardinality(allowed_ips) <= 50),
  -- the key with scope `keys` that created this one; null: a person created it
  made_by uuid references api_key,
  -- the key to which it was rolled
  replaced_by uuid references api_key,
  created_at timestamptz not null,
  -- when it starts to be refused; null: never
  expires_at timestamptz,
  revoked_at timestamptz,
  -- rounded to the minute; and the door used then
  last_used_at timestamptz,
  last_used_door text,
  constraint api_key_last_use check ((last_used_at is null) = (last_used_door is null)),
  constraint api_key_replaced_expires check (replaced_by is null or expires_at is not null)
);
create index api_key_account_id_id_idx on api_key (account_id, id desc);
create index api_key_hint on api_key (hint);
create index api_key_made_by on api_key (made_by) where made_by is not null;

-- Idempotency keys, shared by all doors and operations: each stands for one request.
create table idempotency_key (
  account_id uuid not null references account,
  key text not null check (length(key) between 1 and 255),
  operation text not null,
  -- what the operation created, such as a booking or a command
  subject_id uuid not null,
  body_hash bytea not null,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index idempotency_key_created_at_idx on idempotency_key (created_at);

-- Each change to a tier.
create table plan_change (
  id uuid primary key,
  account_id uuid not null references account,
  from_tier text not null check (from_tier in ('free', 'pro')),
  to_tier text not null check (to_tier in ('free', 'pro')),
  -- `system`: the network ended pro because of an unpaid invoice, or restored it
  made_by text not null check (made_by in ('developer', 'operator', 'system')),
  created_at timestamptz not null,
  constraint plan_change_of_tier check (from_tier <> to_tier)
);
create index plan_change_account_id_id_idx on plan_change (account_id, id desc);

-- A month on the pro tier with its charge, which becomes a line in that month's invoice.
create table plan_period (
  id uuid primary key,
  account_id uuid not null references account,
  -- the first day of the month (UTC)
  month date not null check (extract(day from month) = 1),
  kind text not null check (kind = 'pro'),
  amount_minor bigint not null check (amount_minor >= 0),
  currency char(3) not null,
  created_at timestamptz not null,
  constraint plan_period_once unique (account_id, month, kind)
);

-- A day's calls, counted against the daily quota. A live account has one quota for its live calls
-- and another for the calls of all its sandboxes.
create table quota_day (
  account_id uuid not null references account,
  mode text not null check (mode in ('live', 'test')),
  day date not null,
  used integer not null check (used >= 0),
  primary key (account_id, mode, day)
);

-- Each call made with an account's keys, kept for a week.
create table request_log (
  account_id uuid not null,
  at timestamptz not null,
  -- the HTTP request's id, which callers receive as X-Request-Id
  request_id uuid not null,
  key_id uuid,
  door text not null,
  operation text not null,
  -- the REST route, A2A intent or MCP tool; null if it does not exist
  target text,
  method text,
  -- without the query string
  path text,
  -- the HTTP status; for a refusal at MCP, the status of its code
  status smallint,
  -- `ok`, or a code from the error catalogue
  code text not null,
  -- why the call was refused, and what to do
  message text,
  ms real not null,
  from_agent text,
  -- refusals by a limit within the same second share an entry
  calls integer not null check (calls > 0),
  -- the booking or group of bookings that the call was about
  subject_id uuid,
  primary key (account_id, at, request_id)
);
-- for filters that match few rows; one index for all three columns, because each has few values,
-- from one of which it can skip to the next
create index request_log_account_id_operation_key_id_door_idx
  on request_log (account_id, operation, key_id, door);
-- tells the planner that few calls match two filters together
create statistics request_log_kinds (mcv) on operation, key_id, door from request_log;
-- entries are added in order of time, so a small index finds the old ones
create index request_log_age on request_log using brin (at);
create index request_log_refused on request_log (account_id, at, request_id) where code <> 'ok';
create index request_log_subject on request_log (account_id, subject_id, at, request_id)
  where subject_id is not null;

-- The bodies of a call as JSON, redacted and truncated. They are erased with the call.
create table request_body (
  account_id uuid not null,
  at timestamptz not null,
  request_id uuid not null,
  -- the query and the body
  sent text not null,
  -- the original size; more than is stored if something was truncated
  sent_bytes integer not null check (sent_bytes >= 0),
  is_sent_cut boolean not null,
  answer text not null,
  answer_bytes integer not null check (answer_bytes >= 0),
  is_answer_cut boolean not null,
  primary key (account_id, at, request_id),
  foreign key (account_id, at, request_id) references request_log on delete cascade
);

-- Calls by day and result, kept for longer than the log.
create table usage_day (
  account_id uuid not null,
  -- UTC
  day date not null,
  code text not null,
  calls bigint not null check (calls > 0),
  primary key (account_id, day, code)
);
create index usage_day_day_idx on usage_day (day);

-- What was changed in an account, by whom and from where. Entries are erased with their account, or
-- at the same age as other history.
create table audit_entry (
  account_id uuid not null references account,
  at timestamptz not null,
  id uuid not null,
  actor_kind text not null check (actor_kind in ('member', 'key', 'operator', 'system')),
  -- the id of a developer or key; null for operators' commands and the network itself
  actor_id uuid,
  -- the email address or the key's name at that time
  actor_name text not null,
  -- an agent's door, the dashboard, or operators' commands
  door text not null,
  -- null if there was no caller
  address text,
  request_id text,
  -- the kind of object, a dot, and the action
  action text not null check (action ~ '^[a-z]+[.][a-z_]+$'),
  object_id text,
  object_name text,
  -- never contains secrets
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object'),
  primary key (account_id, at, id)
);
create trigger audit_entry_is_fixed before update on audit_entry
  for each statement execute function refuse_update();

-- OAuth -------------------------------------------------------------------------------------------

-- A program with which people sign in, such as an assistant.
create table oauth_client (
  id uuid primary key,
  -- the address of its metadata document, the id that it got when it registered, or a name that an
  -- operator gave it
  client_id text not null unique check (length(client_id) between 1 and 2048),
  kind text not null check (kind in ('document', 'registered', 'predefined')),
  -- as in RFC 7591, without the secret; of a document, what it said when somebody last consented
  metadata jsonb not null check (jsonb_typeof(metadata) = 'object'),
  -- sealed; null: a public client
  secret text,
  created_at timestamptz not null,
  -- when somebody last consented
  granted_at timestamptz
);

-- What a member allows a client to do in an account. It ends with the membership; deleting it ends
-- all its tokens.
create table oauth_grant (
  id uuid primary key,
  client_id uuid not null references oauth_client on delete cascade,
  developer_id uuid not null,
  -- the live account whose member the developer is
  member_account_id uuid not null,
  -- that account or one of its sandboxes
  account_id uuid not null references account,
  scopes text[] not null
    check (scopes <@ array['bookings', 'webhooks', 'agents', 'usage']),
  -- the addresses that the client named in RFC 8707's `resource`
  resources text[] not null check (cardinality(resources) between 1 and 10),
  -- where the code went, which is all that is certain about the client
  redirect_uri text not null check (length(redirect_uri) between 1 and 2048),
  -- SHA-256 of the name and addresses that the client showed
  client_hash bytea not null check (length(client_hash) = 32),
  created_at timestamptz not null,
  -- rounded to the minute; and the door used then
  last_used_at timestamptz,
  last_used_door text,
  constraint oauth_grant_last_use check ((last_used_at is null) = (last_used_door is null)),
  constraint oauth_grant_of_member foreign key (member_account_id, developer_id)
    references member (account_id, developer_id) on delete cascade
);
create index oauth_grant_client_id_idx on oauth_grant (client_id);
create index oauth_grant_of_account on oauth_grant (member_account_id, developer_id, id desc);

-- What the authorization server remembers: requests that wait for consent, codes and tokens.
create table oauth_artifact (
  id uuid primary key,
  kind text not null check (kind in
    ('Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken', 'ReplayDetection')),
  -- SHA-256 of the code, token or id, which only its holder knows
  hash bytea not null unique check (length(hash) = 32),
  grant_id uuid references oauth_grant on delete cascade,
  -- of an access token
  scopes text[],
  audience text check (audience in ('mcp', 'api')),
  -- sealed JSON
  payload text not null,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  constraint oauth_artifact_of_grant check (
    (grant_id is not null) = (kind in ('AuthorizationCode', 'AccessToken', 'RefreshToken'))),
  constraint oauth_artifact_token check (
    kind <> 'AccessToken' or (scopes is not null and audience is not null))
);
create index oauth_artifact_grant_id_idx on oauth_artifact (grant_id) where grant_id is not null;
create index oauth_artifact_expires_at_idx on oauth_artifact (expires_at);

-- Venues ------------------------------------------------------------------------------------------

-- A town, or a finer area that the operator named, with the time zone and currency of its venues.
create table area (
  slug text primary key,
  name text not null,
  aliases text[] not null,
  city text not null,
  city_aliases text[] not null default '{}',
  region text,
  country char(2) not null,
  timezone text not null,
  currency char(3) not null,
  latitude double precision not null,
  longitude double precision not null,
  -- how far a finer area reaches; null for a town of the gazetteer
  radius_km double precision check (radius_km > 0),
  -- places to search near: names (the first is shown), latitude and longitude
  landmarks jsonb not null default '[]'
);

-- Mercator preserves the shape of small regions at any latitude, so the nearest points on this map
-- are the nearest places.
create function map_point(longitude double precision, latitude double precision) returns point
language sql immutable strict parallel safe
return point(longitude, degrees(ln(tan(radians(45 + least(greatest(latitude, -85), 85) / 2)))));

-- A name in the form compared with queries: the words of plain-text.ts, separated by spaces.
create function plain_words(name text) returns text
language sql immutable strict parallel safe
return btrim(regexp_replace(replace(lower(
    regexp_replace(regexp_replace(normalize(name, nfkd), '[\u0300-\u036f''’]', '', 'g'),
      '[[:space:][:punct:]]+', ' ', 'g')), 'đ', 'd'), '[[:space:]]+', ' ', 'g'));

create table venue (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  category text not null check (category in ('restaurant', 'bar', 'gym', 'spa')),
  area_slug text not null references area,
  description text not null,
  tags text[] not null,
  cuisine text[] not null default '{}',
  -- street, locality and postcode
  address jsonb check (jsonb_typeof(address) = 'object'),
  phone text check (phone ~ '^\+[1-9][0-9]{4,14}$'),
  website text check (website ~ '^https?://'),
  menu_url text check (menu_url ~ '^https?://'),
  photos jsonb not null default '[]' check (jsonb_typeof(photos) = 'array'),
  opening_hours text,
  -- what is known, as in {"pets": "no"}; what is absent is not known
  facts jsonb not null default '{}' check (jsonb_typeof(facts) = 'object'),
  price_level smallint not null check (price_level between 1 and 4),
  latitude double precision not null,
  longitude double precision not null,
  -- who confirms a booking: the network, the venue's own system, or its staff
  confirm_mode text not null check (confirm_mode in ('auto', 'http', 'request')),
  is_demo boolean not null,
  -- a demo venue whose fee can be paid by x402, in test money
  takes_test_money boolean not null default false,
  -- for sandboxes only: live accounts do not see it, and sandboxes see no other venues; null: it
  -- was removed, so neither sees it
  is_test boolean default false,
  -- the language of its page and notices; null: English
  language text,
  -- the time of day at which its people get the list of tomorrow; null: they get none
  list_at time,
  -- between these times of day, notices that are not urgent wait
  quiet_from time,
  quiet_until time,
  -- the words by which searches find it
  document tsvector not null,
  plain_name text not null generated always as (plain_words(name)) stored,
  spot point not null generated always as (map_point(longitude, latitude)) stored,
  -- distance from the area's centre, in degrees of that map; the order of an area's venues
  off_centre double precision not null,
  created_at timestamptz not null
);
-- Facets and words in one index, so that a common word is looked up only within the area.
create index venue_document on venue using gin (category, area_slug, document);
create index venue_in_area on venue (area_slug, off_centre, slug);
create index venue_near on venue using gist (category, spot);
create index venue_of_kind on venue (category, off_centre, slug);
create index venue_of_kind_in_area on venue (category, area_slug, off_centre, slug);
create index venue_plain_name_idx on venue (plain_name);
create index venue_slug_nearest_idx on venue using gist (slug gist_trgm_ops(siglen = 64));

create function place_venue() returns trigger language plpgsql as $$
begin
  select map_point(new.longitude, new.latitude) <-> map_point(a.longitude, a.latitude)
    into new.off_centre from area a where a.slug = new.area_slug;
  return new;
end $$;
create trigger place before insert or update of area_slug, latitude, longitude on venue
  for each row execute function place_venue();

-- Every word of any live venue, as written in names and as stemmed by the text search: these are
-- never typos, and typos may stand for them. A word stays even when no venue has it any longer.
create table venue_word (
  word text primary key,
  in_name boolean not null
);
create index venue_word_word_idx on venue_word using gist (word gist_trgm_ops(siglen = 64))
  where in_name;

-- Skips test venues: their words would serve as corrections in searches for live venues.
create function learn_words() returns trigger language plpgsql as $$
begin
  insert into venue_word (word, in_name)
  select word, bool_or(in_name)
  from (
    select unnest(string_to_array(plain_name, ' ')) as word, true as in_name from written
    where not is_test
    union all
    select unnest(tsvector_to_array(document)), false from written where not is_test
  ) as found
  where word <> ''
  group by word
  order by word
  on conflict (word) do update set in_name = true
    where excluded.in_name and not venue_word.in_name;
  return null;
end $$;
create trigger learn_new after insert on venue
  referencing new table as written for each statement execute function learn_words();
create trigger learn_changed after update on venue
  referencing new table as written for each statement execute function learn_words();

-- Where a venue was imported from: the operator's own id for it, unique within a source. A repeated
-- import of a file finds its venues here.
create table venue_source (
  source text not null check (length(source) between 1 and 200),
  external_id text not null check (length(external_id) between 1 and 200),
  venue_id uuid not null unique references venue,
  primary key (source, external_id)
);

-- What an import has read so far; each import empties it. A temporary table would require a right
-- that the serving role lacks.
create unlogged table import_row (
  source text,
  external_id text,
  row integer not null,
  primary key (source, external_id)
);

-- The number of places that an import sets for services; emptied like `import_row`.
create unlogged table import_seats (
  service_id uuid primary key,
  places integer not null
);

-- Availability: rules -----------------------------------------------------------------------------

-- What can be booked at a venue. If several services have a slot, the lowest position prevails.
create table service (
  id uuid primary key,
  venue_id uuid not null references venue,
  name text not null,
  strategy text not null check (strategy in ('exclusive', 'pooled', 'on_request')),
  position smallint not null,
  -- the version in force
  rule_version integer not null,
  unique (venue_id, position)
);

-- Each version of a service's rules. Versions never change: a booking refers to the one under
-- which it was made.
create table service_rules (
  service_id uuid not null references service,
  version integer not null check (version > 0),
  rules jsonb not null,
  created_at timestamptz not null,
  primary key (service_id, version)
);
create trigger immutable before update or delete on service_rules
  for each row execute function refuse_change();
alter table service add foreign key (id, rule_version)
  references service_rules (service_id, version) deferrable initially deferred;

-- A date on which weekly opening hours do not apply: at most one for a venue, area or country.
create table day_exception (
  id uuid primary key,
  venue_id uuid references venue,
  area_slug text references area,
  country char(2),
  date date not null,
  windows jsonb not null,
  reason text not null,
  constraint day_exception_of_one check (num_nonnulls(venue_id, area_slug, country) = 1)
);
create index day_exception_date_idx on day_exception (date);
create unique index day_exception_of_venue on day_exception (venue_id, date)
  where venue_id is not null;
create unique index day_exception_of_area on day_exception (area_slug, date)
  where area_slug is not null;
create unique index day_exception_of_country on day_exception (country, date)
  where country is not null;

-- Since when on a date a venue's staff take no more bookings.
create table early_close (
  venue_id uuid not null references venue on delete cascade,
  date date not null,
  -- a local time of that date, past 24:00 for a night; null: bookings are taken again
  from_clock text check (from_clock ~ '^[0-4][0-9]:[0-5][0-9]$'),
  -- the latest press prevails, whenever it arrives
  pressed_at timestamptz not null,
  person_id uuid,
  primary key (venue_id, date)
);
create index early_close_date_idx on early_close (date);

-- A table, a room, a trainer: what a booking of an exclusive service occupies. The services of a
-- venue share its resources.
create table resource (
  id uuid primary key,
  venue_id uuid not null references venue,
  kind text not null,
  name text not null,
  party_min smallint not null check (party_min > 0),
  party_max smallint not null,
  -- Tables with the same value can be joined for a party too large for any one of them; the rules
  -- say how many.
  joins text check (length(joins) between 1 and 60),
  -- the services that it can be booked for; null: every service that needs its kind
  can uuid[],
  -- its own weekly hours, as in rules; null: whenever the service is open
  hours jsonb,
  days_off date[] not null default '{}',
  -- the sessions that it leads, whatever their service; null: none. A booking takes the resource
  -- only while it still leads what it led when its rules were read.
  leads jsonb,
  -- since when it gets no new bookings; existing bookings keep it
  retired_at timestamptz,
  constraint resource_party check (party_max >= party_min)
);
create index resource_venue_id_kind_idx on resource (venue_id, kind);

-- Itineraries -------------------------------------------------------------------------------------

-- Bookings that belong together: the first confirmed of several (any of), or all or none
-- (itinerary).
create table booking_group (
  id uuid primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('any_of', 'itinerary')),
  status text not null,
  body_hash bytea not null,
  -- identifies equal requests without an idempotency key
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  -- whether to book although the account has a similar booking
  also boolean not null default false,
  -- how many minutes before the slot to remind the agent; null: the network's default
  reminders integer[],
  -- the deadline for an itinerary's venues; its holds last a little longer
  answer_by timestamptz,
  hold_until timestamptz,
  -- the number of this itinerary among the account's few in progress
  lane smallint check (lane between 1 and 5),
  -- who asked for the whole group to be cancelled
  cancel_by text check (cancel_by in ('guest', 'agent')),
  -- why the whole group could not be booked
  refusal jsonb,
  -- the final answer, as the doors give it
  answer jsonb,
  -- The states of its bookings when its workflow last checked. If they have changed and the
  -- workflow has not checked again, a booking's signal was lost.
  member_states text,
  -- since when its workflow has had work to do; the sweep finds lost workflows by it
  next_action_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, natural_key),
  unique (id, kind),
  -- Five itineraries in progress per account: their holds do not count as the account's own.
  constraint booking_group_lane unique (account_id, lane),
  constraint booking_group_lanes check (
    (lane is not null) = (kind = 'itinerary' and status in ('holding', 'asking', 'undoing'))),
  constraint booking_group_status check (case kind
    when 'any_of' then status in ('trying', 'confirmed', 'failed')
    else status in ('holding', 'asking', 'confirmed', 'undoing', 'cancelling', 'failed',
      'cancelled')
  end),
  constraint booking_group_in_progress check (
    (status in ('trying', 'holding', 'asking', 'undoing', 'cancelling'))
      = (next_action_at is not null)),
  constraint booking_group_deadline check (kind = 'any_of' or (answer_by < hold_until))
);
create index booking_group_account_id_id_idx on booking_group (account_id, id desc);
create index booking_group_next_action_at_idx on booking_group (next_action_at)
  where next_action_at is not null;

-- The parts of a group. Bookings and commands get their ids when the group is created, so that a
-- repeated step uses the same ids.
create table group_member (
  group_id uuid not null references booking_group,
  position smallint not null check (position between 1 and 10),
  booking_id uuid not null unique,
  -- the command that asks a venue that confirms for itself, and the one that undoes the booking
  ask_id uuid not null,
  undo_id uuid not null,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  party_size integer not null,
  -- as in `request`
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  primary key (group_id, position)
);

-- Either all parts of an itinerary are booked, or none of them occupies inventory.
create function check_itinerary() returns trigger language plpgsql as $$
begin
  if new.status = 'confirmed' and old.status = 'asking' and exists (
    select from group_member m left join booking b on b.id = m.booking_id
    where m.group_id = new.id
      and (b.status, b.fee_status) is distinct from ('confirmed', 'accrued'))
  then raise exception 'itinerary % is not booked whole', new.id;
  end if;
  if new.status in ('failed', 'cancelled') and exists (
    select from booking b
    where b.group_id = new.id and b.status in ('held', 'pending', 'offered', 'confirmed'))
  then raise exception 'itinerary % still occupies something', new.id;
  end if;
  return new;
end $$;
create trigger all_or_nothing before update of status on booking_group
  for each row when (new.kind = 'itinerary') execute function check_itinerary();

-- Bookings ----------------------------------------------------------------------------------------

-- A booking attempt, stored before anything else happens, whatever its outcome.
create table request (
  booking_id uuid primary key,
  account_id uuid not null references account,
  operation text not null constraint request_operation check (operation in ('confirm', 'hold')),
  body_hash bytea not null,
  -- identifies equal requests without an idempotency key; cleared when the booking ends or is
  -- amended
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  -- whether to book although the account has a similar booking
  also boolean not null default false,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  party_size integer not null,
  -- how many minutes before the slot to remind the agent; null: the network's default
  reminders integer[] check (
    cardinality(reminders) <= 5 and 5 <= all (reminders) and 43200 >= all (reminders)),
  -- the service, the name of its sessions, the length in minutes and the leader that were asked for
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  -- how the fee is paid, given the account's tier at the time: `pro` by invoice, `test` in a
  -- sandbox, `x402` by a payment of its own, `card` by the account's saved card
  paid_by text not null check (paid_by in ('pro', 'x402', 'test', 'card')),
  -- the final answer, as the doors give it; never holds secrets or guest details
  answer jsonb,
  created_at timestamptz not null,
  unique (account_id, natural_key)
);
create index request_account_id_booking_id_idx on request (account_id, booking_id desc);
-- few rows: for lists, by account, and for the sweep, which reads all of them
create index request_undecided on request (account_id, booking_id desc, created_at)
  where answer is null;
create index request_guest on request (account_id, guest_ref) where guest_ref is not null;
create index request_from_agent on request (account_id, from_agent) where from_agent is not null;
-- for lists: requests without a booking, with the condition of src/bookings/store/booking-list.ts
create index request_unbooked on request (account_id, booking_id desc)
  where answer is null or answer ? 'refusal';

-- Set here, so that no code can set it differently; only an x402 payment comes before a card.
create function set_paid_by() returns trigger language plpgsql as $$
begin
  select case when a.mode = 'test' then 'test' when a.tier = 'pro' then 'pro'
    when new.paid_by is distinct from 'x402' and exists (select from payment_customer c
      where c.account_id = a.id and c.method_id is not null) then 'card' else 'x402' end
  into new.paid_by from account a where a.id = new.account_id;
  return new;
end
$$;
create trigger paid_by before insert on request for each row execute function set_paid_by();

-- A booking from the moment it holds a slot.
create table booking (
  id uuid primary key references request,
  account_id uuid not null references account,
  venue_id uuid not null references venue,
  service_id uuid not null references service,
  rule_version integer not null,
  group_id uuid,
  group_kind text,
  status text not null check (status in ('held', 'pending', 'offered', 'confirmed', 'completed',
    'no_show', 'declined', 'expired', 'released', 'cancelled', 'failed')),
  revision integer not null check (revision > 0),
  reason_code text,
  cancelled_by text check (cancelled_by in ('guest', 'agent', 'venue', 'network', 'operator')),
  fee_status text not null default 'none' check (fee_status in ('none', 'accrued', 'reversed')),
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  party_size integer not null check (party_size > 0),
  cancel_until timestamptz not null,
  -- the end of an explicit hold; null for a booking that was confirmed at once
  hold_until timestamptz,
  hold_extended boolean not null default false,
  -- how often it was changed on request, not counting cancellations
  changes smallint not null default 0 check (changes between 0 and 50),
  -- the venue's mode when the booking was made
  confirm_mode text not null default 'auto' check (confirm_mode in ('auto', 'http', 'request')),
  venue_sync text not null default 'not_sent' check (venue_sync in ('not_sent', 'sent',
    'acknowledged', 'withdraw_due', 'withdrawn', 'given_up')),
  -- the deadline of the venue's response
  answer_by timestamptz,
  -- the revision sent with the request to the venue
  asked_revision integer,
  -- the time, by the venue's clock, of the venue's response that is in force
  venue_answered_at timestamptz,
  -- when the venue's staff were reminded to answer
  venue_reminded_at timestamptz,
  -- `asked`: the venue is being asked for a change; `restoring`: notified that the booking stays
  change_phase text check (change_phase in ('asked', 'restoring')),
  -- the revision sent with that message
  change_revision integer,
  -- the next notice to open for the people at the venue, if it has any
  notice_due text check (notice_due in (
    'request.waiting', 'request.reminder', 'booking.changed', 'booking.cancelled')),
  -- the next email to the guest, distinguished from the booking's other emails by its number
  guest_notice text,
  guest_notice_number integer not null default 0,
  -- reminders due up to this time were sent, or were past when the booking was confirmed or moved;
  -- null: no reminders
  reminded_until timestamptz,
  -- number and hash of the last timeline entry
  timeline_length integer not null default 0 check (timeline_length >= 0),
  timeline_head bytea check (length(timeline_head) = 32),
  -- when its workflow has work to do; the sweep finds lost workflows by it
  next_action_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  history_erased_at timestamptz,
  foreign key (service_id, rule_version) references service_rules (service_id, version),
  constraint booking_group_fkey foreign key (group_id, group_kind)
    references booking_group (id, kind),
  constraint booking_group_both check ((group_id is null) = (group_kind is null)),
  constraint booking_ends_later check (ends_at > starts_at),
  constraint booking_answer_by check (status <> 'pending' or answer_by is not null),
  constraint booking_change_phase check (
    (change_phase is null) = (change_revision is null)
    and (change_phase is null or (status = 'confirmed' and answer_by is not null))),
  constraint booking_timeline check ((timeline_length = 0) = (timeline_head is null)),
  constraint booking_next_action check (
    (status in ('held', 'pending', 'offered', 'confirmed') or venue_sync = 'withdraw_due')
      = (next_action_at is not null))
);
-- Only one of several alternatives can be booked: this index, not our code, prevents two.
create unique index booking_any_of_one on booking (group_id)
  where status = 'confirmed' and group_kind = 'any_of';
create index booking_next_action_at_idx on booking (next_action_at)
  where next_action_at is not null;
create index booking_venue_id_starts_at_idx on booking (venue_id, starts_at);
create index booking_group_id_idx on booking (group_id) where group_id is not null;
-- for an account's lists: by status, and by the slot's local date
create index booking_by_status on booking (account_id, status, id desc);
create index booking_by_slot on booking (account_id, slot_time) include (id);
-- for the sweep and for operators: rare rows
create index booking_updated_at_idx on booking (updated_at) where change_phase is not null;
create index booking_notice_due on booking (updated_at) where notice_due is not null;
create index booking_guest_notice on booking (updated_at) where guest_notice is not null;
create index booking_given_up on booking (updated_at) where venue_sync = 'given_up';
create index booking_answer_due on booking (answer_by)
  where status = 'pending' or change_phase is not null;
create index booking_history on booking (account_id, id)
  where history_erased_at is null and next_action_at is null;

-- The operations keep test and live data apart; this stops a mistake in them.
-- The lock makes it see whether the venue has just been removed.
create function keep_test_apart() returns trigger language plpgsql as $$
declare
  at_test_venue boolean;
begin
  select is_test into at_test_venue from venue where id = new.venue_id for key share;
  if (select mode = 'test' from account where id = new.account_id) is distinct from at_test_venue
  then raise exception 'test and live never meet: account %, venue %', new.account_id, new.venue_id;
  end if;
  return new;
end
$$;
create trigger booking_test_apart before insert on booking
  for each row execute function keep_test_apart();

-- A change to a booking must record who made it and why; otherwise it cannot commit.
create function require_timeline_entry() returns trigger language plpgsql as $$
begin
  raise exception 'booking % was changed without an entry in its timeline', new.id;
end $$;
create trigger timeline_required before update on booking for each row
  when (new.revision <> old.revision and new.timeline_length = old.timeline_length)
  execute function require_timeline_entry();

-- Who the guest is and what they request: for the venue only, separate from everything that is
-- logged or listed. A group stores details under the ids of bookings that do not exist yet, and a
-- watch under its own id, so `booking_id` has no foreign key.
create table booking_guest (
  booking_id uuid primary key,
  name text,
  phone text,
  email text,
  notes text,
  -- whether the guest wants emails, and in which language if the agent said it
  notify boolean not null default false,
  language text,
  erase_after timestamptz not null
);
create index booking_guest_erase_after_idx on booking_guest (erase_after);
-- Guests with the same contact, for src/bookings/store/similar.ts. The last eight digits are the same
-- in the national and the international form of a number.
create index booking_guest_email on booking_guest (lower(email)) where email is not null;
create index booking_guest_phone
  on booking_guest (right(regexp_replace(phone, '[^0-9]', '', 'g'), 8)) where phone is not null;

-- What a booking becomes if its venue agrees; kept while the venue is being asked.
create table booking_change (
  booking_id uuid primary key references booking,
  service_id uuid not null,
  rule_version integer not null,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- the end, including the time that the venue needs afterwards
  occupied_until timestamptz not null,
  cancel_until timestamptz not null,
  party_size integer not null check (party_size > 0),
  session text,
  leader_id uuid,
  -- what it will occupy: these resources, or this many places
  resource_ids uuid[] not null,
  places integer not null check (places >= 0),
  -- whether the venue might know of it
  is_sent boolean not null default false,
  -- requested after `cancel_until`, so it does not lower the fee, whenever the venue agrees
  is_late boolean not null default false,
  foreign key (service_id, rule_version) references service_rules (service_id, version),
  constraint booking_change_ends_later check (ends_at > starts_at),
  constraint booking_change_occupied_longer check (occupied_until >= ends_at)
);

-- Each step of a booking, stored once. A step repeated after a crash finds its result.
create table transition (
  booking_id uuid not null references request,
  transition_id text not null,
  result jsonb not null,
  at timestamptz not null,
  primary key (booking_id, transition_id)
);

-- What happened to each booking, who did it and why (docs/protocols/timeline.md).
create table timeline_entry (
  booking_id uuid not null references booking,
  number integer not null check (number > 0),
  at timestamptz not null,
  by text not null check (by in ('agent', 'guest', 'venue', 'network', 'operator')),
  what text not null,
  why text not null,
  -- the booking's revision and status after the step
  revision integer not null check (revision > 0),
  status text not null,
  -- SHA-256 of the previous entry (32 zero bytes in the first), and of this one
  previous bytea not null check (length(previous) = 32),
  hash bytea not null check (length(hash) = 32),
  -- the previous entry, which must exist: numbers have no gaps
  preceding integer generated always as (nullif(number - 1, 0)) stored,
  primary key (booking_id, number),
  foreign key (booking_id, preceding) references timeline_entry
);
create trigger immutable before update or delete on timeline_entry
  for each row execute function refuse_change();

-- What an agent wants done with an existing booking, stored before anybody acts on it.
create table command (
  id uuid primary key,
  booking_id uuid not null references request,
  kind text not null check (kind in ('confirm', 'extend', 'release', 'cancel', 'amend',
    'accept_offer', 'refuse_offer', 'wake')),
  -- never holds guest details
  input jsonb not null,
  -- Guest details sent with a confirmation become the booking's only if this command confirms it.
  -- They are erased once it is answered.
  guest jsonb,
  door text not null,
  from_agent text,
  -- since when its venue has been deciding; null before that, and if the network decides
  begun_at timestamptz,
  -- how often it failed on our side; after ten failures it is answered `internal_error`, so that it
  -- cannot block the booking's later commands
  failures smallint not null default 0,
  -- the final answer, as the doors give it
  answer jsonb,
  created_at timestamptz not null,
  constraint command_guest_erased check (guest is null or (answer is null and begun_at is null))
);
create index command_booking_id_idx on command (booking_id);
create index command_created_at_idx on command (created_at)
  where answer is null and begun_at is null;
create index command_failed on command (created_at) where failures > 0;

-- An account's current explicit holds. The check prevents it from holding a whole venue.
create table hold_counter (
  account_id uuid primary key references account,
  live integer not null,
  constraint hold_counter_limit check (live between 0 and 10)
);

-- The limits that an operator has set for an account; null: no limit. Other accounts have the usual
-- limits.
create table account_limit (
  account_id uuid primary key references account,
  -- bookings that occupy inventory, and waitlist entries
  live integer check (live >= 0),
  -- of these, at one venue on one local date
  per_venue_day integer check (per_venue_day >= 0)
);

-- The fee of a booking and its reversal.
create table fee_entry (
  id uuid primary key,
  account_id uuid not null references account,
  booking_id uuid not null references booking,
  kind text not null check (kind in ('accrual', 'reversal')),
  base_minor bigint not null check (base_minor >= 0),
  pct numeric(5, 2) not null,
  amount_minor bigint not null check (amount_minor >= 0),
  currency char(3) not null,
  -- fees at demo venues are never invoiced
  is_demo boolean not null,
  -- a reversed accrual refers to its reversal, and a reversal to its accrual
  reversed_by uuid references fee_entry,
  reverses uuid unique references fee_entry,
  created_at timestamptz not null,
  constraint fee_entry_reversal check ((kind = 'reversal') = (reverses is not null))
);
create index fee_entry_account_id_created_at_idx on fee_entry (account_id, created_at);
-- This index, not our code, prevents a second fee for a booking.
create unique index fee_entry_one_accrual on fee_entry (booking_id)
  where kind = 'accrual' and reversed_by is null;

-- A booking as its owner sees it, from the moment its request is stored. Local times become
-- instants in one place, with one copy of the time zone data: until a booking occupies inventory,
-- the service determines its start (of two possible instants, PostgreSQL would take the later).
create view booking_view as
select
  r.booking_id as id,
  r.account_id,
  case
    when b.id is not null then b.status
    when r.answer is not null then 'failed'
    else 'pending'
  end as status,
  r.venue_id,
  v.slug as venue_slug,
  v.name as venue_name,
  coalesce(b.slot_time, r.slot_time) as slot_time,
  a.timezone,
  b.starts_at,
  b.ends_at,
  coalesce(b.party_size, r.party_size) as party_size,
  coalesce(b.fee_status, 'none') as fee_status,
  v.is_demo,
  r.paid_by,
  coalesce(f.amount_minor, 0) as fee_amount_minor,
  a.currency,
  f.pct as fee_pct,
  coalesce(b.revision, 0) as revision,
  coalesce(b.reason_code, r.answer #>> '{refusal,code}') as reason_code,
  r.created_at,
  coalesce(b.updated_at, r.created_at) as updated_at,
  coalesce(b.confirm_mode, v.confirm_mode) as confirm_mode,
  case when b.status = 'held' then b.hold_until end as hold_until,
  case when b.status in ('pending', 'offered') then b.answer_by end as answer_by,
  b.cancel_until,
  b.cancelled_by
from request r
join venue v on v.id = r.venue_id
join area a on a.slug = v.area_slug
left join booking b on b.id = r.booking_id
left join fee_entry f
  on f.booking_id = r.booking_id and f.kind = 'accrual' and f.reversed_by is null;

-- Availability: inventory -------------------------------------------------------------------------

-- A party that came or called by itself, and that staff gave a place.
create table walk_in (
  -- that of the form, so that a second press takes nothing more
  id uuid primary key,
  venue_id uuid not null references venue,
  service_id uuid not null references service,
  party_size integer not null check (party_size > 0),
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- who took it, if that is known
  person_id uuid,
  created_at timestamptz not null,
  freed_at timestamptz,
  freed_by uuid,
  constraint walk_in_ends_later check (ends_at > starts_at)
);
create index walk_in_venue on walk_in (venue_id, starts_at);

-- A resource that a booking or walk-in occupies. Active allocations of a resource never overlap:
-- this constraint, not our code, prevents double booking.
create table allocation (
  booking_id uuid references booking,
  walk_in_id uuid references walk_in,
  venue_id uuid not null references venue,
  resource_id uuid not null references resource,
  -- at most a day, so that an index on its start finds everything that overlaps a time
  during tstzrange not null
    check (not isempty(during) and upper(during) - lower(during) <= interval '1 day'),
  active boolean not null,
  -- what a change occupies in addition to the booking; both are kept until the venue answers
  of_change boolean not null default false,
  constraint allocation_of_one check (num_nonnulls(booking_id, walk_in_id) = 1),
  constraint allocation_once unique (booking_id, resource_id, during),
  constraint allocation_no_overlap
    exclude using gist (resource_id with =, during with &&) where (active)
);
-- for availability: what is occupied at a venue within a period
create index allocation_venue_id_lower_idx on allocation (venue_id, lower(during)) where active;
create index allocation_of_walk_in on allocation (walk_in_id) where walk_in_id is not null;

-- Occupied places in a pooled service's slot; the check prevents overselling.
create table slot_counter (
  service_id uuid not null references service,
  starts_at timestamptz not null,
  cap integer not null check (cap >= 0),
  used integer not null,
  -- its session is cancelled
  closed boolean not null default false,
  primary key (service_id, starts_at),
  constraint slot_counter_not_oversold check (used between 0 and cap)
);

-- The places of a booking or walk-in in its slot's counter.
create table slot_count (
  booking_id uuid references booking,
  walk_in_id uuid references walk_in,
  service_id uuid not null,
  starts_at timestamptz not null,
  places integer not null check (places > 0),
  active boolean not null,
  -- as in `allocation`
  of_change boolean not null default false,
  constraint slot_count_of_one check (num_nonnulls(booking_id, walk_in_id) = 1),
  constraint slot_count_once unique (booking_id, of_change),
  foreign key (service_id, starts_at) references slot_counter (service_id, starts_at)
);
-- without this index, erasing a counter would read the whole table
create index slot_count_of_counter on slot_count (service_id, starts_at);
create index slot_count_of_walk_in on slot_count (walk_in_id) where walk_in_id is not null;

-- Confirmation ------------------------------------------------------------------------------------

-- A venue with a booking system of its own (docs/protocols/venue-connector.md).
create table connector (
  venue_id uuid primary key references venue,
  url text not null,
  -- sealed with a key of SECRETS_KEY
  secret text not null,
  -- whether it answers `booking.amend`
  takes_amend boolean not null default true,
  -- when its availability was last requested, and the error if the request failed
  read_at timestamptz,
  failure text,
  created_at timestamptz not null
);
create index connector_read_at_idx on connector (read_at nulls first);

-- A venue's free slots as it last reported them, by local date.
create table mirror_day (
  venue_id uuid not null references connector on delete cascade,
  date date not null,
  as_of timestamptz not null,
  slots jsonb not null,
  primary key (venue_id, date)
);

-- A person at a venue: who answers, and who is notified.
create table venue_person (
  id uuid primary key,
  venue_id uuid not null references venue on delete cascade,
  name text not null,
  role text not null check (role in ('owner', 'staff')),
  -- null: the venue's
  language text,
  pin_hash text,
  created_at timestamptz not null,
  -- when the invitation was accepted
  joined_at timestamptz,
  removed_at timestamptz,
  -- of the invitation that is open: it is used once
  invitation_id uuid unique,
  invited_at timestamptz,
  constraint venue_person_invited check ((invitation_id is null) = (invited_at is null)),
  constraint venue_person_removed check (
    removed_at is null or (pin_hash is null and invitation_id is null))
);
create index venue_person_venue on venue_person (venue_id, created_at);
alter table walk_in add foreign key (person_id) references venue_person on delete set null;

-- What was changed about the people of a venue, their channels and its notices, and by whom.
create table venue_person_change (
  id uuid primary key,
  venue_id uuid not null references venue on delete cascade,
  at timestamptz not null,
  -- null: an operator's command
  actor_id uuid references venue_person on delete set null,
  -- null: the settings of the venue
  person_id uuid references venue_person on delete cascade,
  action text not null
);
create index venue_person_change_venue on venue_person_change (venue_id, at);

-- Each response of a venue about a booking, stored before it is acted upon.
create table venue_response (
  booking_id uuid not null references request,
  -- its webhook-id; an answer to a request has the request's id
  id text not null,
  revision integer not null,
  status text not null
    check (status in ('confirmed', 'declined', 'cancelled', 'offered', 'no_show', 'attended')),
  offered_slot_time timestamp,
  -- why staff declined, chosen from a list: their own words might name a guest
  reason text check (reason in ('full', 'closed', 'party_size', 'short_notice', 'other')),
  answered_at timestamptz not null,
  received_at timestamptz not null,
  -- what the response led to; null until it has been evaluated
  effect text,
  -- who answered, if that is known
  person_id uuid references venue_person on delete set null,
  primary key (booking_id, id),
  -- a repeated response counts once
  unique (booking_id, revision, status, answered_at),
  constraint venue_response_offer check (
    (status = 'offered') = (offered_slot_time is not null))
);
create index venue_response_received_at_idx on venue_response (received_at)
  where effect is null;

-- A link to the page on which a venue's staff answer.
create table venue_link (
  id uuid primary key,
  venue_id uuid not null references venue on delete cascade,
  -- the booking whose notices contain the link; null: created by an operator
  booking_id uuid references booking on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint venue_link_expires_later check (expires_at > created_at)
);
create index venue_link_venue on venue_link (venue_id, created_at);
-- All notices about a booking contain the same link.
create unique index venue_link_booking on venue_link (booking_id) where revoked_at is null;

-- Another time, proposed by the venue. The booking keeps the requested time until the offer is
-- accepted, but holds the offer's inventory.
create table venue_offer (
  booking_id uuid primary key references booking,
  service_id uuid not null,
  rule_version integer not null,
  slot_time timestamp not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  cancel_until timestamptz not null,
  foreign key (service_id, rule_version) references service_rules (service_id, version),
  constraint venue_offer_ends_later check (ends_at > starts_at)
);

-- Notices -----------------------------------------------------------------------------------------

-- Where a person at a venue is notified, in the order of `position`.
create table notice_channel (
  id uuid primary key,
  person_id uuid not null references venue_person on delete cascade,
  position smallint not null,
  kind text not null check (kind in ('whatsapp', 'mail', 'push', 'post')),
  -- sealed with a key of SECRETS_KEY: a number in E.164, a mail address, the JSON of a push
  -- subscription, or JSON {url, secret}
  address text not null,
  -- keyed, to find the channels of an incoming message
  address_digest bytea not null,
  opted_in_at timestamptz not null,
  opted_in_by text not null check (opted_in_by in ('person', 'operator')),
  -- the last message from this address, which opens WhatsApp's window of 24 hours
  heard_at timestamptz,
  ended_at timestamptz,
  ended_reason text check (
    ended_reason in ('stopped', 'wrong_number', 'recycled', 'gone', 'removed', 'unsubscribed')),
  constraint notice_channel_ended check ((ended_at is null) = (ended_reason is null))
);
create index notice_channel_person on notice_channel (person_id, position);
create index notice_channel_address on notice_channel (address_digest);

-- Addresses that said STOP, as keyed digests; kept for ever.
create table notice_opt_out (
  address_digest bytea primary key,
  opted_out_at timestamptz not null
);

-- One matter that one person is told: a request at one revision, its change, its end, or the list
-- of a day.
create table notice (
  id uuid primary key,
  person_id uuid not null references venue_person on delete cascade,
  kind text not null check (kind in (
    'request.waiting', 'request.reminder', 'booking.changed', 'booking.cancelled', 'day.list')),
  booking_id uuid references booking on delete cascade,
  revision integer,
  day date,
  created_at timestamptz not null,
  -- the end of the quiet hours, or the creation
  not_before timestamptz not null,
  -- when its workflow has work to do; the sweep finds lost workflows by it
  next_at timestamptz,
  answer_by timestamptz,
  ended_at timestamptz,
  ended_reason text check (
    ended_reason in ('seen', 'answered', 'late', 'told', 'unreachable', 'stopped')),
  constraint notice_ended check (
    (ended_at is null) = (ended_reason is null) and (ended_at is null) = (next_at is not null)),
  constraint notice_subject check (
    (booking_id is null) = (kind = 'day.list')
    and (revision is null) = (booking_id is null)
    and (day is null) = (kind <> 'day.list')),
  -- nobody is told a matter twice
  unique nulls not distinct (person_id, kind, booking_id, revision, day)
);
create index notice_booking on notice (booking_id) where booking_id is not null;
create index notice_next_at on notice (next_at) where next_at is not null;
create index notice_created on notice (created_at);

-- What one channel did with a notice. The message contains the id.
create table notice_attempt (
  id uuid primary key,
  notice_id uuid not null references notice on delete cascade,
  channel_id uuid not null references notice_channel on delete cascade,
  started_at timestamptz not null,
  -- the provider's id of the message
  provider_id text unique,
  status text not null check (status in ('started', 'sent', 'delivered', 'read', 'failed')),
  status_at timestamptz not null,
  failure text,
  -- it failed for a reason that may pass
  is_temporary boolean not null default false,
  unique (notice_id, channel_id)
);
create index notice_attempt_channel on notice_attempt (channel_id);

-- Guests ------------------------------------------------------------------------------------------

-- Emails to guests, with addresses as keyed digests, for limits.
create table guest_mail (
  booking_id uuid not null references booking on delete cascade,
  number integer not null,
  id uuid not null,
  kind text not null,
  account_id uuid not null,
  address bytea not null,
  at timestamptz not null,
  -- since when an attempt has been in flight
  tried_at timestamptz,
  failures smallint not null default 0,
  sent_at timestamptz,
  primary key (booking_id, number)
);
create index guest_mail_account on guest_mail (account_id, at);
create index guest_mail_address on guest_mail (address, at);

-- Addresses whose owners do not want emails, as keyed digests.
create table mail_opt_out (
  address bytea primary key,
  opted_out_at timestamptz not null
);

-- Waitlist ----------------------------------------------------------------------------------------

-- A request to be offered a place at a full slot. The API calls it a watch.
create table waitlist_entry (
  id uuid primary key,
  account_id uuid not null references account,
  venue_id uuid not null references venue,
  slot_time timestamp not null,
  flex_minutes smallint not null check (flex_minutes between 0 and 120),
  party_size integer not null check (party_size > 0),
  -- the service, the name of its sessions, the length in minutes and the leader that were asked for
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  -- the agent's reference for the guest, whose details are in `booking_guest` under this id
  guest_ref text,
  -- the earliest and latest start of an offered slot
  earliest timestamptz not null,
  latest timestamptz not null,
  -- how long it waits, and how long its offered holds last
  until timestamptz not null,
  hold_seconds integer not null check (hold_seconds > 0),
  status text not null
    check (status in ('watching', 'offered', 'fulfilled', 'cancelled', 'expired')),
  reason_code text,
  -- since when it has waited, which determines its position in the venue's queue
  queued_at timestamptz not null,
  -- how many offered holds have lapsed
  turns_missed smallint not null default 0,
  -- the hold that it was offered or that was confirmed
  hold_id uuid references booking,
  -- its number among the account's live entries; null once it has ended
  nth smallint,
  door text not null,
  from_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint waitlist_entry_span check (latest >= earliest),
  constraint waitlist_entry_until check (until <= latest),
  constraint waitlist_entry_live check ((status in ('watching', 'offered')) = (nth is not null)),
  constraint waitlist_entry_hold check (status <> 'offered' or hold_id is not null),
  -- at most 20 live entries per account
  constraint waitlist_entry_limit check (nth between 1 and 20),
  constraint waitlist_entry_nth unique (account_id, nth)
);
create index waitlist_entry_account_id_id_idx on waitlist_entry (account_id, id desc);
create unique index waitlist_entry_hold_id_idx on waitlist_entry (hold_id);
create index waitlist_entry_queue on waitlist_entry (venue_id, queued_at, id)
  where status = 'watching';
create index waitlist_entry_until_idx on waitlist_entry (until) where nth is not null;

-- A place offered to an entry: the hold, the booking whose end freed the place, and whether the
-- hold's workflow was started.
create table waitlist_turn (
  hold_id uuid primary key references booking,
  entry_id uuid not null references waitlist_entry,
  -- null for a place that became free without a booking ending
  freed_by uuid references booking,
  offered_at timestamptz not null,
  is_started boolean not null default false
);
create index waitlist_turn_freed_by_idx on waitlist_turn (freed_by) where not is_started;
create index waitlist_turn_offered_at_idx on waitlist_turn (offered_at) where not is_started;

-- When a venue with a queue was last checked for places that became free without a booking ending.
-- Separate from the entries, because an entry locked for a moment would lose its turn.
create table waitlist_venue (
  venue_id uuid primary key references venue,
  checked_at timestamptz not null
);

-- Webhooks ----------------------------------------------------------------------------------------

-- The number of an account's last event.
create table event_counter (
  account_id uuid primary key references account,
  last bigint not null
);

-- An event, stored in the transaction of the step that it reports. Events about endpoints have no
-- booking.
create table event (
  account_id uuid not null references account,
  number bigint not null,
  id uuid not null unique,
  type text not null,
  booking_id uuid references booking,
  transition_id text,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, number),
  foreign key (booking_id, transition_id) references transition,
  unique (booking_id, transition_id, type),
  constraint event_of_step check ((booking_id is null) = (transition_id is null))
);
create index event_public on event (id) where type = 'booking.confirmed';

-- Where an account wants its events delivered.
create table endpoint (
  id uuid primary key,
  account_id uuid not null references account,
  -- its number among the account's endpoints; null once it is deleted
  nth smallint check (nth between 1 and 50),
  url text not null check (char_length(url) <= 2048),
  description text not null default '' check (char_length(description) <= 500),
  -- `*`, a type, or all types of a subject, such as `booking.*`
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  -- headers sent with each request: the names in the clear, the names with their values sealed
  header_names text[] not null default '{}',
  headers text,
  rate_per_second smallint check (rate_per_second between 1 and 1000),
  -- one delivery at a time, in the order of events
  is_fifo boolean not null default false,
  -- unverified: it must prove itself, perhaps again, before anything is sent to it
  status text not null check (status in ('unverified', 'active', 'paused', 'disabled')),
  -- why it has this status: `url_changed`, `owner`, `gone`, `failing`
  status_reason text,
  -- what its owner repeats, or its receiver signs, to prove that the address is theirs
  challenge text not null,
  -- when it first proved itself: events since then are stored for it
  verified_at timestamptz,
  -- when its present address proved itself; null until then
  proved_at timestamptz,
  -- the last number given to a delivery; by these, a receiver sees that none is missing
  sequence bigint not null default 0,
  -- since when every attempt has failed; null if the last one succeeded
  failing_since timestamptz,
  -- the time of the last failure, to within a quarter of an hour
  failed_at timestamptz,
  warned_at timestamptz,
  -- the incident about which its owner was last emailed; null before the first email
  mailed_about text,
  -- when sending may continue, and why not before: `breaker`, `retry_after`, or `fifo` while the
  -- first in order awaits its next attempt
  wait_until timestamptz,
  wait_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- when its workflow noticed the deletion; until then, the sweep wakes it
  ended_at timestamptz,
  unique (account_id, nth),
  constraint endpoint_wait check ((wait_until is null) = (wait_reason is null)),
  constraint endpoint_active_verified check (status <> 'active' or verified_at is not null)
);
create index endpoint_account_id_id_idx on endpoint (account_id, id desc)
  where deleted_at is null;
create index endpoint_id_idx on endpoint (id) where status = 'active' and deleted_at is null;
create index endpoint_in_trouble on endpoint (failing_since, id)
  where deleted_at is null and (failing_since is not null or status = 'disabled');

-- What an endpoint's owner or an operator did to it; each id and name takes effect once. Operators
-- use an incident's number as the id: the same for a pause and for its end.
create table endpoint_command (
  endpoint_id uuid not null references endpoint on delete cascade,
  id text not null check (char_length(id) between 1 and 100),
  name text not null,
  at timestamptz not null,
  primary key (endpoint_id, id, name)
);
create index endpoint_command_at_idx on endpoint_command (at);

-- A secret that signs an endpoint's deliveries: all keys valid at the time of an attempt sign it,
-- newest first.
create table signing_key (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  -- sealed
  secret text not null,
  -- false: an operator created it, and its owner has not seen the secret yet
  is_shown boolean not null default true,
  -- null while it is staged
  valid_from timestamptz,
  -- null for the newest
  valid_until timestamptz,
  created_at timestamptz not null,
  constraint signing_key_valid check (valid_until is null or valid_from is not null)
);
create index signing_key_endpoint_id_valid_until_idx on signing_key (endpoint_id, valid_until);
create unique index signing_key_one_newest on signing_key (endpoint_id)
  where valid_from is not null and valid_until is null;
create unique index signing_key_one_staged on signing_key (endpoint_id) where valid_from is null;

-- A request to deliver events again, by ascending number; new events take precedence.
create table replay (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  account_id uuid not null references account,
  status text not null check (status in ('running', 'paused', 'cancelled', 'completed')),
  -- the events to replay, as requested
  filter jsonb not null,
  -- the number of the last event read, and of the last one to read
  cursor bigint not null,
  until_number bigint not null,
  per_second smallint not null check (per_second between 1 and 1000),
  -- the earliest time for the next page
  next_at timestamptz not null,
  -- how many events matched at the start, and how many have been queued so far
  total bigint not null,
  queued bigint not null default 0,
  -- events that were pending or in flight when their turn came
  skipped bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index replay_endpoint_id_id_idx on replay (endpoint_id, id desc);
create unique index replay_one_at_a_time on replay (endpoint_id)
  where status in ('running', 'paused');

-- One event for one endpoint, however often it is attempted or replayed.
create table delivery (
  id uuid primary key,
  endpoint_id uuid not null references endpoint,
  account_id uuid not null,
  event_number bigint not null,
  event_type text not null,
  -- pending deliveries to an endpoint that is not active are held
  status text not null
    check (status in ('pending', 'sending', 'delivered', 'failed', 'discarded', 'expired')),
  -- set when the body is first built, and kept
  sequence bigint,
  body text,
  -- attempts in the schedule, and attempts of any kind
  tries smallint not null default 0,
  attempts integer not null default 0,
  -- the time of the next attempt; null if there is none
  due_at timestamptz,
  -- it fails if it has not arrived by then
  give_up_at timestamptz not null,
  -- when it first arrived, regardless of replays
  delivered_at timestamptz,
  -- the replay that queued it again
  replay_id uuid references replay on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (account_id, event_number) references event,
  constraint delivery_due_pending check ((status = 'pending') = (due_at is not null)),
  constraint delivery_numbered check ((sequence is null) = (body is null)),
  constraint delivery_once unique (endpoint_id, event_number),
  constraint delivery_sequence unique (endpoint_id, sequence)
);
create index delivery_due on delivery (endpoint_id, (replay_id is not null), due_at, event_number)
  where status = 'pending';
create index delivery_sending on delivery (endpoint_id) where status = 'sending';
-- the few deliveries that await another attempt, among any number that await their first
create index delivery_in_trouble on delivery (endpoint_id, event_number)
  where status = 'pending' and tries > 0;
-- lists are read by endpoint, even those of a whole account
create index delivery_endpoint_id_status_event_number_idx
  on delivery (endpoint_id, status, event_number desc);
create index delivery_by_type on delivery (endpoint_id, event_type, event_number desc);
create index delivery_by_time on delivery (endpoint_id, created_at) include (id, event_number);
create index delivery_replay_id_status_idx on delivery (replay_id, status)
  where replay_id is not null;
-- without this index, erasing an event would read the whole table
create index delivery_of_event on delivery (account_id, event_number);
create index delivery_updated_at_idx on delivery (updated_at)
  where status not in ('pending', 'sending');

-- One request to a subscriber, stored before it is sent.
create table attempt (
  id uuid primary key,
  -- null for a challenge, which belongs to no event
  delivery_id uuid references delivery on delete cascade,
  endpoint_id uuid not null references endpoint,
  -- counts the delivery's attempts from 1; the second process with the same number does not send
  number integer not null,
  cause text not null
    check (cause in ('schedule', 'probe', 'replay', 'retry', 'test', 'challenge')),
  status text not null check (status in ('sending', 'succeeded', 'failed', 'unknown')),
  started_at timestamptz not null,
  -- the signed timestamp, in seconds by the sender's clock; null for a challenge
  signed_at timestamptz,
  ms integer,
  http_status smallint,
  -- the category of failure: why there is no answer, or why it does not count
  failure text,
  response_headers jsonb,
  -- the first 16 kB
  response_body text,
  response_truncated boolean,
  -- the URL at the time, and the ids of the keys that signed the request
  url text not null,
  signed_with uuid[] not null,
  -- the time of the delivery's next attempt, and the rule behind it
  next_at timestamptz,
  next_rule text,
  constraint attempt_once unique (delivery_id, number)
);
create index attempt_endpoint_id_started_at_id_idx
  on attempt (endpoint_id, started_at desc, id desc);
create index attempt_open on attempt (endpoint_id) where status = 'sending';
create index attempt_started_at_idx on attempt (started_at) where delivery_id is null;

-- Deliveries settled before this have been erased: if an older event has no delivery, it is unknown
-- whether it was delivered.
create table delivery_erasure (
  is_only boolean primary key default true check (is_only),
  erased_before timestamptz not null
);

-- Agents and the feed -----------------------------------------------------------------------------

-- A registered agent.
create table agent (
  name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
  account_id uuid references account,
  description text not null,
  capabilities text[] not null,
  version text not null default '1.0.0',
  card_url text,
  a2a_url text,
  mcp_url text,
  homepage text,
  is_public boolean not null,
  -- why an operator took the agent down
  taken_down_reason text,
  -- the words by which searches find it
  document tsvector not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- the account keeps the name
  deleted_at timestamptz,
  constraint agent_taken_down_is_private check (not is_public or taken_down_reason is null)
);
-- Names are unique regardless of case, so that nobody can pass for another by a capital letter.
create unique index agent_one_name on agent (lower(name));
create index agent_of_account on agent (account_id, name collate "C") where account_id is not null;
create index agent_public on agent (name collate "C") where is_public and deleted_at is null;
create index agent_document on agent using gin (document) where is_public and deleted_at is null;

create type uuid_range as range (subtype = uuid);

-- Who has sent a name as `from`, and who has registered it. Several accounts can send a name that
-- nobody has registered. A registration excludes all others: it overlaps with every other row for
-- its name, so the constraint permits it only if there is none.
create table agent_name (
  name text not null check (name = lower(name)),
  account_id uuid not null references account,
  is_registered boolean not null,
  used_at timestamptz not null,
  primary key (name, account_id),
  constraint agent_name_of_one exclude using gist (name with =, (
    case when is_registered then uuid_range(null, null)
    else uuid_range(account_id, account_id, '[]') end
  ) with &&)
);
-- counts the names of an account
create index agent_name_account on agent_name (account_id) where not is_registered;
-- finds names that nobody has sent for a long time
create index agent_name_used on agent_name (used_at) where not is_registered;

-- Incremented in the transaction in which a name gets an owner: a process that has read up to a
-- version knows all owners at that version.
create table agent_registry (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into agent_registry (version) values (0);

-- The feed, in the order of publication. Times are no finer than the hour.
create table activity (
  number bigint generated always as identity primary key,
  type text not null check (type in ('venue.added', 'slot.opened', 'booking.confirmed')),
  venue_id uuid not null references venue,
  hour timestamptz not null check (hour = date_trunc('hour', hour, 'UTC')),
  unique (venue_id, type, hour)
);
create index activity_hour_idx on activity (hour) where type <> 'venue.added';

-- New venues not yet in the feed. Without a key, so that writers never wait for each other.
create table unpublished_venue (
  venue_id uuid not null,
  hour timestamptz not null
);

-- Slots that became free but are not yet in the feed.
create table unpublished_slot (
  venue_id uuid not null,
  hour timestamptz not null
);

-- Bookings and free slots of earlier hours have been published; the publisher locks the row.
create table feed_clock (
  only_row boolean primary key default true check (only_row),
  published_until timestamptz not null
);
insert into feed_clock (published_until)
  values (date_trunc('hour', now(), 'UTC') - interval '30 days');

-- Ledger ------------------------------------------------------------------------------------------

-- Money, by account and currency. An entry moves an amount from the ledger account `credit` to the
-- ledger account `debit`, so any set of entries balances. A source posts each kind at most once.
-- Entries are never changed: a mistake is corrected by another entry.
create table ledger_entry (
  id uuid primary key,
  account_id uuid not null references account,
  currency char(3) not null,
  kind text not null check (kind in ('accrued', 'reversed', 'invoiced', 'paid', 'refunded',
    'credited', 'corrected')),
  debit text not null check (debit in ('unbilled', 'receivable', 'revenue', 'cash', 'credit',
    'goodwill', 'exchange')),
  credit text not null check (credit in ('unbilled', 'receivable', 'revenue', 'cash', 'credit',
    'goodwill', 'exchange')),
  amount_minor bigint not null check (amount_minor > 0),
  -- what the entry is about, such as `fee` and the id of a fee entry
  source_kind text not null check (source_kind ~ '^[a-z][a-z0-9_]*$'),
  source_id uuid not null,
  at timestamptz not null,
  note text check (length(note) between 1 and 500),
  constraint ledger_entry_moves check (debit <> credit),
  -- an accrual has been earned but not yet billed; a reversal is its opposite
  constraint ledger_entry_accrual check (
    kind <> 'accrued' or (debit, credit) = ('unbilled', 'revenue')),
  constraint ledger_entry_reversal check (
    kind <> 'reversed' or (debit, credit) = ('revenue', 'unbilled')),
  constraint ledger_entry_once unique (source_kind, source_id, kind)
);
create index ledger_entry_of_account on ledger_entry (account_id, at desc, id desc);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of % are never changed: add one that corrects it', tg_table_name;
end
$$;
create trigger ledger_entry_is_fixed before update or delete or truncate on ledger_entry
  for each statement execute function refuse_ledger_change();

-- A fee enters the ledger when it accrues, in the same transaction and round trip. Live accounts'
-- fees at demo venues are never invoiced, so they do not count as money.
create function post_fee() returns trigger language plpgsql as $$
begin
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at)
  select gen_random_uuid(), new.account_id, new.currency,
    case new.kind when 'accrual' then 'accrued' else 'reversed' end,
    case new.kind when 'accrual' then 'unbilled' else 'revenue' end,
    case new.kind when 'accrual' then 'revenue' else 'unbilled' end,
    new.amount_minor, 'fee', new.id, new.created_at
  where new.amount_minor > 0 and (not new.is_demo
    or (select mode from account where id = new.account_id) = 'test');
  return null;
end
$$;
create trigger fee_in_ledger after insert on fee_entry
  for each row execute function post_fee();

-- So does the charge for a month on pro.
create function post_plan_period() returns trigger language plpgsql as $$
begin
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at)
  select gen_random_uuid(), new.account_id, new.currency, 'accrued', 'unbilled', 'revenue',
    new.amount_minor, 'plan_period', new.id, new.created_at
  where new.amount_minor > 0;
  return null;
end
$$;
create trigger plan_period_in_ledger after insert on plan_period
  for each row execute function post_plan_period();

-- What an account owes for a month in one currency. Each account's invoices are numbered without
-- gaps, since each refers to the previous number. A credit note reverses an incorrect invoice. Only
-- an invoice's payment status ever changes.
create table invoice (
  id uuid primary key,
  account_id uuid not null references account,
  kind text not null check (kind in ('invoice', 'credit_note')),
  sequence integer not null check (sequence > 0),
  previous integer generated always as (nullif(sequence - 1, 0)) stored,
  number text not null unique,
  -- the first day of the month (UTC)
  month date not null check (extract(day from month) = 1),
  currency char(3) not null,
  -- the sum of the lines; negative if more was reversed than accrued, and in every credit note
  total_minor bigint not null,
  -- the part of `paid_minor` that came from the account's credit when the invoice was issued
  credit_minor bigint not null,
  paid_minor bigint not null,
  status text not null check (status in ('open', 'paid', 'void')),
  issued_at timestamptz not null,
  due_at timestamptz not null,
  paid_at timestamptz,
  voided_at timestamptz,
  -- the invoice that a credit note reverses
  credits uuid unique references invoice,
  unique (account_id, sequence),
  constraint invoice_no_gap foreign key (account_id, previous)
    references invoice (account_id, sequence),
  constraint invoice_credit check (credit_minor between 0 and greatest(total_minor, 0)),
  constraint invoice_payment check (
    paid_minor between credit_minor and greatest(total_minor, 0)),
  constraint invoice_credit_note check ((kind = 'credit_note') = (credits is not null)),
  constraint invoice_negative check (kind = 'invoice' or total_minor < 0),
  constraint invoice_paid_whole check (
    status = 'void' or (status = 'paid') = (paid_minor = greatest(total_minor, 0))),
  constraint invoice_paid_at check ((status = 'paid') = (paid_at is not null)),
  constraint invoice_voided_at check ((status = 'void') = (voided_at is not null))
);
create unique index invoice_once on invoice (account_id, month, currency)
  where kind = 'invoice';
create index invoice_open on invoice (due_at) where status = 'open';

-- A line as it was when invoiced, because bookings and venues change. An entry is invoiced once.
create table invoice_line (
  invoice_id uuid not null references invoice,
  position integer not null,
  -- null in a credit note
  entry_id uuid unique references ledger_entry,
  kind text not null check (kind in ('fee', 'reversal', 'pro', 'adjustment', 'credit_note')),
  -- the venue, or what else is charged
  description text not null,
  booking_id uuid references booking,
  slot_time timestamp,
  timezone text,
  party_size integer,
  base_minor bigint,
  pct numeric(5, 2),
  -- negative in favour of the account
  amount_minor bigint not null,
  at timestamptz not null,
  primary key (invoice_id, position),
  constraint invoice_line_of_entry check ((kind = 'credit_note') = (entry_id is null))
);
create index invoice_line_booking on invoice_line (booking_id) where booking_id is not null;

-- A short form of the account's id, and the account's own numbering: INV-3F9A1C22B7D0-0001.
create function invoice_number(account_id uuid, sequence integer) returns text
  language sql immutable as $$
  select 'INV-' || upper(right(account_id::text, 12)) || '-'
    || lpad(sequence::text, greatest(4, length(sequence::text)), '0')
$$;

create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  -- `previous` is not computed yet
  if tg_op = 'UPDATE' and old.status = 'open'
    and to_jsonb(new) - array['status', 'paid_minor', 'paid_at', 'voided_at', 'previous']
      = to_jsonb(old) - array['status', 'paid_minor', 'paid_at', 'voided_at', 'previous']
    and new.paid_minor >= old.paid_minor
  then return new;
  end if;
  raise exception 'invoice % is issued: only its payment changes', old.number;
end
$$;
create trigger invoice_is_fixed before update or delete on invoice
  for each row execute function refuse_invoice_change();
create trigger invoice_line_is_fixed before update or delete or truncate on invoice_line
  for each statement execute function refuse_ledger_change();

-- Payments ----------------------------------------------------------------------------------------

-- An account as a payment provider knows it: the provider's ids, never a card's number.
create table payment_customer (
  account_id uuid not null references account,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  customer_id text not null check (length(customer_id) between 1 and 255),
  -- the account's payment method; null until it has saved one
  method_id text check (length(method_id) between 1 and 255),
  -- how its owner recognises it: the brand, and the last digits
  card_brand text check (length(card_brand) between 1 and 50),
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- the page on which it saves one
  setup_id uuid unique,
  setup_page_id text check (length(setup_page_id) between 1 and 255),
  updated_at timestamptz not null,
  primary key (account_id, provider)
);

-- An attempt to pay what is due: a month of pro in advance, an invoice, or the fee of a booking
-- whose account pays each with its card. A new month of pro is charged only when it is paid, so
-- `due_id` is null until then.
create table payment (
  id uuid primary key,
  account_id uuid not null references account,
  purpose text not null check (purpose in ('pro', 'invoice', 'booking')),
  due_id uuid,
  plan_period_id uuid generated always as (case purpose when 'pro' then due_id end) stored
    references plan_period,
  invoice_id uuid generated always as (case purpose when 'invoice' then due_id end) stored
    references invoice,
  booking_id uuid generated always as (case purpose when 'booking' then due_id end) stored
    references request,
  amount_minor bigint not null check (amount_minor > 0),
  currency char(3) not null,
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  provider_id text check (length(provider_id) between 1 and 255),
  page_id text check (length(page_id) between 1 and 255),
  page_url text check (length(page_url) between 1 and 4000),
  -- created: the page awaits the customer; processing: sent to the provider; unknown: no answer;
  -- authorized: reserved on the card until its booking is decided
  state text not null check (
    state in ('created', 'processing', 'succeeded', 'failed', 'unknown', 'authorized')),
  reason text check (length(reason) between 1 and 200),
  -- customer: requested by a person; network: made when it was due
  made_by text not null check (made_by in ('customer', 'network')),
  idempotency_key text not null unique,
  -- paid a second time, so it must be refunded
  is_surplus boolean not null default false,
  refunded_minor bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint payment_of_due check (purpose = 'pro' or due_id is not null),
  constraint payment_success check (
    state <> 'succeeded' or (due_id is not null or is_surplus) and provider_id is not null),
  constraint payment_refund check (refunded_minor >= 0 and refunded_minor <= amount_minor),
  constraint payment_refund_paid check (refunded_minor = 0 or state = 'succeeded'),
  constraint payment_provider_id unique (provider, provider_id)
);
create index payment_of_account on payment (account_id, id desc);
-- Each debt is paid only once, and by one attempt at a time.
create unique index payment_settles_once on payment (due_id)
  where state = 'succeeded' and not is_surplus;
create unique index payment_in_flight on payment (due_id)
  where state in ('created', 'processing', 'unknown', 'authorized');
create unique index payment_of_booking on payment (booking_id)
  where state in ('processing', 'unknown', 'authorized', 'succeeded');
create index payment_authorized on payment (id) where state = 'authorized';
create unique index payment_of_pro_in_flight on payment (account_id)
  where purpose = 'pro' and state in ('created', 'processing', 'unknown');
create index payment_undecided on payment (updated_at)
  where state in ('created', 'processing', 'unknown');

-- Money once received stays recorded as received: it is returned by a refund.
create function refuse_unpaid() returns trigger language plpgsql as $$
begin
  if old.state = 'succeeded' and new.state <> 'succeeded' then
    raise exception 'payment % has succeeded: refund it', old.id;
  end if;
  return new;
end
$$;
create trigger payment_stays_paid before update on payment
  for each row execute function refuse_unpaid();

-- Money returned to a customer.
create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  amount_minor bigint not null check (amount_minor > 0),
  state text not null check (state in ('processing', 'succeeded', 'failed', 'unknown')),
  provider_id text unique check (length(provider_id) between 1 and 255),
  -- why it was made, and why it failed
  note text not null check (length(note) between 1 and 500),
  reason text check (length(reason) between 1 and 200),
  idempotency_key text not null unique,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index refund_of_payment on refund (payment_id);
create index refund_undecided on refund (updated_at) where state in ('processing', 'unknown');

-- Events from a provider, recorded so that each takes effect once.
create table provider_event (
  provider text not null check (provider ~ '^[a-z][a-z0-9_]*$'),
  id text not null check (length(id) between 1 and 255),
  type text not null check (length(type) between 1 and 255),
  received_at timestamptz not null,
  primary key (provider, id)
);
create index provider_event_age on provider_event (received_at);

-- Debts whose charge has failed. `next_at` is null once the debt is paid or pro has ended.
create table dunning (
  due_id uuid primary key,
  purpose text not null check (purpose in ('pro', 'invoice')),
  plan_period_id uuid generated always as (case purpose when 'pro' then due_id end) stored
    references plan_period,
  invoice_id uuid generated always as (case purpose when 'invoice' then due_id end) stored
    references invoice,
  account_id uuid not null references account,
  failures integer not null check (failures > 0),
  reason text not null check (length(reason) between 1 and 200),
  -- the first failure
  since timestamptz not null,
  -- the next charge or, after the last one, the end of pro
  next_at timestamptz,
  pro_ended_at timestamptz,
  paid_at timestamptz,
  -- how many emails are due, and how many were sent
  notices integer not null check (notices >= 0),
  mailed integer not null default 0,
  constraint dunning_mails check (mailed >= 0 and mailed <= notices),
  constraint dunning_next check (next_at is null or (paid_at is null and pro_ended_at is null))
);
create index dunning_due on dunning (next_at) where next_at is not null;
create index dunning_unmailed on dunning (due_id) where mailed < notices;
create index dunning_unpaid on dunning (account_id)
  where pro_ended_at is not null and paid_at is null;

-- Pages and charges of the local payment provider. No money moves there.
create table local_charge (
  id uuid primary key,
  idempotency_key text not null unique,
  customer_id text not null,
  -- null on a page on which a customer saves a card
  amount_minor bigint check (amount_minor > 0),
  currency char(3),
  description text not null,
  -- null for a charge to a saved card
  return_url text,
  card text check (card in ('works', 'declined', 'asks', 'silent')),
  state text not null check (state in ('open', 'closed', 'succeeded', 'failed', 'authorized')),
  -- until then, the provider does not answer queries about it
  silent_until timestamptz,
  refunded_minor bigint not null default 0,
  created_at timestamptz not null,
  constraint local_charge_refund check (refunded_minor between 0 and amount_minor),
  constraint local_charge_amount check ((amount_minor is null) = (currency is null))
);

-- x402 --------------------------------------------------------------------------------------------

-- The account of a wallet that has paid without a key, found by the wallet's address.
create table x402_payer (
  network text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  account_id uuid not null unique references account,
  created_at timestamptz not null,
  primary key (network, address)
);

-- The payment of one booking's fee by x402. `amount` is in the smallest unit of `asset`;
-- `price_minor`, `currency` and `rate` are what it was converted from.
create table x402_payment (
  id uuid primary key,
  account_id uuid not null references account,
  booking_id uuid not null unique references request (booking_id),
  network text not null,
  payer text not null check (payer ~ '^0x[0-9a-f]{40}$'),
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  payload jsonb not null,
  payload_hash bytea not null,
  requirements jsonb not null,
  requirements_hash bytea not null,
  asset text not null,
  amount bigint not null check (amount > 0),
  price_minor bigint not null check (price_minor >= 0),
  currency char(3) not null,
  rate numeric not null check (rate > 0),
  valid_before timestamptz not null,
  state text not null check (
    state in ('verified', 'settling', 'unknown', 'settled', 'failed', 'refund_due', 'refunded')),
  attempts integer not null default 0,
  transaction text,
  error text,
  refund_reason text,
  refund_transaction text,
  -- when a failed payment was checked again, after its authorisation had lapsed
  checked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (network, payer, nonce),
  unique (network, transaction),
  constraint x402_payment_proof check (
    (state in ('settled', 'refund_due', 'refunded')) = (transaction is not null)),
  constraint x402_payment_refund check ((state = 'refunded') = (refund_transaction is not null)),
  constraint x402_payment_failure check (state <> 'failed' or error is not null),
  -- Lookups on a node cover the 15 minutes before it (x402/steps/look-up-on-chain.ts).
  constraint x402_payment_bounded check (
    valid_before > created_at and valid_before <= created_at + interval '15 minutes')
);
create index x402_payment_account on x402_payment (account_id, created_at);
create index x402_payment_open on x402_payment (updated_at)
  where state not in ('settled', 'failed', 'refunded');
create index x402_payment_unchecked on x402_payment (id)
  where state = 'failed' and checked_at is null and attempts > 0;

-- States only move forward: a settled payment stays settled or is returned. If an authorisation
-- failed but was then used by somebody who had seen it, a refund is due.
create function check_x402_move() returns trigger language plpgsql as $$
begin
  if new.state = old.state or (old.state, new.state) in (
    ('verified', 'settling'), ('verified', 'failed'),
    ('settling', 'settled'), ('settling', 'unknown'), ('settling', 'failed'),
    ('unknown', 'settling'), ('unknown', 'settled'), ('unknown', 'failed'),
    ('settled', 'refund_due'), ('refund_due', 'refunded'), ('failed', 'refund_due'))
  then
    return new;
  end if;
  raise exception 'a payment cannot move from % to %', old.state, new.state
    using errcode = 'check_violation';
end
$$;
create trigger forward before update of state on x402_payment
  for each row execute function check_x402_move();

-- A booking that must be paid first does not reach its venue, and is not confirmed, before its
-- payment is settled, or its fee authorised on a card, whatever its account's tier by then. Money
-- being refunded does not count.
create function require_paid() returns trigger language plpgsql as $$
begin
  if exists (
    select from request r join venue v on v.id = r.venue_id
      left join x402_payment p on p.booking_id = r.booking_id
    where r.booking_id = new.id and ((r.paid_by = 'x402' or p.id is not null)
      and p.state is distinct from 'settled' or r.paid_by = 'card' and not v.is_demo
      and not exists (select from payment c
        where c.booking_id = new.id and c.state in ('authorized', 'succeeded'))))
  then
    raise exception 'the payment of booking % is not settled', new.id
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger paid_first after update of status on booking
  for each row when (new.status in ('pending', 'confirmed') and old.status = 'held')
  execute function require_paid();

-- If a booking ends without a fee, its payment must be refunded. A payment in an unknown state
-- counts as failed, and is checked once its authorisation has lapsed. What a card has paid is sent
-- back by the pass over refunds; what is only authorised, the sweep releases.
create function end_payment() returns trigger language plpgsql as $$
begin
  with surplus as (
    update payment set is_surplus = true, refunded_minor = amount_minor
    where booking_id = new.id and state = 'succeeded' and refunded_minor < amount_minor
    returning with (old as before) id,
      before.amount_minor - before.refunded_minor as amount_minor
  )
  insert into refund (id, payment_id, amount_minor, state, note, idempotency_key, created_at,
    updated_at)
  select s.refund_id, s.id, s.amount_minor, 'processing', 'The booking costs nothing',
    'refund:' || s.refund_id, new.updated_at, new.updated_at
  from (select gen_random_uuid() as refund_id, id, amount_minor from surplus) s;
  update x402_payment set state = 'refund_due', refund_reason = new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state = 'settled';
  update x402_payment set state = 'failed', error = 'booking_' || new.status,
    updated_at = new.updated_at
  where booking_id = new.id and state in ('verified', 'settling', 'unknown');
  return null;
end
$$;
create trigger ended_unpaid after update of status on booking
  for each row when (
    new.status in ('declined', 'expired', 'cancelled', 'released', 'failed')
    and new.status <> old.status and new.fee_status in ('none', 'reversed'))
  execute function end_payment();

-- A request that is refused before it holds inventory is free of charge.
create function lapse_x402_payment() returns trigger language plpgsql as $$
begin
  update x402_payment set state = 'failed', error = new.answer #>> '{refusal,code}',
    updated_at = now()
  where booking_id = new.booking_id and state = 'verified';
  return null;
end
$$;
create trigger refused_unpaid after update of answer on request
  for each row when (old.answer is null and new.answer ? 'refusal')
  execute function lapse_x402_payment();

-- Payments by x402 in the ledger, in the transaction that changes their state. Incoming money is
-- cash in USDC (`XUC`, in millionths), exchanged for account credit in the price's currency, which
-- pays the fee when its month closes. A refund is the opposite: the credit ends when the refund is
-- due, the cash when it is sent. Fees at demo venues do not count as money, nor do payments for
-- them.
create function post_x402(
  payment x402_payment, kind text, source text, currency text, debit text, credit text,
  minor bigint
) returns void language sql as $$
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at, note)
  select gen_random_uuid(), payment.account_id, currency, kind, debit, credit, minor, source,
    payment.id, payment.updated_at, payment.transaction
  where minor > 0 and not exists (
    select from request r join venue v on v.id = r.venue_id
    where r.booking_id = payment.booking_id and v.is_demo)
  on conflict on constraint ledger_entry_once do nothing
$$;

create function post_x402_move() returns trigger language plpgsql as $$
begin
  if old.transaction is null and new.transaction is not null then
    perform post_x402(new, 'paid', 'x402_cash', 'XUC', 'cash', 'exchange', new.amount);
  end if;
  if new.state = 'settled' then
    perform post_x402(new, 'paid', 'x402', new.currency, 'exchange', 'credit', new.price_minor);
  elsif new.state = 'refund_due' and old.state = 'settled' then
    perform post_x402(new, 'refunded', 'x402', new.currency, 'credit', 'exchange', new.price_minor);
  elsif new.state = 'refunded' then
    perform post_x402(new, 'refunded', 'x402_cash', 'XUC', 'exchange', 'cash', new.amount);
  end if;
  return null;
end
$$;
create trigger payment_in_ledger after update of state on x402_payment
  for each row when (new.state <> old.state)
  execute function post_x402_move();

-- Test wallets of the local facilitator.
create table x402_local_wallet (
  network text not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  balance bigint not null check (balance >= 0),
  primary key (network, address)
);

-- Transfers between test wallets.
create table x402_local_transfer (
  hash text primary key,
  network text not null,
  sender text not null,
  recipient text not null,
  amount bigint not null check (amount > 0),
  nonce text not null,
  at timestamptz not null,
  unique (network, sender, nonce)
);

-- Sandboxes ---------------------------------------------------------------------------------------

-- How often the built-in system of test venues was called about a booking, or to withdraw it.
create table sandbox_call (
  booking_id uuid not null references booking,
  is_cancel boolean not null,
  calls integer not null check (calls > 0),
  first_at timestamptz not null,
  primary key (booking_id, is_cancel)
);
create index sandbox_call_first_at_idx on sandbox_call (first_at);

-- A response that a test venue will send once it is due, deleted when sent.
create table sandbox_reply (
  booking_id uuid not null references booking,
  status text not null,
  reason text,
  offered_slot_time timestamp,
  account_id uuid not null references account,
  due_at timestamptz not null,
  primary key (booking_id, status)
);
create index sandbox_reply_account_id_due_at_idx on sandbox_reply (account_id, due_at);
create index sandbox_reply_due_at_idx on sandbox_reply (due_at);

-- Clocks ------------------------------------------------------------------------------------------

-- The clock of a sandbox that does not use real time. It ticks like any clock, ahead of real time
-- by as much as its owner has advanced it, or behind if it shows the past.
create table test_clock (
  account_id uuid primary key references account,
  name text not null,
  ahead_ms bigint not null,
  created_at timestamptz not null,
  -- the time to which it is moving; null once everything due by then is done
  advancing_to timestamptz,
  -- the time to which it was last moved, so that a repeated request changes nothing
  advanced_to timestamptz,
  constraint test_clock_advance check (
    advancing_to is null or advanced_to is not distinct from advancing_to)
);
create index test_clock_advancing on test_clock (account_id) where advancing_to is not null;

-- Which of an account's test clocks is moving: only one at a time, across all processes. A row that
-- was not deleted in time was left by a process that died.
create table clock_turn (
  live_account_id uuid primary key references account,
  clock_id uuid not null references test_clock on delete cascade,
  until timestamptz not null
);
create index clock_turn_clock on clock_turn (clock_id);
