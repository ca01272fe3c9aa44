-- What the migrations make, for comparison. Written by npm run check -- --write.

create extension btree_gin;

create extension btree_gist;

create extension pg_trgm;

create type uuid_range as range (subtype = uuid);

CREATE OR REPLACE FUNCTION public.check_itinerary()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.check_x402_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.end_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.invoice_number(account_id uuid, sequence integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 'INV-' || upper(right(account_id::text, 12)) || '-'
    || lpad(sequence::text, greatest(4, length(sequence::text)), '0')
$function$
;

CREATE OR REPLACE FUNCTION public.keep_test_apart()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  at_test_venue boolean;
begin
  select is_test into at_test_venue from venue where id = new.venue_id for key share;
  if (select mode = 'test' from account where id = new.account_id) is distinct from at_test_venue
  then raise exception 'test and live never meet: account %, venue %', new.account_id, new.venue_id;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.lapse_x402_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update x402_payment set state = 'failed', error = new.answer #>> '{refusal,code}',
    updated_at = now()
  where booking_id = new.booking_id and state = 'verified';
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.learn_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$
;

CREATE OR REPLACE FUNCTION public.map_point(longitude double precision, latitude double precision)
 RETURNS point
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN point(longitude, degrees(ln(tan(radians(((45)::double precision + (LEAST(GREATEST(latitude, ('-85'::integer)::double precision), (85)::double precision) / (2)::double precision)))))))
;

CREATE OR REPLACE FUNCTION public.place_venue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select map_point(new.longitude, new.latitude) <-> map_point(a.longitude, a.latitude)
    into new.off_centre from area a where a.slug = new.area_slug;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.plain_words(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN btrim(regexp_replace(replace(lower(regexp_replace(regexp_replace(NORMALIZE(name, NFKD), '[\u0300-\u036f''’]'::text, ''::text, 'g'::text), '[[:space:][:punct:]]+'::text, ' '::text, 'g'::text)), 'đ'::text, 'd'::text), '[[:space:]]+'::text, ' '::text, 'g'::text))
;

CREATE OR REPLACE FUNCTION public.post_fee()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.post_plan_period()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at)
  select gen_random_uuid(), new.account_id, new.currency, 'accrued', 'unbilled', 'revenue',
    new.amount_minor, 'plan_period', new.id, new.created_at
  where new.amount_minor > 0;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.post_x402_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.post_x402(payment x402_payment, kind text, source text, currency text, debit text, credit text, minor bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
    source_kind, source_id, at, note)
  select gen_random_uuid(), payment.account_id, currency, kind, debit, credit, minor, source,
    payment.id, payment.updated_at, payment.transaction
  where minor > 0 and not exists (
    select from request r join venue v on v.id = r.venue_id
    where r.booking_id = payment.booking_id and v.is_demo)
  on conflict on constraint ledger_entry_once do nothing
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% rows never change', tg_table_name;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_invoice_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_ledger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries of % are never changed: add one that corrects it', tg_table_name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_unpaid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state = 'succeeded' and new.state <> 'succeeded' then
    raise exception 'payment % has succeeded: refund it', old.id;
  end if;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.refuse_update()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'entries of % are never changed', tg_table_name;
end
$function$
;

CREATE OR REPLACE FUNCTION public.require_paid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$
;

CREATE OR REPLACE FUNCTION public.require_timeline_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'booking % was changed without an entry in its timeline', new.id;
end $function$
;

CREATE OR REPLACE FUNCTION public.set_paid_by()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select case when a.mode = 'test' then 'test' when a.tier = 'pro' then 'pro'
    when new.paid_by is distinct from 'x402' and exists (select from payment_customer c
      where c.account_id = a.id and c.method_id is not null) then 'card' else 'x402' end
  into new.paid_by from account a where a.id = new.account_id;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.time_of_id(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN to_timestamp((((((('x'::text || lpad("left"(replace((id)::text, '-'::text, ''::text), 12), 16, '0'::text)))::bit(64))::bigint)::numeric / 1000.0))::double precision)
;

create table account (
  id uuid not null,
  name text not null,
  tier text not null,
  requests_per_day integer,
  records_bodies boolean not null default true,
  mode text not null default 'live'::text,
  live_account_id uuid,
  sandbox_kind text,
  requires_factor boolean not null default false,
  invoiced_until timestamp with time zone,
  suspended_at timestamp with time zone,
  suspended_reason text,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint account_pkey PRIMARY KEY (id),
  constraint account_mode CHECK ((((mode = 'live'::text) AND (live_account_id IS NULL) AND (sandbox_kind IS NULL)) OR ((mode = 'test'::text) AND (live_account_id IS NOT NULL) AND (live_account_id <> id) AND (sandbox_kind = ANY (ARRAY['default'::text, 'clock'::text]))))),
  constraint account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint account_requests_per_day_check CHECK ((requests_per_day > 0)),
  constraint account_sandbox_of FOREIGN KEY (live_account_id) REFERENCES account(id),
  constraint account_suspension CHECK ((((suspended_at IS NULL) = (suspended_reason IS NULL)) AND ((length(suspended_reason) >= 1) AND (length(suspended_reason) <= 500)))),
  constraint account_tier_check CHECK ((tier = ANY (ARRAY['free'::text, 'pro'::text])))
);

create table account_limit (
  account_id uuid not null,
  live integer,
  per_venue_day integer,
  constraint account_limit_pkey PRIMARY KEY (account_id),
  constraint account_limit_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint account_limit_live_check CHECK ((live >= 0)),
  constraint account_limit_per_venue_day_check CHECK ((per_venue_day >= 0))
);

create table activity (
  number bigint not null generated always as identity,
  type text not null,
  venue_id uuid not null,
  hour timestamp with time zone not null,
  constraint activity_pkey PRIMARY KEY (number),
  constraint activity_hour_check CHECK ((hour = date_trunc('hour'::text, hour, 'UTC'::text))),
  constraint activity_type_check CHECK ((type = ANY (ARRAY['venue.added'::text, 'slot.opened'::text, 'booking.confirmed'::text]))),
  constraint activity_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id),
  constraint activity_venue_id_type_hour_key UNIQUE (venue_id, type, hour)
);

create table agent (
  name text not null,
  account_id uuid,
  description text not null,
  capabilities text[] not null,
  version text not null default '1.0.0'::text,
  card_url text,
  a2a_url text,
  mcp_url text,
  homepage text,
  is_public boolean not null,
  taken_down_reason text,
  document tsvector not null default ''::tsvector,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint agent_pkey PRIMARY KEY (name),
  constraint agent_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint agent_name_check CHECK ((name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'::text)),
  constraint agent_taken_down_is_private CHECK (((NOT is_public) OR (taken_down_reason IS NULL)))
);

create table agent_name (
  name text not null,
  account_id uuid not null,
  is_registered boolean not null,
  used_at timestamp with time zone not null,
  constraint agent_name_pkey PRIMARY KEY (name, account_id),
  constraint agent_name_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint agent_name_name_check CHECK ((name = lower(name))),
  constraint agent_name_of_one EXCLUDE USING gist (name WITH =, (
CASE
    WHEN is_registered THEN uuid_range(NULL::uuid, NULL::uuid)
    ELSE uuid_range(account_id, account_id, '[]'::text)
END) WITH &&)
);

create table agent_registry (
  only_row boolean not null default true,
  version bigint not null,
  constraint agent_registry_pkey PRIMARY KEY (only_row),
  constraint agent_registry_only_row_check CHECK (only_row)
);

create table allocation (
  booking_id uuid,
  walk_in_id uuid,
  venue_id uuid not null,
  resource_id uuid not null,
  during tstzrange not null,
  active boolean not null,
  of_change boolean not null default false,
  constraint allocation_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint allocation_during_check CHECK (((NOT isempty(during)) AND ((upper(during) - lower(during)) <= '1 day'::interval))),
  constraint allocation_no_overlap EXCLUDE USING gist (resource_id WITH =, during WITH &&) WHERE (active),
  constraint allocation_of_one CHECK ((num_nonnulls(booking_id, walk_in_id) = 1)),
  constraint allocation_once UNIQUE (booking_id, resource_id, during),
  constraint allocation_resource_id_fkey FOREIGN KEY (resource_id) REFERENCES resource(id),
  constraint allocation_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id),
  constraint allocation_walk_in_id_fkey FOREIGN KEY (walk_in_id) REFERENCES walk_in(id)
);

create table api_key (
  id uuid not null,
  account_id uuid not null,
  name text not null,
  hash bytea not null,
  hint text not null,
  scopes text[] not null default '{bookings,webhooks,agents,usage}'::text[],
  allowed_ips cidr[] not null default '{}'::cidr[],
  made_by uuid,
  replaced_by uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_used_door text,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint api_key_allowed_ips_check CHECK ((cardinality(allowed_ips) <= 50)),
  constraint api_key_hash_check CHECK ((length(hash) = 32)),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_last_use CHECK (((last_used_at IS NULL) = (last_used_door IS NULL))),
  constraint api_key_made_by_fkey FOREIGN KEY (made_by) REFERENCES api_key(id),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint api_key_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES api_key(id),
  constraint api_key_replaced_expires CHECK (((replaced_by IS NULL) OR (expires_at IS NOT NULL))),
  constraint api_key_scopes_check CHECK ((scopes <@ ARRAY['bookings'::text, 'keys'::text, 'webhooks'::text, 'agents'::text, 'usage'::text]))
);

create table area (
  slug text not null,
  name text not null,
  aliases text[] not null,
  city text not null,
  city_aliases text[] not null default '{}'::text[],
  region text,
  country character(2) not null,
  timezone text not null,
  currency character(3) not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_km double precision,
  landmarks jsonb not null default '[]'::jsonb,
  constraint area_pkey PRIMARY KEY (slug),
  constraint area_radius_km_check CHECK ((radius_km > (0)::double precision))
);

create table attempt (
  id uuid not null,
  delivery_id uuid,
  endpoint_id uuid not null,
  number integer not null,
  cause text not null,
  status text not null,
  started_at timestamp with time zone not null,
  signed_at timestamp with time zone,
  ms integer,
  http_status smallint,
  failure text,
  response_headers jsonb,
  response_body text,
  response_truncated boolean,
  url text not null,
  signed_with uuid[] not null,
  next_at timestamp with time zone,
  next_rule text,
  constraint attempt_pkey PRIMARY KEY (id),
  constraint attempt_cause_check CHECK ((cause = ANY (ARRAY['schedule'::text, 'probe'::text, 'replay'::text, 'retry'::text, 'test'::text, 'challenge'::text]))),
  constraint attempt_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES delivery(id) ON DELETE CASCADE,
  constraint attempt_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoint(id),
  constraint attempt_once UNIQUE (delivery_id, number),
  constraint attempt_status_check CHECK ((status = ANY (ARRAY['sending'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text])))
);

create table audit_entry (
  account_id uuid not null,
  at timestamp with time zone not null,
  id uuid not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  door text not null,
  address text,
  request_id text,
  action text not null,
  object_id text,
  object_name text,
  details jsonb not null default '{}'::jsonb,
  constraint audit_entry_pkey PRIMARY KEY (account_id, at, id),
  constraint audit_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint audit_entry_action_check CHECK ((action ~ '^[a-z]+[.][a-z_]+$'::text)),
  constraint audit_entry_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['member'::text, 'key'::text, 'operator'::text, 'system'::text]))),
  constraint audit_entry_details_check CHECK ((jsonb_typeof(details) = 'object'::text))
);

