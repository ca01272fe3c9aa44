import type { MigrationBuilder } from 'node-pg-migrate'

/**
 * What guests are told by mail. The index by which the sweep finds mails that nobody sends is built
 * concurrently, outside a transaction; an interrupted build is dropped and repeated.
 */
export async function up(pgm: MigrationBuilder): Promise<void> {
  pgm.noTransaction()
  // Whether the guest wants mails, and in which language
  pgm.sql(`alter table booking_guest add column if not exists notify boolean not null default false,
    add column if not exists language text not null default 'en'`)
  // The mail that is due; its number tells it from the others of the booking
  pgm.sql(`alter table booking add column if not exists guest_notice text,
    add column if not exists guest_notice_number integer not null default 0`)
  pgm.sql(`alter table mail add column if not exists attachment jsonb,
    add column if not exists subject_id uuid`)
  // Mails that were sent or are being sent; addresses as keyed digests, for limits
  pgm.sql(`create table if not exists guest_mail (
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
  )`)
  pgm.sql('create index if not exists guest_mail_account on guest_mail (account_id, at)')
  pgm.sql('create index if not exists guest_mail_address on guest_mail (address, at)')
  // Addresses whose owners want no mails, as keyed digests
  pgm.sql(`create table if not exists mail_stop (
    address bytea primary key,
    stopped_at timestamptz not null
  )`)
  // A build waits for every older transaction, however long that takes, and blocks nobody.
  pgm.sql('set lock_timeout = 0')
  pgm.sql('drop index concurrently if exists booking_guest_notice')
  pgm.sql(`create index concurrently booking_guest_notice on booking (updated_at)
    where guest_notice is not null`)
  pgm.sql('reset lock_timeout')
}
