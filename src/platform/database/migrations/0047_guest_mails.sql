-- Up Migration

-- Whether the guest wants mails, and in which language
alter table booking_guest add column notify boolean not null default false,
  add column language text not null default 'en';
-- The mail that is due; its number tells it from the others of the booking
alter table booking add column guest_notice text,
  add column guest_notice_number integer not null default 0;
alter table mail add column attachment jsonb, add column subject_id uuid;
-- Mails that were sent or are being sent; addresses as keyed digests, for limits
create table guest_mail (
  booking_id uuid not null references booking on delete cascade,
  number integer not null,
  id uuid not null,
  kind text not null,
  account_id uuid not null,
  address bytea not null,
  at timestamptz not null,
  -- since when a try is under way
  tried_at timestamptz,
  failures smallint not null default 0,
  sent_at timestamptz,
  primary key (booking_id, number)
);
create index guest_mail_account on guest_mail (account_id, at);
create index guest_mail_address on guest_mail (address, at);
-- Addresses whose owners want no mails, as keyed digests
create table mail_stop (
  address bytea primary key,
  stopped_at timestamptz not null
);
-- by which the sweep finds mails that nobody sends
create index booking_guest_notice on booking (updated_at) where guest_notice is not null;