create table booking (
  id uuid not null,
  account_id uuid not null,
  venue_id uuid not null,
  service_id uuid not null,
  rule_version integer not null,
  group_id uuid,
  group_kind text,
  status text not null,
  revision integer not null,
  reason_code text,
  cancelled_by text,
  fee_status text not null default 'none'::text,
  slot_time timestamp without time zone not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  party_size integer not null,
  cancel_until timestamp with time zone not null,
  hold_until timestamp with time zone,
  hold_extended boolean not null default false,
  changes smallint not null default 0,
  confirm_mode text not null default 'auto'::text,
  venue_sync text not null default 'not_sent'::text,
  answer_by timestamp with time zone,
  asked_revision integer,
  venue_answered_at timestamp with time zone,
  venue_reminded_at timestamp with time zone,
  change_phase text,
  change_revision integer,
  notice_due text,
  guest_notice text,
  guest_notice_number integer not null default 0,
  reminded_until timestamp with time zone,
  timeline_length integer not null default 0,
  timeline_head bytea,
  next_action_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  history_erased_at timestamp with time zone,
  constraint booking_pkey PRIMARY KEY (id),
  constraint booking_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint booking_answer_by CHECK (((status <> 'pending'::text) OR (answer_by IS NOT NULL))),
  constraint booking_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['guest'::text, 'agent'::text, 'venue'::text, 'network'::text, 'operator'::text]))),
  constraint booking_change_phase CHECK ((((change_phase IS NULL) = (change_revision IS NULL)) AND ((change_phase IS NULL) OR ((status = 'confirmed'::text) AND (answer_by IS NOT NULL))))),
  constraint booking_change_phase_check CHECK ((change_phase = ANY (ARRAY['asked'::text, 'restoring'::text]))),
  constraint booking_changes_check CHECK (((changes >= 0) AND (changes <= 50))),
  constraint booking_confirm_mode_check CHECK ((confirm_mode = ANY (ARRAY['auto'::text, 'http'::text, 'request'::text]))),
  constraint booking_ends_later CHECK ((ends_at > starts_at)),
  constraint booking_fee_status_check CHECK ((fee_status = ANY (ARRAY['none'::text, 'accrued'::text, 'reversed'::text]))),
  constraint booking_group_both CHECK (((group_id IS NULL) = (group_kind IS NULL))),
  constraint booking_group_fkey FOREIGN KEY (group_id, group_kind) REFERENCES booking_group(id, kind),
  constraint booking_id_fkey FOREIGN KEY (id) REFERENCES request(booking_id),
  constraint booking_next_action CHECK ((((status = ANY (ARRAY['held'::text, 'pending'::text, 'offered'::text, 'confirmed'::text])) OR (venue_sync = 'withdraw_due'::text)) = (next_action_at IS NOT NULL))),
  constraint booking_notice_due_check CHECK ((notice_due = ANY (ARRAY['request.waiting'::text, 'request.reminder'::text, 'booking.changed'::text, 'booking.cancelled'::text]))),
  constraint booking_party_size_check CHECK ((party_size > 0)),
  constraint booking_revision_check CHECK ((revision > 0)),
  constraint booking_service_id_fkey FOREIGN KEY (service_id) REFERENCES service(id),
  constraint booking_service_id_rule_version_fkey FOREIGN KEY (service_id, rule_version) REFERENCES service_rules(service_id, version),
  constraint booking_status_check CHECK ((status = ANY (ARRAY['held'::text, 'pending'::text, 'offered'::text, 'confirmed'::text, 'completed'::text, 'no_show'::text, 'declined'::text, 'expired'::text, 'released'::text, 'cancelled'::text, 'failed'::text]))),
  constraint booking_timeline CHECK (((timeline_length = 0) = (timeline_head IS NULL))),
  constraint booking_timeline_head_check CHECK ((length(timeline_head) = 32)),
  constraint booking_timeline_length_check CHECK ((timeline_length >= 0)),
  constraint booking_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id),
  constraint booking_venue_sync_check CHECK ((venue_sync = ANY (ARRAY['not_sent'::text, 'sent'::text, 'acknowledged'::text, 'withdraw_due'::text, 'withdrawn'::text, 'given_up'::text])))
);

create table booking_change (
  booking_id uuid not null,
  service_id uuid not null,
  rule_version integer not null,
  slot_time timestamp without time zone not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  occupied_until timestamp with time zone not null,
  cancel_until timestamp with time zone not null,
  party_size integer not null,
  session text,
  leader_id uuid,
  resource_ids uuid[] not null,
  places integer not null,
  is_sent boolean not null default false,
  is_late boolean not null default false,
  constraint booking_change_pkey PRIMARY KEY (booking_id),
  constraint booking_change_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint booking_change_ends_later CHECK ((ends_at > starts_at)),
  constraint booking_change_occupied_longer CHECK ((occupied_until >= ends_at)),
  constraint booking_change_party_size_check CHECK ((party_size > 0)),
  constraint booking_change_places_check CHECK ((places >= 0)),
  constraint booking_change_service_id_rule_version_fkey FOREIGN KEY (service_id, rule_version) REFERENCES service_rules(service_id, version)
);

create table booking_group (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  status text not null,
  body_hash bytea not null,
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  also boolean not null default false,
  reminders integer[],
  answer_by timestamp with time zone,
  hold_until timestamp with time zone,
  lane smallint,
  cancel_by text,
  refusal jsonb,
  answer jsonb,
  member_states text,
  next_action_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint booking_group_pkey PRIMARY KEY (id),
  constraint booking_group_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint booking_group_account_id_natural_key_key UNIQUE (account_id, natural_key),
  constraint booking_group_cancel_by_check CHECK ((cancel_by = ANY (ARRAY['guest'::text, 'agent'::text]))),
  constraint booking_group_deadline CHECK (((kind = 'any_of'::text) OR (answer_by < hold_until))),
  constraint booking_group_id_kind_key UNIQUE (id, kind),
  constraint booking_group_in_progress CHECK (((status = ANY (ARRAY['trying'::text, 'holding'::text, 'asking'::text, 'undoing'::text, 'cancelling'::text])) = (next_action_at IS NOT NULL))),
  constraint booking_group_kind_check CHECK ((kind = ANY (ARRAY['any_of'::text, 'itinerary'::text]))),
  constraint booking_group_lane UNIQUE (account_id, lane),
  constraint booking_group_lane_check CHECK (((lane >= 1) AND (lane <= 5))),
  constraint booking_group_lanes CHECK (((lane IS NOT NULL) = ((kind = 'itinerary'::text) AND (status = ANY (ARRAY['holding'::text, 'asking'::text, 'undoing'::text]))))),
  constraint booking_group_status CHECK (
CASE kind
    WHEN 'any_of'::text THEN (status = ANY (ARRAY['trying'::text, 'confirmed'::text, 'failed'::text]))
    ELSE (status = ANY (ARRAY['holding'::text, 'asking'::text, 'confirmed'::text, 'undoing'::text, 'cancelling'::text, 'failed'::text, 'cancelled'::text]))
END)
);

create table booking_guest (
  booking_id uuid not null,
  name text,
  phone text,
  email text,
  notes text,
  notify boolean not null default false,
  language text,
  erase_after timestamp with time zone not null,
  constraint booking_guest_pkey PRIMARY KEY (booking_id)
);

create table clock_turn (
  live_account_id uuid not null,
  clock_id uuid not null,
  until timestamp with time zone not null,
  constraint clock_turn_pkey PRIMARY KEY (live_account_id),
  constraint clock_turn_clock_id_fkey FOREIGN KEY (clock_id) REFERENCES test_clock(account_id) ON DELETE CASCADE,
  constraint clock_turn_live_account_id_fkey FOREIGN KEY (live_account_id) REFERENCES account(id)
);

create table command (
  id uuid not null,
  booking_id uuid not null,
  kind text not null,
  input jsonb not null,
  guest jsonb,
  door text not null,
  from_agent text,
  begun_at timestamp with time zone,
  failures smallint not null default 0,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint command_pkey PRIMARY KEY (id),
  constraint command_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES request(booking_id),
  constraint command_guest_erased CHECK (((guest IS NULL) OR ((answer IS NULL) AND (begun_at IS NULL)))),
  constraint command_kind_check CHECK ((kind = ANY (ARRAY['confirm'::text, 'extend'::text, 'release'::text, 'cancel'::text, 'amend'::text, 'accept_offer'::text, 'refuse_offer'::text, 'wake'::text])))
);

create table connector (
  venue_id uuid not null,
  url text not null,
  secret text not null,
  takes_amend boolean not null default true,
  read_at timestamp with time zone,
  failure text,
  created_at timestamp with time zone not null,
  constraint connector_pkey PRIMARY KEY (venue_id),
  constraint connector_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table day_exception (
  id uuid not null,
  venue_id uuid,
  area_slug text,
  country character(2),
  date date not null,
  windows jsonb not null,
  reason text not null,
  constraint day_exception_pkey PRIMARY KEY (id),
  constraint day_exception_area_slug_fkey FOREIGN KEY (area_slug) REFERENCES area(slug),
  constraint day_exception_of_one CHECK ((num_nonnulls(venue_id, area_slug, country) = 1)),
  constraint day_exception_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table delivery (
  id uuid not null,
  endpoint_id uuid not null,
  account_id uuid not null,
  event_number bigint not null,
  event_type text not null,
  status text not null,
  sequence bigint,
  body text,
  tries smallint not null default 0,
  attempts integer not null default 0,
  due_at timestamp with time zone,
  give_up_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  replay_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_account_id_event_number_fkey FOREIGN KEY (account_id, event_number) REFERENCES event(account_id, number),
  constraint delivery_due_pending CHECK (((status = 'pending'::text) = (due_at IS NOT NULL))),
  constraint delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoint(id),
  constraint delivery_numbered CHECK (((sequence IS NULL) = (body IS NULL))),
  constraint delivery_once UNIQUE (endpoint_id, event_number),
  constraint delivery_replay_id_fkey FOREIGN KEY (replay_id) REFERENCES replay(id) ON DELETE SET NULL,
  constraint delivery_sequence UNIQUE (endpoint_id, sequence),
  constraint delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'sending'::text, 'delivered'::text, 'failed'::text, 'discarded'::text, 'expired'::text])))
);

create table delivery_erasure (
  is_only boolean not null default true,
  erased_before timestamp with time zone not null,
  constraint delivery_erasure_pkey PRIMARY KEY (is_only),
  constraint delivery_erasure_is_only_check CHECK (is_only)
);

create table developer (
  id uuid not null,
  email text not null,
  password_hash text not null,
  is_operator boolean not null default false,
  verified_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint developer_pkey PRIMARY KEY (id),
  constraint developer_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254)))
);

create table developer_session (
  id uuid not null,
  developer_id uuid not null,
  account_id uuid,
  token_hash bytea not null,
  device text not null,
  proved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint developer_session_pkey PRIMARY KEY (id),
  constraint developer_session_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint developer_session_device_check CHECK ((char_length(device) <= 100)),
  constraint developer_session_of_member FOREIGN KEY (account_id, developer_id) REFERENCES member(account_id, developer_id) ON DELETE CASCADE,
  constraint developer_session_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint developer_session_token_hash_key UNIQUE (token_hash)
);

create table dunning (
  due_id uuid not null,
  purpose text not null,
  plan_period_id uuid generated always as (
CASE purpose
    WHEN 'pro'::text THEN due_id
    ELSE NULL::uuid
END) stored,
  invoice_id uuid generated always as (
CASE purpose
    WHEN 'invoice'::text THEN due_id
    ELSE NULL::uuid
END) stored,
  account_id uuid not null,
  failures integer not null,
  reason text not null,
  since timestamp with time zone not null,
  next_at timestamp with time zone,
  pro_ended_at timestamp with time zone,
  paid_at timestamp with time zone,
  notices integer not null,
  mailed integer not null default 0,
  constraint dunning_pkey PRIMARY KEY (due_id),
  constraint dunning_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint dunning_failures_check CHECK ((failures > 0)),
  constraint dunning_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  constraint dunning_mails CHECK (((mailed >= 0) AND (mailed <= notices))),
  constraint dunning_next CHECK (((next_at IS NULL) OR ((paid_at IS NULL) AND (pro_ended_at IS NULL)))),
  constraint dunning_notices_check CHECK ((notices >= 0)),
  constraint dunning_plan_period_id_fkey FOREIGN KEY (plan_period_id) REFERENCES plan_period(id),
  constraint dunning_purpose_check CHECK ((purpose = ANY (ARRAY['pro'::text, 'invoice'::text]))),
  constraint dunning_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200)))
);

create table early_close (
  venue_id uuid not null,
  date date not null,
  from_clock text,
  pressed_at timestamp with time zone not null,
  person_id uuid,
  constraint early_close_pkey PRIMARY KEY (venue_id, date),
  constraint early_close_from_clock_check CHECK ((from_clock ~ '^[0-4][0-9]:[0-5][0-9]$'::text)),
  constraint early_close_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON DELETE CASCADE
);

