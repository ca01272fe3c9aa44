import sql from 'sql-template-tag'
import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { languages } from '../../base/languages.ts'
import { boolean } from '../../platform/database/columns.ts'
import type { DueRows } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const detail = z.string().optional()
export const guestRow = z.object({
  /** only of a command, until its booking has it */
  guest_ref: detail,
  name: detail,
  phone: detail,
  email: detail,
  notes: detail,
  notify: z.boolean().optional(),
  language: z.enum(languages).optional(),
})

/**
 * The guest's details and wishes for the venue, and whether they want emails. Erased after
 * `eraseAfter`.
 */
export type GuestDetails = { details: z.infer<typeof guestRow>; eraseAfter: Date }

const KEPT_MS = 90 * DAY_MS

/** When to erase the guest details of a booking for this slot. */
export const guestKeptUntil = (startsAt: Date): Date => new Date(startsAt.getTime() + KEPT_MS)

/** The `booking_guest` columns that `guestValues` fills. */
export const guestColumns = sql`name, phone, email, notes, notify, language`

/** Extracts the values of these columns from details in JSON. */
export const guestValues = (details: string | null) => sql`
  ${details}::jsonb ->> 'name', ${details}::jsonb ->> 'phone', ${details}::jsonb ->> 'email',
  ${details}::jsonb ->> 'notes', coalesce((${details}::jsonb ->> 'notify')::boolean, false),
  ${details}::jsonb ->> 'language'`

/**
 * Adds details to a booking that no venue knows of. A name replaces all personal details, and that
 * of another guest the notes too.
 */
export function upsertGuest(tx: Db, bookingId: string, { details, eraseAfter }: GuestDetails) {
  return query.execute(tx)`
    insert into booking_guest as g (booking_id, erase_after, ${guestColumns})
    select ${bookingId}::uuid, ${eraseAfter}::timestamptz, ${guestValues(JSON.stringify(details))}
    on conflict (booking_id) do update set name = coalesce(excluded.name, g.name),
      phone = case when excluded.name is null then g.phone else excluded.phone end,
      email = case when excluded.name is null then g.email else excluded.email end,
      notify = case when excluded.name is null then g.notify else excluded.notify end,
      language = case when excluded.name is null then g.language else excluded.language end,
      notes = case when plain_words(g.name) <> plain_words(excluded.name) then excluded.notes
        else coalesce(excluded.notes, g.notes) end`
}

/** Adds what is lacking of these details of the same guest, and replaces nothing. */
export const fillGuest = (tx: Db, id: string, { details, eraseAfter }: GuestDetails) =>
  query.execute(tx)`
    insert into booking_guest as g (booking_id, erase_after, ${guestColumns})
    select ${id}::uuid, ${eraseAfter}::timestamptz, ${guestValues(JSON.stringify(details))}
    on conflict (booking_id) do update set name = coalesce(g.name, excluded.name),
      phone = coalesce(g.phone, excluded.phone), email = coalesce(g.email, excluded.email),
      notify = case when g.email is null then excluded.notify else g.notify end,
      language = case when g.name is null then excluded.language else g.language end,
      notes = coalesce(g.notes, excluded.notes)`

/** Gives a booking the details stored under another id. */
export const copyGuest = (tx: Db, fromId: string, toId: string) =>
  query.execute(tx)`
    insert into booking_guest (booking_id, erase_after, ${guestColumns})
    select ${toId}::uuid, erase_after, ${guestColumns} from booking_guest
    where booking_id = ${fromId}`

/** An SQL condition: these details would add nothing to a booking's stored ones. */
export const isKnown = (bookingId: string, { guest_ref, ...rest }: GuestDetails['details']) => sql`
  ${areKnown(bookingId, rest)} and (${guest_ref}::text is null or exists (
    select from request where booking_id = ${bookingId} and guest_ref = ${guest_ref}))`

const areKnown = (
  bookingId: string,
  { name, phone, email, notes, notify = false, language }: GuestDetails['details'],
) =>
  name === undefined && notes === undefined
    ? sql`true`
    : sql`exists (
        select from booking_guest g where booking_id = ${bookingId}
          and (${name}::text is null or (g.name, g.phone, g.email, g.notify, g.language)
            is not distinct from (${name}::text, ${phone}::text, ${email}::text,
              ${notify}::boolean, ${language}::text))
          and (${notes}::text is null or g.notes = ${notes}))`

/** Whether these details would add nothing to a booking's stored ones. */
export const isGuestKnown = (tx: Db, bookingId: string, details: GuestDetails['details']) =>
  query.value(tx, boolean)`select ${isKnown(bookingId, details)} as is_known`

/** Moves the erasure date of guest details with the slot. */
export const updateErasure = (tx: Db, bookingId: string, eraseAfter: Date) =>
  query.execute(tx)`
    update booking_guest set erase_after = ${eraseAfter} where booking_id = ${bookingId}`

/**
 * Erases guest details that are due, and what their requests store about guests: the account's
 * reference, digests and recorded bodies. A group keeps these until its last guest is erased.
 */
export const dueGuestDetails = (at: Date): DueRows => ({
  from: 'booking_guest',
  id: 'booking_id',
  where: sql`erase_after < ${at} and not exists (
    select from (
      select booking_id as id, account_id from request
      union all select id, account_id from waitlist_entry) of_guest
    join test_clock using (account_id) where of_guest.id = booking_guest.booking_id)`,
  order: 'erase_after',
  change: (ids) => sql`
    with due as (
      delete from booking_guest where booking_id = any(array(${ids})) returning booking_id
    ), notices as (
      update booking set guest_notice = null
      where id in (select booking_id from due) and guest_notice is not null
    ), sent as (
      delete from guest_mail where booking_id in (select booking_id from due)
    ), mails as (
      delete from mail where subject_id in (select booking_id from due)
    ), bodies as (
      delete from request_body b
      using request_log l, request r left join group_member m using (booking_id)
      where r.booking_id in (select booking_id from due) and l.account_id = r.account_id
        and l.subject_id is not null and l.subject_id in (r.booking_id, m.group_id)
        and (b.account_id, b.at, b.request_id) = (l.account_id, l.at, l.request_id)
    ), requests as (
      update request set guest_ref = null, natural_key = null, body_hash = ''
      where booking_id in (select booking_id from due)
    ), watches as (
      update waitlist_entry set guest_ref = null where id in (select booking_id from due)
    ), groups as (
      update booking_group g set guest_ref = null, natural_key = null, body_hash = ''
      where g.id in (select group_id from group_member where booking_id in (select * from due))
        and not exists (
          select from group_member m join booking_guest o on o.booking_id = m.booking_id
          where m.group_id = g.id and m.booking_id not in (select * from due))
    )
    select from due`,
})