create table endpoint (
  id uuid not null,
  account_id uuid not null,
  nth smallint,
  url text not null,
  description text not null default ''::text,
  event_types text[] not null,
  header_names text[] not null default '{}'::text[],
  headers text,
  rate_per_second smallint,
  is_fifo boolean not null default false,
  status text not null,
  status_reason text,
  challenge text not null,
  verified_at timestamp with time zone,
  proved_at timestamp with time zone,
  sequence bigint not null default 0,
  failing_since timestamp with time zone,
  failed_at timestamp with time zone,
  warned_at timestamp with time zone,
  mailed_about text,
  wait_until timestamp with time zone,
  wait_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint endpoint_pkey PRIMARY KEY (id),
  constraint endpoint_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint endpoint_account_id_nth_key UNIQUE (account_id, nth),
  constraint endpoint_active_verified CHECK (((status <> 'active'::text) OR (verified_at IS NOT NULL))),
  constraint endpoint_description_check CHECK ((char_length(description) <= 500)),
  constraint endpoint_event_types_check CHECK (((cardinality(event_types) >= 1) AND (cardinality(event_types) <= 50))),
  constraint endpoint_nth_check CHECK (((nth >= 1) AND (nth <= 50))),
  constraint endpoint_rate_per_second_check CHECK (((rate_per_second >= 1) AND (rate_per_second <= 1000))),
  constraint endpoint_status_check CHECK ((status = ANY (ARRAY['unverified'::text, 'active'::text, 'paused'::text, 'disabled'::text]))),
  constraint endpoint_url_check CHECK ((char_length(url) <= 2048)),
  constraint endpoint_wait CHECK (((wait_until IS NULL) = (wait_reason IS NULL)))
);

create table endpoint_command (
  endpoint_id uuid not null,
  id text not null,
  name text not null,
  at timestamp with time zone not null,
  constraint endpoint_command_pkey PRIMARY KEY (endpoint_id, id, name),
  constraint endpoint_command_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoint(id) ON DELETE CASCADE,
  constraint endpoint_command_id_check CHECK (((char_length(id) >= 1) AND (char_length(id) <= 100)))
);

create table event (
  account_id uuid not null,
  number bigint not null,
  id uuid not null,
  type text not null,
  booking_id uuid,
  transition_id text,
  data jsonb not null,
  created_at timestamp with time zone not null,
  constraint event_pkey PRIMARY KEY (account_id, number),
  constraint event_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint event_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint event_booking_id_transition_id_fkey FOREIGN KEY (booking_id, transition_id) REFERENCES transition(booking_id, transition_id),
  constraint event_booking_id_transition_id_type_key UNIQUE (booking_id, transition_id, type),
  constraint event_id_key UNIQUE (id),
  constraint event_of_step CHECK (((booking_id IS NULL) = (transition_id IS NULL)))
);

create table event_counter (
  account_id uuid not null,
  last bigint not null,
  constraint event_counter_pkey PRIMARY KEY (account_id),
  constraint event_counter_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id)
);

create table failing_row (
  step text not null,
  row_id text collate "C" not null,
  error text not null,
  tries integer not null default 1,
  since timestamp with time zone not null default now(),
  failed_at timestamp with time zone not null default now(),
  constraint failing_row_pkey PRIMARY KEY (step, row_id)
);

create table fee_entry (
  id uuid not null,
  account_id uuid not null,
  booking_id uuid not null,
  kind text not null,
  base_minor bigint not null,
  pct numeric(5,2) not null,
  amount_minor bigint not null,
  currency character(3) not null,
  is_demo boolean not null,
  reversed_by uuid,
  reverses uuid,
  created_at timestamp with time zone not null,
  constraint fee_entry_pkey PRIMARY KEY (id),
  constraint fee_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint fee_entry_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint fee_entry_base_minor_check CHECK ((base_minor >= 0)),
  constraint fee_entry_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint fee_entry_kind_check CHECK ((kind = ANY (ARRAY['accrual'::text, 'reversal'::text]))),
  constraint fee_entry_reversal CHECK (((kind = 'reversal'::text) = (reverses IS NOT NULL))),
  constraint fee_entry_reversed_by_fkey FOREIGN KEY (reversed_by) REFERENCES fee_entry(id),
  constraint fee_entry_reverses_fkey FOREIGN KEY (reverses) REFERENCES fee_entry(id),
  constraint fee_entry_reverses_key UNIQUE (reverses)
);

create table feed_clock (
  only_row boolean not null default true,
  published_until timestamp with time zone not null,
  constraint feed_clock_pkey PRIMARY KEY (only_row),
  constraint feed_clock_only_row_check CHECK (only_row)
);

create table group_member (
  group_id uuid not null,
  "position" smallint not null,
  booking_id uuid not null,
  ask_id uuid not null,
  undo_id uuid not null,
  venue_id uuid not null,
  slot_time timestamp without time zone not null,
  starts_at timestamp with time zone not null,
  party_size integer not null,
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  constraint group_member_pkey PRIMARY KEY (group_id, "position"),
  constraint group_member_booking_id_key UNIQUE (booking_id),
  constraint group_member_group_id_fkey FOREIGN KEY (group_id) REFERENCES booking_group(id),
  constraint group_member_position_check CHECK ((("position" >= 1) AND ("position" <= 10))),
  constraint group_member_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table guest_mail (
  booking_id uuid not null,
  number integer not null,
  id uuid not null,
  kind text not null,
  account_id uuid not null,
  address bytea not null,
  at timestamp with time zone not null,
  tried_at timestamp with time zone,
  failures smallint not null default 0,
  sent_at timestamp with time zone,
  constraint guest_mail_pkey PRIMARY KEY (booking_id, number),
  constraint guest_mail_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE
);

create table hold_counter (
  account_id uuid not null,
  live integer not null,
  constraint hold_counter_pkey PRIMARY KEY (account_id),
  constraint hold_counter_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint hold_counter_limit CHECK (((live >= 0) AND (live <= 10)))
);

create table idempotency_key (
  account_id uuid not null,
  key text not null,
  operation text not null,
  subject_id uuid not null,
  body_hash bytea not null,
  created_at timestamp with time zone not null,
  constraint idempotency_key_pkey PRIMARY KEY (account_id, key),
  constraint idempotency_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

create table import_row (
  source text not null,
  external_id text not null,
  "row" integer not null,
  constraint import_row_pkey PRIMARY KEY (source, external_id)
);

create table import_seats (
  service_id uuid not null,
  places integer not null,
  constraint import_seats_pkey PRIMARY KEY (service_id)
);

create table invitation (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  role text not null,
  invited_by uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint invitation_pkey PRIMARY KEY (id),
  constraint invitation_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint invitation_account_id_invited_by_fkey FOREIGN KEY (account_id, invited_by) REFERENCES member(account_id, developer_id) ON DELETE CASCADE,
  constraint invitation_email_check CHECK (((char_length(email) >= 3) AND (char_length(email) <= 254))),
  constraint invitation_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'read-only'::text]))),
  constraint invitation_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint invitation_token_hash_key UNIQUE (token_hash)
);

create table invoice (
  id uuid not null,
  account_id uuid not null,
  kind text not null,
  sequence integer not null,
  previous integer generated always as (NULLIF((sequence - 1), 0)) stored,
  number text not null,
  month date not null,
  currency character(3) not null,
  total_minor bigint not null,
  credit_minor bigint not null,
  paid_minor bigint not null,
  status text not null,
  issued_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  voided_at timestamp with time zone,
  credits uuid,
  constraint invoice_pkey PRIMARY KEY (id),
  constraint invoice_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint invoice_account_id_sequence_key UNIQUE (account_id, sequence),
  constraint invoice_credit CHECK (((credit_minor >= 0) AND (credit_minor <= GREATEST(total_minor, (0)::bigint)))),
  constraint invoice_credit_note CHECK (((kind = 'credit_note'::text) = (credits IS NOT NULL))),
  constraint invoice_credits_fkey FOREIGN KEY (credits) REFERENCES invoice(id),
  constraint invoice_credits_key UNIQUE (credits),
  constraint invoice_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))),
  constraint invoice_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint invoice_negative CHECK (((kind = 'invoice'::text) OR (total_minor < 0))),
  constraint invoice_no_gap FOREIGN KEY (account_id, previous) REFERENCES invoice(account_id, sequence),
  constraint invoice_number_key UNIQUE (number),
  constraint invoice_paid_at CHECK (((status = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint invoice_paid_whole CHECK (((status = 'void'::text) OR ((status = 'paid'::text) = (paid_minor = GREATEST(total_minor, (0)::bigint))))),
  constraint invoice_payment CHECK (((paid_minor >= credit_minor) AND (paid_minor <= GREATEST(total_minor, (0)::bigint)))),
  constraint invoice_sequence_check CHECK ((sequence > 0)),
  constraint invoice_status_check CHECK ((status = ANY (ARRAY['open'::text, 'paid'::text, 'void'::text]))),
  constraint invoice_voided_at CHECK (((status = 'void'::text) = (voided_at IS NOT NULL)))
);

create table invoice_line (
  invoice_id uuid not null,
  "position" integer not null,
  entry_id uuid,
  kind text not null,
  description text not null,
  booking_id uuid,
  slot_time timestamp without time zone,
  timezone text,
  party_size integer,
  base_minor bigint,
  pct numeric(5,2),
  amount_minor bigint not null,
  at timestamp with time zone not null,
  constraint invoice_line_pkey PRIMARY KEY (invoice_id, "position"),
  constraint invoice_line_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint invoice_line_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entry(id),
  constraint invoice_line_entry_id_key UNIQUE (entry_id),
  constraint invoice_line_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  constraint invoice_line_kind_check CHECK ((kind = ANY (ARRAY['fee'::text, 'reversal'::text, 'pro'::text, 'adjustment'::text, 'credit_note'::text]))),
  constraint invoice_line_of_entry CHECK (((kind = 'credit_note'::text) = (entry_id IS NULL)))
);

create table ledger_entry (
  id uuid not null,
  account_id uuid not null,
  currency character(3) not null,
  kind text not null,
  debit text not null,
  credit text not null,
  amount_minor bigint not null,
  source_kind text not null,
  source_id uuid not null,
  at timestamp with time zone not null,
  note text,
  constraint ledger_entry_pkey PRIMARY KEY (id),
  constraint ledger_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint ledger_entry_accrual CHECK (((kind <> 'accrued'::text) OR ((debit = 'unbilled'::text) AND (credit = 'revenue'::text)))),
  constraint ledger_entry_amount_minor_check CHECK ((amount_minor > 0)),
  constraint ledger_entry_credit_check CHECK ((credit = ANY (ARRAY['unbilled'::text, 'receivable'::text, 'revenue'::text, 'cash'::text, 'credit'::text, 'goodwill'::text, 'exchange'::text]))),
  constraint ledger_entry_debit_check CHECK ((debit = ANY (ARRAY['unbilled'::text, 'receivable'::text, 'revenue'::text, 'cash'::text, 'credit'::text, 'goodwill'::text, 'exchange'::text]))),
  constraint ledger_entry_kind_check CHECK ((kind = ANY (ARRAY['accrued'::text, 'reversed'::text, 'invoiced'::text, 'paid'::text, 'refunded'::text, 'credited'::text, 'corrected'::text]))),
  constraint ledger_entry_moves CHECK ((debit <> credit)),
  constraint ledger_entry_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint ledger_entry_once UNIQUE (source_kind, source_id, kind),
  constraint ledger_entry_reversal CHECK (((kind <> 'reversed'::text) OR ((debit = 'revenue'::text) AND (credit = 'unbilled'::text)))),
  constraint ledger_entry_source_kind_check CHECK ((source_kind ~ '^[a-z][a-z0-9_]*$'::text))
);

create table local_charge (
  id uuid not null,
  idempotency_key text not null,
  customer_id text not null,
  amount_minor bigint,
  currency character(3),
  description text not null,
  return_url text,
  card text,
  state text not null,
  silent_until timestamp with time zone,
  refunded_minor bigint not null default 0,
  created_at timestamp with time zone not null,
  constraint local_charge_pkey PRIMARY KEY (id),
  constraint local_charge_amount CHECK (((amount_minor IS NULL) = (currency IS NULL))),
  constraint local_charge_amount_minor_check CHECK ((amount_minor > 0)),
  constraint local_charge_card_check CHECK ((card = ANY (ARRAY['works'::text, 'declined'::text, 'asks'::text, 'silent'::text]))),
  constraint local_charge_idempotency_key_key UNIQUE (idempotency_key),
  constraint local_charge_refund CHECK (((refunded_minor >= 0) AND (refunded_minor <= amount_minor))),
  constraint local_charge_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closed'::text, 'succeeded'::text, 'failed'::text, 'authorized'::text])))
);

create table mail (
  id uuid not null,
  recipient text not null,
  subject text not null,
  body text not null,
  attachment jsonb,
  subject_id uuid,
  created_at timestamp with time zone not null,
  constraint mail_pkey PRIMARY KEY (id)
);

create table mail_opt_out (
  address bytea not null,
  opted_out_at timestamp with time zone not null,
  constraint mail_opt_out_pkey PRIMARY KEY (address)
);

create table mailed_token (
  hash bytea not null,
  developer_id uuid not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mailed_token_pkey PRIMARY KEY (hash),
  constraint mailed_token_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint mailed_token_hash_check CHECK ((length(hash) = 32)),
  constraint mailed_token_purpose_check CHECK ((purpose = ANY (ARRAY['verify_email'::text, 'reset_password'::text])))
);

create table member (
  account_id uuid not null,
  developer_id uuid not null,
  role text not null,
  chosen_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint member_pkey PRIMARY KEY (account_id, developer_id),
  constraint member_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint member_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint member_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'billing'::text, 'read-only'::text])))
);

create table mirror_day (
  venue_id uuid not null,
  date date not null,
  as_of timestamp with time zone not null,
  slots jsonb not null,
  constraint mirror_day_pkey PRIMARY KEY (venue_id, date),
  constraint mirror_day_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES connector(venue_id) ON DELETE CASCADE
);

create table notice (
  id uuid not null,
  person_id uuid not null,
  kind text not null,
  booking_id uuid,
  revision integer,
  day date,
  created_at timestamp with time zone not null,
  not_before timestamp with time zone not null,
  next_at timestamp with time zone,
  answer_by timestamp with time zone,
  ended_at timestamp with time zone,
  ended_reason text,
  constraint notice_pkey PRIMARY KEY (id),
  constraint notice_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint notice_ended CHECK ((((ended_at IS NULL) = (ended_reason IS NULL)) AND ((ended_at IS NULL) = (next_at IS NOT NULL)))),
  constraint notice_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['seen'::text, 'answered'::text, 'late'::text, 'told'::text, 'unreachable'::text, 'stopped'::text]))),
  constraint notice_kind_check CHECK ((kind = ANY (ARRAY['request.waiting'::text, 'request.reminder'::text, 'booking.changed'::text, 'booking.cancelled'::text, 'day.list'::text]))),
  constraint notice_person_id_fkey FOREIGN KEY (person_id) REFERENCES venue_person(id) ON DELETE CASCADE,
  constraint notice_person_id_kind_booking_id_revision_day_key UNIQUE NULLS NOT DISTINCT (person_id, kind, booking_id, revision, day),
  constraint notice_subject CHECK ((((booking_id IS NULL) = (kind = 'day.list'::text)) AND ((revision IS NULL) = (booking_id IS NULL)) AND ((day IS NULL) = (kind <> 'day.list'::text))))
);

create table notice_attempt (
  id uuid not null,
  notice_id uuid not null,
  channel_id uuid not null,
  started_at timestamp with time zone not null,
  provider_id text,
  status text not null,
  status_at timestamp with time zone not null,
  failure text,
  is_temporary boolean not null default false,
  constraint notice_attempt_pkey PRIMARY KEY (id),
  constraint notice_attempt_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES notice_channel(id) ON DELETE CASCADE,
  constraint notice_attempt_notice_id_channel_id_key UNIQUE (notice_id, channel_id),
  constraint notice_attempt_notice_id_fkey FOREIGN KEY (notice_id) REFERENCES notice(id) ON DELETE CASCADE,
  constraint notice_attempt_provider_id_key UNIQUE (provider_id),
  constraint notice_attempt_status_check CHECK ((status = ANY (ARRAY['started'::text, 'sent'::text, 'delivered'::text, 'read'::text, 'failed'::text])))
);

create table notice_channel (
  id uuid not null,
  person_id uuid not null,
  "position" smallint not null,
  kind text not null,
  address text not null,
  address_digest bytea not null,
  opted_in_at timestamp with time zone not null,
  opted_in_by text not null,
  heard_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_reason text,
  constraint notice_channel_pkey PRIMARY KEY (id),
  constraint notice_channel_ended CHECK (((ended_at IS NULL) = (ended_reason IS NULL))),
  constraint notice_channel_ended_reason_check CHECK ((ended_reason = ANY (ARRAY['stopped'::text, 'wrong_number'::text, 'recycled'::text, 'gone'::text, 'removed'::text, 'unsubscribed'::text]))),
  constraint notice_channel_kind_check CHECK ((kind = ANY (ARRAY['whatsapp'::text, 'mail'::text, 'push'::text, 'post'::text]))),
  constraint notice_channel_opted_in_by_check CHECK ((opted_in_by = ANY (ARRAY['person'::text, 'operator'::text]))),
  constraint notice_channel_person_id_fkey FOREIGN KEY (person_id) REFERENCES venue_person(id) ON DELETE CASCADE
);

create table notice_opt_out (
  address_digest bytea not null,
  opted_out_at timestamp with time zone not null,
  constraint notice_opt_out_pkey PRIMARY KEY (address_digest)
);

create table oauth_artifact (
  id uuid not null,
  kind text not null,
  hash bytea not null,
  grant_id uuid,
  scopes text[],
  audience text,
  payload text not null,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  constraint oauth_artifact_pkey PRIMARY KEY (id),
  constraint oauth_artifact_audience_check CHECK ((audience = ANY (ARRAY['mcp'::text, 'api'::text]))),
  constraint oauth_artifact_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES oauth_grant(id) ON DELETE CASCADE,
  constraint oauth_artifact_hash_check CHECK ((length(hash) = 32)),
  constraint oauth_artifact_hash_key UNIQUE (hash),
  constraint oauth_artifact_kind_check CHECK ((kind = ANY (ARRAY['Interaction'::text, 'AuthorizationCode'::text, 'AccessToken'::text, 'RefreshToken'::text, 'ReplayDetection'::text]))),
  constraint oauth_artifact_of_grant CHECK (((grant_id IS NOT NULL) = (kind = ANY (ARRAY['AuthorizationCode'::text, 'AccessToken'::text, 'RefreshToken'::text])))),
  constraint oauth_artifact_token CHECK (((kind <> 'AccessToken'::text) OR ((scopes IS NOT NULL) AND (audience IS NOT NULL))))
);

create table oauth_client (
  id uuid not null,
  client_id text not null,
  kind text not null,
  metadata jsonb not null,
  secret text,
  created_at timestamp with time zone not null,
  granted_at timestamp with time zone,
  constraint oauth_client_pkey PRIMARY KEY (id),
  constraint oauth_client_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 2048))),
  constraint oauth_client_client_id_key UNIQUE (client_id),
  constraint oauth_client_kind_check CHECK ((kind = ANY (ARRAY['document'::text, 'registered'::text, 'predefined'::text]))),
  constraint oauth_client_metadata_check CHECK ((jsonb_typeof(metadata) = 'object'::text))
);

create table oauth_grant (
  id uuid not null,
  client_id uuid not null,
  developer_id uuid not null,
  member_account_id uuid not null,
  account_id uuid not null,
  scopes text[] not null,
  resources text[] not null,
  redirect_uri text not null,
  client_hash bytea not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_used_door text,
  constraint oauth_grant_pkey PRIMARY KEY (id),
  constraint oauth_grant_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint oauth_grant_client_hash_check CHECK ((length(client_hash) = 32)),
  constraint oauth_grant_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_client(id) ON DELETE CASCADE,
  constraint oauth_grant_last_use CHECK (((last_used_at IS NULL) = (last_used_door IS NULL))),
  constraint oauth_grant_of_member FOREIGN KEY (member_account_id, developer_id) REFERENCES member(account_id, developer_id) ON DELETE CASCADE,
  constraint oauth_grant_redirect_uri_check CHECK (((length(redirect_uri) >= 1) AND (length(redirect_uri) <= 2048))),
  constraint oauth_grant_resources_check CHECK (((cardinality(resources) >= 1) AND (cardinality(resources) <= 10))),
  constraint oauth_grant_scopes_check CHECK ((scopes <@ ARRAY['bookings'::text, 'webhooks'::text, 'agents'::text, 'usage'::text]))
);

create table passkey_challenge (
  hash bytea not null,
  session_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenge_pkey PRIMARY KEY (hash),
  constraint passkey_challenge_hash_check CHECK ((length(hash) = 32)),
  constraint passkey_challenge_session_id_fkey FOREIGN KEY (session_id) REFERENCES developer_session(id) ON DELETE CASCADE
);

create table payment (
  id uuid not null,
  account_id uuid not null,
  purpose text not null,
  due_id uuid,
  plan_period_id uuid generated always as (
CASE purpose
    WHEN 'pro'::text THEN due_id
    ELSE NULL::uuid
END) stored,
  invoice_id uuid generated always as (
CASE purpose
    WHEN 'invoice'::text THEN due_id
    ELSE NULL::uuid
END) stored,
  booking_id uuid generated always as (
CASE purpose
    WHEN 'booking'::text THEN due_id
    ELSE NULL::uuid
END) stored,
  amount_minor bigint not null,
  currency character(3) not null,
  provider text not null,
  provider_id text,
  page_id text,
  page_url text,
  state text not null,
  reason text,
  made_by text not null,
  idempotency_key text not null,
  is_surplus boolean not null default false,
  refunded_minor bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint payment_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payment_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES request(booking_id),
  constraint payment_idempotency_key_key UNIQUE (idempotency_key),
  constraint payment_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoice(id),
  constraint payment_made_by_check CHECK ((made_by = ANY (ARRAY['customer'::text, 'network'::text]))),
  constraint payment_of_due CHECK (((purpose = 'pro'::text) OR (due_id IS NOT NULL))),
  constraint payment_page_id_check CHECK (((length(page_id) >= 1) AND (length(page_id) <= 255))),
  constraint payment_page_url_check CHECK (((length(page_url) >= 1) AND (length(page_url) <= 4000))),
  constraint payment_plan_period_id_fkey FOREIGN KEY (plan_period_id) REFERENCES plan_period(id),
  constraint payment_provider_check CHECK ((provider ~ '^[a-z][a-z0-9_]*$'::text)),
  constraint payment_provider_id UNIQUE (provider, provider_id),
  constraint payment_provider_id_check CHECK (((length(provider_id) >= 1) AND (length(provider_id) <= 255))),
  constraint payment_purpose_check CHECK ((purpose = ANY (ARRAY['pro'::text, 'invoice'::text, 'booking'::text]))),
  constraint payment_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint payment_refund CHECK (((refunded_minor >= 0) AND (refunded_minor <= amount_minor))),
  constraint payment_refund_paid CHECK (((refunded_minor = 0) OR (state = 'succeeded'::text))),
  constraint payment_state_check CHECK ((state = ANY (ARRAY['created'::text, 'processing'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text, 'authorized'::text]))),
  constraint payment_success CHECK (((state <> 'succeeded'::text) OR (((due_id IS NOT NULL) OR is_surplus) AND (provider_id IS NOT NULL))))
);

create table payment_customer (
  account_id uuid not null,
  provider text not null,
  customer_id text not null,
  method_id text,
  card_brand text,
  card_last4 text,
  setup_id uuid,
  setup_page_id text,
  updated_at timestamp with time zone not null,
  constraint payment_customer_pkey PRIMARY KEY (account_id, provider),
  constraint payment_customer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint payment_customer_card_brand_check CHECK (((length(card_brand) >= 1) AND (length(card_brand) <= 50))),
  constraint payment_customer_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint payment_customer_customer_id_check CHECK (((length(customer_id) >= 1) AND (length(customer_id) <= 255))),
  constraint payment_customer_method_id_check CHECK (((length(method_id) >= 1) AND (length(method_id) <= 255))),
  constraint payment_customer_provider_check CHECK ((provider ~ '^[a-z][a-z0-9_]*$'::text)),
  constraint payment_customer_setup_id_key UNIQUE (setup_id),
  constraint payment_customer_setup_page_id_check CHECK (((length(setup_page_id) >= 1) AND (length(setup_page_id) <= 255)))
);

create table plan_change (
  id uuid not null,
  account_id uuid not null,
  from_tier text not null,
  to_tier text not null,
  made_by text not null,
  created_at timestamp with time zone not null,
  constraint plan_change_pkey PRIMARY KEY (id),
  constraint plan_change_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint plan_change_from_tier_check CHECK ((from_tier = ANY (ARRAY['free'::text, 'pro'::text]))),
  constraint plan_change_made_by_check CHECK ((made_by = ANY (ARRAY['developer'::text, 'operator'::text, 'system'::text]))),
  constraint plan_change_of_tier CHECK ((from_tier <> to_tier)),
  constraint plan_change_to_tier_check CHECK ((to_tier = ANY (ARRAY['free'::text, 'pro'::text])))
);

create table plan_period (
  id uuid not null,
  account_id uuid not null,
  month date not null,
  kind text not null,
  amount_minor bigint not null,
  currency character(3) not null,
  created_at timestamp with time zone not null,
  constraint plan_period_pkey PRIMARY KEY (id),
  constraint plan_period_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint plan_period_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint plan_period_kind_check CHECK ((kind = 'pro'::text)),
  constraint plan_period_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric)),
  constraint plan_period_once UNIQUE (account_id, month, kind)
);

create table provider_event (
  provider text not null,
  id text not null,
  type text not null,
  received_at timestamp with time zone not null,
  constraint provider_event_pkey PRIMARY KEY (provider, id),
  constraint provider_event_id_check CHECK (((length(id) >= 1) AND (length(id) <= 255))),
  constraint provider_event_provider_check CHECK ((provider ~ '^[a-z][a-z0-9_]*$'::text)),
  constraint provider_event_type_check CHECK (((length(type) >= 1) AND (length(type) <= 255)))
);

create table quota_day (
  account_id uuid not null,
  mode text not null,
  day date not null,
  used integer not null,
  constraint quota_day_pkey PRIMARY KEY (account_id, mode, day),
  constraint quota_day_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint quota_day_mode_check CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint quota_day_used_check CHECK ((used >= 0))
);

create table recovery_code (
  developer_id uuid not null,
  hash bytea not null,
  constraint recovery_code_pkey PRIMARY KEY (developer_id, hash),
  constraint recovery_code_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint recovery_code_hash_check CHECK ((length(hash) = 32))
);

create table refund (
  id uuid not null,
  payment_id uuid not null,
  amount_minor bigint not null,
  state text not null,
  provider_id text,
  note text not null,
  reason text,
  idempotency_key text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint refund_pkey PRIMARY KEY (id),
  constraint refund_amount_minor_check CHECK ((amount_minor > 0)),
  constraint refund_idempotency_key_key UNIQUE (idempotency_key),
  constraint refund_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint refund_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint refund_provider_id_check CHECK (((length(provider_id) >= 1) AND (length(provider_id) <= 255))),
  constraint refund_provider_id_key UNIQUE (provider_id),
  constraint refund_reason_check CHECK (((length(reason) >= 1) AND (length(reason) <= 200))),
  constraint refund_state_check CHECK ((state = ANY (ARRAY['processing'::text, 'succeeded'::text, 'failed'::text, 'unknown'::text])))
);

create table replay (
  id uuid not null,
  endpoint_id uuid not null,
  account_id uuid not null,
  status text not null,
  filter jsonb not null,
  cursor bigint not null,
  until_number bigint not null,
  per_second smallint not null,
  next_at timestamp with time zone not null,
  total bigint not null,
  queued bigint not null default 0,
  skipped bigint not null default 0,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint replay_pkey PRIMARY KEY (id),
  constraint replay_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint replay_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoint(id),
  constraint replay_per_second_check CHECK (((per_second >= 1) AND (per_second <= 1000))),
  constraint replay_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'cancelled'::text, 'completed'::text])))
);

create table request (
  booking_id uuid not null,
  account_id uuid not null,
  operation text not null,
  body_hash bytea not null,
  natural_key bytea,
  door text not null,
  from_agent text,
  guest_ref text,
  also boolean not null default false,
  venue_id uuid not null,
  slot_time timestamp without time zone not null,
  party_size integer not null,
  reminders integer[],
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  paid_by text not null,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint request_pkey PRIMARY KEY (booking_id),
  constraint request_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint request_account_id_natural_key_key UNIQUE (account_id, natural_key),
  constraint request_operation CHECK ((operation = ANY (ARRAY['confirm'::text, 'hold'::text]))),
  constraint request_paid_by_check CHECK ((paid_by = ANY (ARRAY['pro'::text, 'x402'::text, 'test'::text, 'card'::text]))),
  constraint request_reminders_check CHECK (((cardinality(reminders) <= 5) AND (5 <= ALL (reminders)) AND (43200 >= ALL (reminders)))),
  constraint request_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table request_body (
  account_id uuid not null,
  at timestamp with time zone not null,
  request_id uuid not null,
  sent text not null,
  sent_bytes integer not null,
  is_sent_cut boolean not null,
  answer text not null,
  answer_bytes integer not null,
  is_answer_cut boolean not null,
  constraint request_body_pkey PRIMARY KEY (account_id, at, request_id),
  constraint request_body_account_id_at_request_id_fkey FOREIGN KEY (account_id, at, request_id) REFERENCES request_log(account_id, at, request_id) ON DELETE CASCADE,
  constraint request_body_answer_bytes_check CHECK ((answer_bytes >= 0)),
  constraint request_body_sent_bytes_check CHECK ((sent_bytes >= 0))
);

create table request_log (
  account_id uuid not null,
  at timestamp with time zone not null,
  request_id uuid not null,
  key_id uuid,
  door text not null,
  operation text not null,
  target text,
  method text,
  path text,
  status smallint,
  code text not null,
  message text,
  ms real not null,
  from_agent text,
  calls integer not null,
  subject_id uuid,
  constraint request_log_pkey PRIMARY KEY (account_id, at, request_id),
  constraint request_log_calls_check CHECK ((calls > 0))
);

create table resource (
  id uuid not null,
  venue_id uuid not null,
  kind text not null,
  name text not null,
  party_min smallint not null,
  party_max smallint not null,
  joins text,
  can uuid[],
  hours jsonb,
  days_off date[] not null default '{}'::date[],
  leads jsonb,
  retired_at timestamp with time zone,
  constraint resource_pkey PRIMARY KEY (id),
  constraint resource_joins_check CHECK (((length(joins) >= 1) AND (length(joins) <= 60))),
  constraint resource_party CHECK ((party_max >= party_min)),
  constraint resource_party_min_check CHECK ((party_min > 0)),
  constraint resource_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table sandbox_call (
  booking_id uuid not null,
  is_cancel boolean not null,
  calls integer not null,
  first_at timestamp with time zone not null,
  constraint sandbox_call_pkey PRIMARY KEY (booking_id, is_cancel),
  constraint sandbox_call_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint sandbox_call_calls_check CHECK ((calls > 0))
);

create table sandbox_reply (
  booking_id uuid not null,
  status text not null,
  reason text,
  offered_slot_time timestamp without time zone,
  account_id uuid not null,
  due_at timestamp with time zone not null,
  constraint sandbox_reply_pkey PRIMARY KEY (booking_id, status),
  constraint sandbox_reply_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint sandbox_reply_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id)
);

create table second_factor (
  id uuid not null,
  developer_id uuid not null,
  kind text not null,
  name text not null,
  credential_id text,
  public_key bytea,
  secret text,
  counter bigint not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint second_factor_pkey PRIMARY KEY (id),
  constraint second_factor_credential_id_key UNIQUE (credential_id),
  constraint second_factor_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint second_factor_kind_check CHECK ((kind = ANY (ARRAY['passkey'::text, 'totp'::text]))),
  constraint second_factor_name_check CHECK ((char_length(name) <= 100)),
  constraint second_factor_of_kind CHECK (((num_nonnulls(credential_id, public_key) =
CASE kind
    WHEN 'passkey'::text THEN 2
    ELSE 0
END) AND ((secret IS NOT NULL) = (kind = 'totp'::text))))
);

create table sent_mail (
  id uuid not null,
  sent_at timestamp with time zone not null,
  constraint sent_mail_pkey PRIMARY KEY (id)
);

create table service (
  id uuid not null,
  venue_id uuid not null,
  name text not null,
  strategy text not null,
  "position" smallint not null,
  rule_version integer not null,
  constraint service_pkey PRIMARY KEY (id),
  constraint service_id_rule_version_fkey FOREIGN KEY (id, rule_version) REFERENCES service_rules(service_id, version) DEFERRABLE INITIALLY DEFERRED,
  constraint service_strategy_check CHECK ((strategy = ANY (ARRAY['exclusive'::text, 'pooled'::text, 'on_request'::text]))),
  constraint service_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id),
  constraint service_venue_id_position_key UNIQUE (venue_id, "position")
);

create table service_rules (
  service_id uuid not null,
  version integer not null,
  rules jsonb not null,
  created_at timestamp with time zone not null,
  constraint service_rules_pkey PRIMARY KEY (service_id, version),
  constraint service_rules_service_id_fkey FOREIGN KEY (service_id) REFERENCES service(id),
  constraint service_rules_version_check CHECK ((version > 0))
);

create table sign_in_place (
  developer_id uuid not null,
  place bytea not null,
  seen_at timestamp with time zone not null,
  constraint sign_in_place_pkey PRIMARY KEY (developer_id, place),
  constraint sign_in_place_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developer(id) ON DELETE CASCADE,
  constraint sign_in_place_place_check CHECK ((length(place) = 32))
);

create table signing_key (
  id uuid not null,
  endpoint_id uuid not null,
  secret text not null,
  is_shown boolean not null default true,
  valid_from timestamp with time zone,
  valid_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint signing_key_pkey PRIMARY KEY (id),
  constraint signing_key_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoint(id),
  constraint signing_key_valid CHECK (((valid_until IS NULL) OR (valid_from IS NOT NULL)))
);

create table slot_count (
  booking_id uuid,
  walk_in_id uuid,
  service_id uuid not null,
  starts_at timestamp with time zone not null,
  places integer not null,
  active boolean not null,
  of_change boolean not null default false,
  constraint slot_count_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint slot_count_of_one CHECK ((num_nonnulls(booking_id, walk_in_id) = 1)),
  constraint slot_count_once UNIQUE (booking_id, of_change),
  constraint slot_count_places_check CHECK ((places > 0)),
  constraint slot_count_service_id_starts_at_fkey FOREIGN KEY (service_id, starts_at) REFERENCES slot_counter(service_id, starts_at),
  constraint slot_count_walk_in_id_fkey FOREIGN KEY (walk_in_id) REFERENCES walk_in(id)
);

create table slot_counter (
  service_id uuid not null,
  starts_at timestamp with time zone not null,
  cap integer not null,
  used integer not null,
  closed boolean not null default false,
  constraint slot_counter_pkey PRIMARY KEY (service_id, starts_at),
  constraint slot_counter_cap_check CHECK ((cap >= 0)),
  constraint slot_counter_not_oversold CHECK (((used >= 0) AND (used <= cap))),
  constraint slot_counter_service_id_fkey FOREIGN KEY (service_id) REFERENCES service(id)
);

create table sweep_cursor (
  step text not null,
  after_id uuid not null,
  constraint sweep_cursor_pkey PRIMARY KEY (step)
);

create table test_clock (
  account_id uuid not null,
  name text not null,
  ahead_ms bigint not null,
  created_at timestamp with time zone not null,
  advancing_to timestamp with time zone,
  advanced_to timestamp with time zone,
  constraint test_clock_pkey PRIMARY KEY (account_id),
  constraint test_clock_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint test_clock_advance CHECK (((advancing_to IS NULL) OR (NOT (advanced_to IS DISTINCT FROM advancing_to))))
);

create table throttle_window (
  subject bytea not null,
  tries integer not null,
  ends_at timestamp with time zone not null,
  constraint throttle_window_pkey PRIMARY KEY (subject),
  constraint throttle_window_subject_check CHECK ((length(subject) = 32)),
  constraint throttle_window_tries_check CHECK ((tries > 0))
);

create table timeline_entry (
  booking_id uuid not null,
  number integer not null,
  at timestamp with time zone not null,
  by text not null,
  what text not null,
  why text not null,
  revision integer not null,
  status text not null,
  previous bytea not null,
  hash bytea not null,
  preceding integer generated always as (NULLIF((number - 1), 0)) stored,
  constraint timeline_entry_pkey PRIMARY KEY (booking_id, number),
  constraint timeline_entry_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint timeline_entry_booking_id_preceding_fkey FOREIGN KEY (booking_id, preceding) REFERENCES timeline_entry(booking_id, number),
  constraint timeline_entry_by_check CHECK ((by = ANY (ARRAY['agent'::text, 'guest'::text, 'venue'::text, 'network'::text, 'operator'::text]))),
  constraint timeline_entry_hash_check CHECK ((length(hash) = 32)),
  constraint timeline_entry_number_check CHECK ((number > 0)),
  constraint timeline_entry_previous_check CHECK ((length(previous) = 32)),
  constraint timeline_entry_revision_check CHECK ((revision > 0))
);

create table transition (
  booking_id uuid not null,
  transition_id text not null,
  result jsonb not null,
  at timestamp with time zone not null,
  constraint transition_pkey PRIMARY KEY (booking_id, transition_id),
  constraint transition_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES request(booking_id)
);

create table unpublished_slot (
  venue_id uuid not null,
  hour timestamp with time zone not null
);

create table unpublished_venue (
  venue_id uuid not null,
  hour timestamp with time zone not null
);

create table usage_day (
  account_id uuid not null,
  day date not null,
  code text not null,
  calls bigint not null,
  constraint usage_day_pkey PRIMARY KEY (account_id, day, code),
  constraint usage_day_calls_check CHECK ((calls > 0))
);

create table venue (
  id uuid not null,
  slug text not null,
  name text not null,
  category text not null,
  area_slug text not null,
  description text not null,
  tags text[] not null,
  cuisine text[] not null default '{}'::text[],
  address jsonb,
  phone text,
  website text,
  menu_url text,
  photos jsonb not null default '[]'::jsonb,
  opening_hours text,
  facts jsonb not null default '{}'::jsonb,
  price_level smallint not null,
  latitude double precision not null,
  longitude double precision not null,
  confirm_mode text not null,
  is_demo boolean not null,
  takes_test_money boolean not null default false,
  is_test boolean default false,
  language text,
  list_at time without time zone,
  quiet_from time without time zone,
  quiet_until time without time zone,
  document tsvector not null,
  plain_name text not null generated always as (plain_words(name)) stored,
  spot point not null generated always as (map_point(longitude, latitude)) stored,
  off_centre double precision not null,
  created_at timestamp with time zone not null,
  constraint venue_pkey PRIMARY KEY (id),
  constraint venue_address_check CHECK ((jsonb_typeof(address) = 'object'::text)),
  constraint venue_area_slug_fkey FOREIGN KEY (area_slug) REFERENCES area(slug),
  constraint venue_category_check CHECK ((category = ANY (ARRAY['restaurant'::text, 'bar'::text, 'gym'::text, 'spa'::text]))),
  constraint venue_confirm_mode_check CHECK ((confirm_mode = ANY (ARRAY['auto'::text, 'http'::text, 'request'::text]))),
  constraint venue_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text)),
  constraint venue_menu_url_check CHECK ((menu_url ~ '^https?://'::text)),
  constraint venue_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{4,14}$'::text)),
  constraint venue_photos_check CHECK ((jsonb_typeof(photos) = 'array'::text)),
  constraint venue_price_level_check CHECK (((price_level >= 1) AND (price_level <= 4))),
  constraint venue_slug_key UNIQUE (slug),
  constraint venue_website_check CHECK ((website ~ '^https?://'::text))
);

create table venue_link (
  id uuid not null,
  venue_id uuid not null,
  booking_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint venue_link_pkey PRIMARY KEY (id),
  constraint venue_link_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id) ON DELETE CASCADE,
  constraint venue_link_expires_later CHECK ((expires_at > created_at)),
  constraint venue_link_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON DELETE CASCADE
);

create table venue_offer (
  booking_id uuid not null,
  service_id uuid not null,
  rule_version integer not null,
  slot_time timestamp without time zone not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  cancel_until timestamp with time zone not null,
  constraint venue_offer_pkey PRIMARY KEY (booking_id),
  constraint venue_offer_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES booking(id),
  constraint venue_offer_ends_later CHECK ((ends_at > starts_at)),
  constraint venue_offer_service_id_rule_version_fkey FOREIGN KEY (service_id, rule_version) REFERENCES service_rules(service_id, version)
);

create table venue_person (
  id uuid not null,
  venue_id uuid not null,
  name text not null,
  role text not null,
  language text,
  pin_hash text,
  created_at timestamp with time zone not null,
  joined_at timestamp with time zone,
  removed_at timestamp with time zone,
  invitation_id uuid,
  invited_at timestamp with time zone,
  constraint venue_person_pkey PRIMARY KEY (id),
  constraint venue_person_invitation_id_key UNIQUE (invitation_id),
  constraint venue_person_invited CHECK (((invitation_id IS NULL) = (invited_at IS NULL))),
  constraint venue_person_removed CHECK (((removed_at IS NULL) OR ((pin_hash IS NULL) AND (invitation_id IS NULL)))),
  constraint venue_person_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'staff'::text]))),
  constraint venue_person_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON DELETE CASCADE
);

create table venue_person_change (
  id uuid not null,
  venue_id uuid not null,
  at timestamp with time zone not null,
  actor_id uuid,
  person_id uuid,
  action text not null,
  constraint venue_person_change_pkey PRIMARY KEY (id),
  constraint venue_person_change_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES venue_person(id) ON DELETE SET NULL,
  constraint venue_person_change_person_id_fkey FOREIGN KEY (person_id) REFERENCES venue_person(id) ON DELETE CASCADE,
  constraint venue_person_change_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON DELETE CASCADE
);

create table venue_response (
  booking_id uuid not null,
  id text not null,
  revision integer not null,
  status text not null,
  offered_slot_time timestamp without time zone,
  reason text,
  answered_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  effect text,
  person_id uuid,
  constraint venue_response_pkey PRIMARY KEY (booking_id, id),
  constraint venue_response_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES request(booking_id),
  constraint venue_response_booking_id_revision_status_answered_at_key UNIQUE (booking_id, revision, status, answered_at),
  constraint venue_response_offer CHECK (((status = 'offered'::text) = (offered_slot_time IS NOT NULL))),
  constraint venue_response_person_id_fkey FOREIGN KEY (person_id) REFERENCES venue_person(id) ON DELETE SET NULL,
  constraint venue_response_reason_check CHECK ((reason = ANY (ARRAY['full'::text, 'closed'::text, 'party_size'::text, 'short_notice'::text, 'other'::text]))),
  constraint venue_response_status_check CHECK ((status = ANY (ARRAY['confirmed'::text, 'declined'::text, 'cancelled'::text, 'offered'::text, 'no_show'::text, 'attended'::text])))
);

create table venue_source (
  source text not null,
  external_id text not null,
  venue_id uuid not null,
  constraint venue_source_pkey PRIMARY KEY (source, external_id),
  constraint venue_source_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200))),
  constraint venue_source_source_check CHECK (((length(source) >= 1) AND (length(source) <= 200))),
  constraint venue_source_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id),
  constraint venue_source_venue_id_key UNIQUE (venue_id)
);

create table venue_word (
  word text not null,
  in_name boolean not null,
  constraint venue_word_pkey PRIMARY KEY (word)
);

create table waitlist_entry (
  id uuid not null,
  account_id uuid not null,
  venue_id uuid not null,
  slot_time timestamp without time zone not null,
  flex_minutes smallint not null,
  party_size integer not null,
  service_id uuid,
  session text,
  minutes integer,
  leader_id uuid,
  guest_ref text,
  earliest timestamp with time zone not null,
  latest timestamp with time zone not null,
  until timestamp with time zone not null,
  hold_seconds integer not null,
  status text not null,
  reason_code text,
  queued_at timestamp with time zone not null,
  turns_missed smallint not null default 0,
  hold_id uuid,
  nth smallint,
  door text not null,
  from_agent text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint waitlist_entry_pkey PRIMARY KEY (id),
  constraint waitlist_entry_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint waitlist_entry_flex_minutes_check CHECK (((flex_minutes >= 0) AND (flex_minutes <= 120))),
  constraint waitlist_entry_hold CHECK (((status <> 'offered'::text) OR (hold_id IS NOT NULL))),
  constraint waitlist_entry_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES booking(id),
  constraint waitlist_entry_hold_seconds_check CHECK ((hold_seconds > 0)),
  constraint waitlist_entry_limit CHECK (((nth >= 1) AND (nth <= 20))),
  constraint waitlist_entry_live CHECK (((status = ANY (ARRAY['watching'::text, 'offered'::text])) = (nth IS NOT NULL))),
  constraint waitlist_entry_nth UNIQUE (account_id, nth),
  constraint waitlist_entry_party_size_check CHECK ((party_size > 0)),
  constraint waitlist_entry_span CHECK ((latest >= earliest)),
  constraint waitlist_entry_status_check CHECK ((status = ANY (ARRAY['watching'::text, 'offered'::text, 'fulfilled'::text, 'cancelled'::text, 'expired'::text]))),
  constraint waitlist_entry_until CHECK ((until <= latest)),
  constraint waitlist_entry_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table waitlist_turn (
  hold_id uuid not null,
  entry_id uuid not null,
  freed_by uuid,
  offered_at timestamp with time zone not null,
  is_started boolean not null default false,
  constraint waitlist_turn_pkey PRIMARY KEY (hold_id),
  constraint waitlist_turn_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES waitlist_entry(id),
  constraint waitlist_turn_freed_by_fkey FOREIGN KEY (freed_by) REFERENCES booking(id),
  constraint waitlist_turn_hold_id_fkey FOREIGN KEY (hold_id) REFERENCES booking(id)
);

create table waitlist_venue (
  venue_id uuid not null,
  checked_at timestamp with time zone not null,
  constraint waitlist_venue_pkey PRIMARY KEY (venue_id),
  constraint waitlist_venue_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table walk_in (
  id uuid not null,
  venue_id uuid not null,
  service_id uuid not null,
  party_size integer not null,
  slot_time timestamp without time zone not null,
  starts_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  person_id uuid,
  created_at timestamp with time zone not null,
  freed_at timestamp with time zone,
  freed_by uuid,
  constraint walk_in_pkey PRIMARY KEY (id),
  constraint walk_in_ends_later CHECK ((ends_at > starts_at)),
  constraint walk_in_party_size_check CHECK ((party_size > 0)),
  constraint walk_in_person_id_fkey FOREIGN KEY (person_id) REFERENCES venue_person(id) ON DELETE SET NULL,
  constraint walk_in_service_id_fkey FOREIGN KEY (service_id) REFERENCES service(id),
  constraint walk_in_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id)
);

create table x402_local_transfer (
  hash text not null,
  network text not null,
  sender text not null,
  recipient text not null,
  amount bigint not null,
  nonce text not null,
  at timestamp with time zone not null,
  constraint x402_local_transfer_pkey PRIMARY KEY (hash),
  constraint x402_local_transfer_amount_check CHECK ((amount > 0)),
  constraint x402_local_transfer_network_sender_nonce_key UNIQUE (network, sender, nonce)
);

create table x402_local_wallet (
  network text not null,
  address text not null,
  balance bigint not null,
  constraint x402_local_wallet_pkey PRIMARY KEY (network, address),
  constraint x402_local_wallet_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text)),
  constraint x402_local_wallet_balance_check CHECK ((balance >= 0))
);

create table x402_payer (
  network text not null,
  address text not null,
  account_id uuid not null,
  created_at timestamp with time zone not null,
  constraint x402_payer_pkey PRIMARY KEY (network, address),
  constraint x402_payer_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint x402_payer_account_id_key UNIQUE (account_id),
  constraint x402_payer_address_check CHECK ((address ~ '^0x[0-9a-f]{40}$'::text))
);

create table x402_payment (
  id uuid not null,
  account_id uuid not null,
  booking_id uuid not null,
  network text not null,
  payer text not null,
  nonce text not null,
  payload jsonb not null,
  payload_hash bytea not null,
  requirements jsonb not null,
  requirements_hash bytea not null,
  asset text not null,
  amount bigint not null,
  price_minor bigint not null,
  currency character(3) not null,
  rate numeric not null,
  valid_before timestamp with time zone not null,
  state text not null,
  attempts integer not null default 0,
  transaction text,
  error text,
  refund_reason text,
  refund_transaction text,
  checked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint x402_payment_pkey PRIMARY KEY (id),
  constraint x402_payment_account_id_fkey FOREIGN KEY (account_id) REFERENCES account(id),
  constraint x402_payment_amount_check CHECK ((amount > 0)),
  constraint x402_payment_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES request(booking_id),
  constraint x402_payment_booking_id_key UNIQUE (booking_id),
  constraint x402_payment_bounded CHECK (((valid_before > created_at) AND (valid_before <= (created_at + '00:15:00'::interval)))),
  constraint x402_payment_failure CHECK (((state <> 'failed'::text) OR (error IS NOT NULL))),
  constraint x402_payment_network_payer_nonce_key UNIQUE (network, payer, nonce),
  constraint x402_payment_network_transaction_key UNIQUE (network, transaction),
  constraint x402_payment_nonce_check CHECK ((nonce ~ '^0x[0-9a-f]{64}$'::text)),
  constraint x402_payment_payer_check CHECK ((payer ~ '^0x[0-9a-f]{40}$'::text)),
  constraint x402_payment_price_minor_check CHECK ((price_minor >= 0)),
  constraint x402_payment_proof CHECK (((state = ANY (ARRAY['settled'::text, 'refund_due'::text, 'refunded'::text])) = (transaction IS NOT NULL))),
  constraint x402_payment_rate_check CHECK ((rate > (0)::numeric)),
  constraint x402_payment_refund CHECK (((state = 'refunded'::text) = (refund_transaction IS NOT NULL))),
  constraint x402_payment_state_check CHECK ((state = ANY (ARRAY['verified'::text, 'settling'::text, 'unknown'::text, 'settled'::text, 'failed'::text, 'refund_due'::text, 'refunded'::text])))
);

create view booking_view as
 SELECT r.booking_id AS id,
    r.account_id,
        CASE
            WHEN (b.id IS NOT NULL) THEN b.status
            WHEN (r.answer IS NOT NULL) THEN 'failed'::text
            ELSE 'pending'::text
        END AS status,
    r.venue_id,
    v.slug AS venue_slug,
    v.name AS venue_name,
    COALESCE(b.slot_time, r.slot_time) AS slot_time,
    a.timezone,
    b.starts_at,
    b.ends_at,
    COALESCE(b.party_size, r.party_size) AS party_size,
    COALESCE(b.fee_status, 'none'::text) AS fee_status,
    v.is_demo,
    r.paid_by,
    COALESCE(f.amount_minor, (0)::bigint) AS fee_amount_minor,
    a.currency,
    f.pct AS fee_pct,
    COALESCE(b.revision, 0) AS revision,
    COALESCE(b.reason_code, (r.answer #>> '{refusal,code}'::text[])) AS reason_code,
    r.created_at,
    COALESCE(b.updated_at, r.created_at) AS updated_at,
    COALESCE(b.confirm_mode, v.confirm_mode) AS confirm_mode,
        CASE
            WHEN (b.status = 'held'::text) THEN b.hold_until
            ELSE NULL::timestamp with time zone
        END AS hold_until,
        CASE
            WHEN (b.status = ANY (ARRAY['pending'::text, 'offered'::text])) THEN b.answer_by
            ELSE NULL::timestamp with time zone
        END AS answer_by,
    b.cancel_until,
    b.cancelled_by
   FROM ((((request r
     JOIN venue v ON ((v.id = r.venue_id)))
     JOIN area a ON ((a.slug = v.area_slug)))
     LEFT JOIN booking b ON ((b.id = r.booking_id)))
     LEFT JOIN fee_entry f ON (((f.booking_id = r.booking_id) AND (f.kind = 'accrual'::text) AND (f.reversed_by IS NULL))));

CREATE INDEX account_by_name ON public.account USING btree (lower(name) text_pattern_ops);

CREATE UNIQUE INDEX account_default_sandbox ON public.account USING btree (live_account_id) WHERE (sandbox_kind = 'default'::text);

CREATE INDEX account_sandboxes ON public.account USING btree (live_account_id, id) WHERE (live_account_id IS NOT NULL);

CREATE INDEX account_suspended ON public.account USING btree (id DESC) WHERE (suspended_at IS NOT NULL);

CREATE INDEX activity_hour_idx ON public.activity USING btree (hour) WHERE (type <> 'venue.added'::text);

CREATE INDEX agent_document ON public.agent USING gin (document) WHERE (is_public AND (deleted_at IS NULL));

CREATE INDEX agent_of_account ON public.agent USING btree (account_id, name COLLATE "C") WHERE (account_id IS NOT NULL);

CREATE UNIQUE INDEX agent_one_name ON public.agent USING btree (lower(name));

CREATE INDEX agent_public ON public.agent USING btree (name COLLATE "C") WHERE (is_public AND (deleted_at IS NULL));

CREATE INDEX agent_name_account ON public.agent_name USING btree (account_id) WHERE (NOT is_registered);

CREATE INDEX agent_name_used ON public.agent_name USING btree (used_at) WHERE (NOT is_registered);

CREATE INDEX allocation_of_walk_in ON public.allocation USING btree (walk_in_id) WHERE (walk_in_id IS NOT NULL);

CREATE INDEX allocation_venue_id_lower_idx ON public.allocation USING btree (venue_id, lower(during)) WHERE active;

CREATE INDEX api_key_account_id_id_idx ON public.api_key USING btree (account_id, id DESC);

CREATE INDEX api_key_hint ON public.api_key USING btree (hint);

CREATE INDEX api_key_made_by ON public.api_key USING btree (made_by) WHERE (made_by IS NOT NULL);

CREATE INDEX attempt_endpoint_id_started_at_id_idx ON public.attempt USING btree (endpoint_id, started_at DESC, id DESC);

CREATE INDEX attempt_open ON public.attempt USING btree (endpoint_id) WHERE (status = 'sending'::text);

CREATE INDEX attempt_started_at_idx ON public.attempt USING btree (started_at) WHERE (delivery_id IS NULL);

CREATE INDEX booking_answer_due ON public.booking USING btree (answer_by) WHERE ((status = 'pending'::text) OR (change_phase IS NOT NULL));

CREATE UNIQUE INDEX booking_any_of_one ON public.booking USING btree (group_id) WHERE ((status = 'confirmed'::text) AND (group_kind = 'any_of'::text));

CREATE INDEX booking_by_slot ON public.booking USING btree (account_id, slot_time) INCLUDE (id);

CREATE INDEX booking_by_status ON public.booking USING btree (account_id, status, id DESC);

CREATE INDEX booking_given_up ON public.booking USING btree (updated_at) WHERE (venue_sync = 'given_up'::text);

CREATE INDEX booking_group_id_idx ON public.booking USING btree (group_id) WHERE (group_id IS NOT NULL);

CREATE INDEX booking_guest_notice ON public.booking USING btree (updated_at) WHERE (guest_notice IS NOT NULL);

CREATE INDEX booking_history ON public.booking USING btree (account_id, id) WHERE ((history_erased_at IS NULL) AND (next_action_at IS NULL));

CREATE INDEX booking_next_action_at_idx ON public.booking USING btree (next_action_at) WHERE (next_action_at IS NOT NULL);

CREATE INDEX booking_notice_due ON public.booking USING btree (updated_at) WHERE (notice_due IS NOT NULL);

CREATE INDEX booking_updated_at_idx ON public.booking USING btree (updated_at) WHERE (change_phase IS NOT NULL);

CREATE INDEX booking_venue_id_starts_at_idx ON public.booking USING btree (venue_id, starts_at);

CREATE INDEX booking_group_account_id_id_idx ON public.booking_group USING btree (account_id, id DESC);

CREATE INDEX booking_group_next_action_at_idx ON public.booking_group USING btree (next_action_at) WHERE (next_action_at IS NOT NULL);

CREATE INDEX booking_guest_email ON public.booking_guest USING btree (lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX booking_guest_erase_after_idx ON public.booking_guest USING btree (erase_after);

CREATE INDEX booking_guest_phone ON public.booking_guest USING btree ("right"(regexp_replace(phone, '[^0-9]'::text, ''::text, 'g'::text), 8)) WHERE (phone IS NOT NULL);

CREATE INDEX clock_turn_clock ON public.clock_turn USING btree (clock_id);

CREATE INDEX command_booking_id_idx ON public.command USING btree (booking_id);

CREATE INDEX command_created_at_idx ON public.command USING btree (created_at) WHERE ((answer IS NULL) AND (begun_at IS NULL));

CREATE INDEX command_failed ON public.command USING btree (created_at) WHERE (failures > 0);

CREATE INDEX connector_read_at_idx ON public.connector USING btree (read_at NULLS FIRST);

CREATE INDEX day_exception_date_idx ON public.day_exception USING btree (date);

CREATE UNIQUE INDEX day_exception_of_area ON public.day_exception USING btree (area_slug, date) WHERE (area_slug IS NOT NULL);

CREATE UNIQUE INDEX day_exception_of_country ON public.day_exception USING btree (country, date) WHERE (country IS NOT NULL);

CREATE UNIQUE INDEX day_exception_of_venue ON public.day_exception USING btree (venue_id, date) WHERE (venue_id IS NOT NULL);

CREATE INDEX delivery_by_time ON public.delivery USING btree (endpoint_id, created_at) INCLUDE (id, event_number);

CREATE INDEX delivery_by_type ON public.delivery USING btree (endpoint_id, event_type, event_number DESC);

CREATE INDEX delivery_due ON public.delivery USING btree (endpoint_id, ((replay_id IS NOT NULL)), due_at, event_number) WHERE (status = 'pending'::text);

CREATE INDEX delivery_endpoint_id_status_event_number_idx ON public.delivery USING btree (endpoint_id, status, event_number DESC);

CREATE INDEX delivery_in_trouble ON public.delivery USING btree (endpoint_id, event_number) WHERE ((status = 'pending'::text) AND (tries > 0));

CREATE INDEX delivery_of_event ON public.delivery USING btree (account_id, event_number);

CREATE INDEX delivery_replay_id_status_idx ON public.delivery USING btree (replay_id, status) WHERE (replay_id IS NOT NULL);

CREATE INDEX delivery_sending ON public.delivery USING btree (endpoint_id) WHERE (status = 'sending'::text);

CREATE INDEX delivery_updated_at_idx ON public.delivery USING btree (updated_at) WHERE (status <> ALL (ARRAY['pending'::text, 'sending'::text]));

CREATE UNIQUE INDEX developer_lower_idx ON public.developer USING btree (lower(email));

CREATE INDEX developer_session_developer_id_idx ON public.developer_session USING btree (developer_id);

CREATE INDEX developer_session_expires_at_idx ON public.developer_session USING btree (expires_at);

CREATE INDEX dunning_due ON public.dunning USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX dunning_unmailed ON public.dunning USING btree (due_id) WHERE (mailed < notices);

CREATE INDEX dunning_unpaid ON public.dunning USING btree (account_id) WHERE ((pro_ended_at IS NOT NULL) AND (paid_at IS NULL));

CREATE INDEX early_close_date_idx ON public.early_close USING btree (date);

CREATE INDEX endpoint_account_id_id_idx ON public.endpoint USING btree (account_id, id DESC) WHERE (deleted_at IS NULL);

CREATE INDEX endpoint_id_idx ON public.endpoint USING btree (id) WHERE ((status = 'active'::text) AND (deleted_at IS NULL));

CREATE INDEX endpoint_in_trouble ON public.endpoint USING btree (failing_since, id) WHERE ((deleted_at IS NULL) AND ((failing_since IS NOT NULL) OR (status = 'disabled'::text)));

CREATE INDEX endpoint_command_at_idx ON public.endpoint_command USING btree (at);

CREATE INDEX event_public ON public.event USING btree (id) WHERE (type = 'booking.confirmed'::text);

CREATE INDEX fee_entry_account_id_created_at_idx ON public.fee_entry USING btree (account_id, created_at);

CREATE UNIQUE INDEX fee_entry_one_accrual ON public.fee_entry USING btree (booking_id) WHERE ((kind = 'accrual'::text) AND (reversed_by IS NULL));

CREATE INDEX guest_mail_account ON public.guest_mail USING btree (account_id, at);

CREATE INDEX guest_mail_address ON public.guest_mail USING btree (address, at);

CREATE INDEX idempotency_key_created_at_idx ON public.idempotency_key USING btree (created_at);

CREATE INDEX invitation_expires_at_idx ON public.invitation USING btree (expires_at);

CREATE UNIQUE INDEX invitation_of_address ON public.invitation USING btree (account_id, lower(email));

CREATE UNIQUE INDEX invoice_once ON public.invoice USING btree (account_id, month, currency) WHERE (kind = 'invoice'::text);

CREATE INDEX invoice_open ON public.invoice USING btree (due_at) WHERE (status = 'open'::text);

CREATE INDEX invoice_line_booking ON public.invoice_line USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX ledger_entry_of_account ON public.ledger_entry USING btree (account_id, at DESC, id DESC);

CREATE INDEX mail_created_at_idx ON public.mail USING btree (created_at);

CREATE INDEX mailed_token_developer_id_idx ON public.mailed_token USING btree (developer_id);

CREATE INDEX mailed_token_expires_at_idx ON public.mailed_token USING btree (expires_at);

CREATE UNIQUE INDEX mailed_token_unused ON public.mailed_token USING btree (developer_id, purpose) WHERE (used_at IS NULL);

CREATE INDEX member_developer_id_idx ON public.member USING btree (developer_id);

CREATE INDEX notice_booking ON public.notice USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX notice_created ON public.notice USING btree (created_at);

CREATE INDEX notice_next_at ON public.notice USING btree (next_at) WHERE (next_at IS NOT NULL);

CREATE INDEX notice_attempt_channel ON public.notice_attempt USING btree (channel_id);

CREATE INDEX notice_channel_address ON public.notice_channel USING btree (address_digest);

CREATE INDEX notice_channel_person ON public.notice_channel USING btree (person_id, "position");

CREATE INDEX oauth_artifact_expires_at_idx ON public.oauth_artifact USING btree (expires_at);

CREATE INDEX oauth_artifact_grant_id_idx ON public.oauth_artifact USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX oauth_grant_client_id_idx ON public.oauth_grant USING btree (client_id);

CREATE INDEX oauth_grant_of_account ON public.oauth_grant USING btree (member_account_id, developer_id, id DESC);

CREATE INDEX passkey_challenge_expires_at_idx ON public.passkey_challenge USING btree (expires_at);

CREATE INDEX passkey_challenge_session_id_idx ON public.passkey_challenge USING btree (session_id);

CREATE INDEX payment_authorized ON public.payment USING btree (id) WHERE (state = 'authorized'::text);

CREATE UNIQUE INDEX payment_in_flight ON public.payment USING btree (due_id) WHERE (state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text, 'authorized'::text]));

CREATE INDEX payment_of_account ON public.payment USING btree (account_id, id DESC);

CREATE UNIQUE INDEX payment_of_booking ON public.payment USING btree (booking_id) WHERE (state = ANY (ARRAY['processing'::text, 'unknown'::text, 'authorized'::text, 'succeeded'::text]));

CREATE UNIQUE INDEX payment_of_pro_in_flight ON public.payment USING btree (account_id) WHERE ((purpose = 'pro'::text) AND (state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text])));

CREATE UNIQUE INDEX payment_settles_once ON public.payment USING btree (due_id) WHERE ((state = 'succeeded'::text) AND (NOT is_surplus));

CREATE INDEX payment_undecided ON public.payment USING btree (updated_at) WHERE (state = ANY (ARRAY['created'::text, 'processing'::text, 'unknown'::text]));

CREATE INDEX plan_change_account_id_id_idx ON public.plan_change USING btree (account_id, id DESC);

CREATE INDEX provider_event_age ON public.provider_event USING btree (received_at);

CREATE INDEX refund_of_payment ON public.refund USING btree (payment_id);

CREATE INDEX refund_undecided ON public.refund USING btree (updated_at) WHERE (state = ANY (ARRAY['processing'::text, 'unknown'::text]));

CREATE INDEX replay_endpoint_id_id_idx ON public.replay USING btree (endpoint_id, id DESC);

CREATE UNIQUE INDEX replay_one_at_a_time ON public.replay USING btree (endpoint_id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text]));

CREATE INDEX request_account_id_booking_id_idx ON public.request USING btree (account_id, booking_id DESC);

CREATE INDEX request_from_agent ON public.request USING btree (account_id, from_agent) WHERE (from_agent IS NOT NULL);

CREATE INDEX request_guest ON public.request USING btree (account_id, guest_ref) WHERE (guest_ref IS NOT NULL);

CREATE INDEX request_unbooked ON public.request USING btree (account_id, booking_id DESC) WHERE ((answer IS NULL) OR (answer ? 'refusal'::text));

CREATE INDEX request_undecided ON public.request USING btree (account_id, booking_id DESC, created_at) WHERE (answer IS NULL);

CREATE INDEX request_log_account_id_operation_key_id_door_idx ON public.request_log USING btree (account_id, operation, key_id, door);

CREATE INDEX request_log_age ON public.request_log USING brin (at);

CREATE INDEX request_log_refused ON public.request_log USING btree (account_id, at, request_id) WHERE (code <> 'ok'::text);

CREATE INDEX request_log_subject ON public.request_log USING btree (account_id, subject_id, at, request_id) WHERE (subject_id IS NOT NULL);

CREATE INDEX resource_venue_id_kind_idx ON public.resource USING btree (venue_id, kind);

CREATE INDEX sandbox_call_first_at_idx ON public.sandbox_call USING btree (first_at);

CREATE INDEX sandbox_reply_account_id_due_at_idx ON public.sandbox_reply USING btree (account_id, due_at);

CREATE INDEX sandbox_reply_due_at_idx ON public.sandbox_reply USING btree (due_at);

CREATE INDEX second_factor_developer_id_idx ON public.second_factor USING btree (developer_id);

CREATE UNIQUE INDEX second_factor_totp ON public.second_factor USING btree (developer_id) WHERE (kind = 'totp'::text);

CREATE INDEX sign_in_place_seen_at_idx ON public.sign_in_place USING btree (seen_at);

CREATE INDEX signing_key_endpoint_id_valid_until_idx ON public.signing_key USING btree (endpoint_id, valid_until);

CREATE UNIQUE INDEX signing_key_one_newest ON public.signing_key USING btree (endpoint_id) WHERE ((valid_from IS NOT NULL) AND (valid_until IS NULL));

CREATE UNIQUE INDEX signing_key_one_staged ON public.signing_key USING btree (endpoint_id) WHERE (valid_from IS NULL);

CREATE INDEX slot_count_of_counter ON public.slot_count USING btree (service_id, starts_at);

CREATE INDEX slot_count_of_walk_in ON public.slot_count USING btree (walk_in_id) WHERE (walk_in_id IS NOT NULL);

CREATE INDEX test_clock_advancing ON public.test_clock USING btree (account_id) WHERE (advancing_to IS NOT NULL);

CREATE INDEX throttle_window_ends_at_idx ON public.throttle_window USING btree (ends_at);

CREATE INDEX usage_day_day_idx ON public.usage_day USING btree (day);

CREATE INDEX venue_document ON public.venue USING gin (category, area_slug, document);

CREATE INDEX venue_in_area ON public.venue USING btree (area_slug, off_centre, slug);

CREATE INDEX venue_near ON public.venue USING gist (category, spot);

CREATE INDEX venue_of_kind ON public.venue USING btree (category, off_centre, slug);

CREATE INDEX venue_of_kind_in_area ON public.venue USING btree (category, area_slug, off_centre, slug);

CREATE INDEX venue_plain_name_idx ON public.venue USING btree (plain_name);

CREATE INDEX venue_slug_nearest_idx ON public.venue USING gist (slug gist_trgm_ops (siglen='64'));

CREATE UNIQUE INDEX venue_link_booking ON public.venue_link USING btree (booking_id) WHERE (revoked_at IS NULL);

CREATE INDEX venue_link_venue ON public.venue_link USING btree (venue_id, created_at);

CREATE INDEX venue_person_venue ON public.venue_person USING btree (venue_id, created_at);

CREATE INDEX venue_person_change_venue ON public.venue_person_change USING btree (venue_id, at);

CREATE INDEX venue_response_received_at_idx ON public.venue_response USING btree (received_at) WHERE (effect IS NULL);

CREATE INDEX venue_word_word_idx ON public.venue_word USING gist (word gist_trgm_ops (siglen='64')) WHERE in_name;

CREATE INDEX waitlist_entry_account_id_id_idx ON public.waitlist_entry USING btree (account_id, id DESC);

CREATE UNIQUE INDEX waitlist_entry_hold_id_idx ON public.waitlist_entry USING btree (hold_id);

CREATE INDEX waitlist_entry_queue ON public.waitlist_entry USING btree (venue_id, queued_at, id) WHERE (status = 'watching'::text);

CREATE INDEX waitlist_entry_until_idx ON public.waitlist_entry USING btree (until) WHERE (nth IS NOT NULL);

CREATE INDEX waitlist_turn_freed_by_idx ON public.waitlist_turn USING btree (freed_by) WHERE (NOT is_started);

CREATE INDEX waitlist_turn_offered_at_idx ON public.waitlist_turn USING btree (offered_at) WHERE (NOT is_started);

CREATE INDEX walk_in_venue ON public.walk_in USING btree (venue_id, starts_at);

CREATE INDEX x402_payment_account ON public.x402_payment USING btree (account_id, created_at);

CREATE INDEX x402_payment_open ON public.x402_payment USING btree (updated_at) WHERE (state <> ALL (ARRAY['settled'::text, 'failed'::text, 'refunded'::text]));

CREATE INDEX x402_payment_unchecked ON public.x402_payment USING btree (id) WHERE ((state = 'failed'::text) AND (checked_at IS NULL) AND (attempts > 0));

CREATE TRIGGER audit_entry_is_fixed BEFORE UPDATE ON public.audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_update();

CREATE TRIGGER booking_test_apart BEFORE INSERT ON public.booking FOR EACH ROW EXECUTE FUNCTION keep_test_apart();

CREATE TRIGGER ended_unpaid AFTER UPDATE OF status ON public.booking FOR EACH ROW WHEN (((new.status = ANY (ARRAY['declined'::text, 'expired'::text, 'cancelled'::text, 'released'::text, 'failed'::text])) AND (new.status <> old.status) AND (new.fee_status = ANY (ARRAY['none'::text, 'reversed'::text])))) EXECUTE FUNCTION end_payment();

CREATE TRIGGER paid_first AFTER UPDATE OF status ON public.booking FOR EACH ROW WHEN (((new.status = ANY (ARRAY['pending'::text, 'confirmed'::text])) AND (old.status = 'held'::text))) EXECUTE FUNCTION require_paid();

CREATE TRIGGER timeline_required BEFORE UPDATE ON public.booking FOR EACH ROW WHEN (((new.revision <> old.revision) AND (new.timeline_length = old.timeline_length))) EXECUTE FUNCTION require_timeline_entry();

CREATE TRIGGER all_or_nothing BEFORE UPDATE OF status ON public.booking_group FOR EACH ROW WHEN ((new.kind = 'itinerary'::text)) EXECUTE FUNCTION check_itinerary();

CREATE TRIGGER fee_in_ledger AFTER INSERT ON public.fee_entry FOR EACH ROW EXECUTE FUNCTION post_fee();

CREATE TRIGGER invoice_is_fixed BEFORE DELETE OR UPDATE ON public.invoice FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change();

CREATE TRIGGER invoice_line_is_fixed BEFORE DELETE OR UPDATE OR TRUNCATE ON public.invoice_line FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

CREATE TRIGGER ledger_entry_is_fixed BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();

CREATE TRIGGER payment_stays_paid BEFORE UPDATE ON public.payment FOR EACH ROW EXECUTE FUNCTION refuse_unpaid();

CREATE TRIGGER plan_period_in_ledger AFTER INSERT ON public.plan_period FOR EACH ROW EXECUTE FUNCTION post_plan_period();

CREATE TRIGGER paid_by BEFORE INSERT ON public.request FOR EACH ROW EXECUTE FUNCTION set_paid_by();

CREATE TRIGGER refused_unpaid AFTER UPDATE OF answer ON public.request FOR EACH ROW WHEN (((old.answer IS NULL) AND (new.answer ? 'refusal'::text))) EXECUTE FUNCTION lapse_x402_payment();

CREATE TRIGGER immutable BEFORE DELETE OR UPDATE ON public.service_rules FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER immutable BEFORE DELETE OR UPDATE ON public.timeline_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER learn_changed AFTER UPDATE ON public.venue REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION learn_words();

CREATE TRIGGER learn_new AFTER INSERT ON public.venue REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION learn_words();

CREATE TRIGGER place BEFORE INSERT OR UPDATE OF area_slug, latitude, longitude ON public.venue FOR EACH ROW EXECUTE FUNCTION place_venue();

CREATE TRIGGER forward BEFORE UPDATE OF state ON public.x402_payment FOR EACH ROW EXECUTE FUNCTION check_x402_move();

CREATE TRIGGER payment_in_ledger AFTER UPDATE OF state ON public.x402_payment FOR EACH ROW WHEN ((new.state <> old.state)) EXECUTE FUNCTION post_x402_move();
