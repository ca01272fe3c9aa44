import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { languages } from '../../base/languages.ts'
import type { GuestNotice } from '../../bookings/rules/guest-notices.ts'
import { int } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { MAX_COMPLETED_COUNTED, TRY_MS } from '../rules/mail-limits.ts'

const dueRow = z.object({
  booking_id: z.uuid(),
  account_id: z.uuid(),
  is_test: z.boolean(),
  venue_id: z.uuid(),
  kind: z.custom<GuestNotice>(),
  number: z.int(),
  status: z.enum(bookingStatuses),
  starts_at: z.date(),
  email: z.string().nullable(),
  notify: z.boolean().nullable(),
  language: z.enum(languages).nullable(),
})
/** An email that is due; the guest's fields are null once the details are erased. */
export type DueMail = z.infer<typeof dueRow>

/** The email due to the guest of a booking. */
export const selectOptionalDueMail = (db: Db, bookingId: string) =>
  query.optionalRow(db, dueRow)`
    select b.id as booking_id, b.account_id, b.venue_id,
      (select a.mode = 'test' from account a where a.id = b.account_id) as is_test,
      b.guest_notice as kind, b.guest_notice_number as number, b.status, b.starts_at, g.email,
      g.notify, g.language
    from booking b left join booking_guest g on g.booking_id = b.id
    where b.id = ${bookingId} and b.guest_notice is not null`

/** Clears an email that was sent or abandoned; a newer one stays due. */
export const clearDueMail = (db: Db, { booking_id, number }: DueMail) =>
  query.execute(db)`
    update booking set guest_notice = null
    where id = ${booking_id} and guest_notice_number = ${number}`

const stateRow = z.object({
  id: z.uuid(),
  is_sent: z.boolean(),
  is_tried: z.boolean(),
})

/** The state of an email that was tried before: whether it was sent or a try is in progress. */
export const selectOptionalMail = (tx: Db, { booking_id, number }: DueMail, at: Date) =>
  query.optionalRow(tx, stateRow)`
    select id, sent_at is not null as is_sent,
      coalesce(tried_at > ${new Date(at.getTime() - TRY_MS)}, false) as is_tried
    from guest_mail where booking_id = ${booking_id} and number = ${number}`

/** Until the transaction ends, nobody else can add emails from this account or to this address. */
export async function lockMails(tx: Db, accountId: string, addresses: readonly Buffer[]) {
  await query.execute(tx)`
    select pg_advisory_xact_lock(hashtextextended('guest mails ' || ${accountId}::text, 0))`
  // New keys are added at the front, so the last key always stays in the list.
  const address = addresses.at(-1)?.toString('hex')
  await query.execute(tx)`
    select pg_advisory_xact_lock(hashtextextended('guest mails ' || ${address}::text, 0))`
}

const countsRow = z.object({
  of_account: z.int(),
  to_address: z.int(),
  own_to_address: z.int(),
  completed: z.int(),
})

/** Counts the emails sent since `since`, and completed bookings up to the maximum. */
export const selectMailCounts = (
  tx: Db,
  { accountId, addresses, since }: { accountId: string; addresses: Buffer[]; since: Date },
) =>
  query.row(tx, countsRow)`
    select
      (select count(*)::int from guest_mail
        where account_id = ${accountId} and at > ${since}) as of_account,
      (select count(*)::int from guest_mail
        where address = any(${addresses}::bytea[]) and at > ${since}) as to_address,
      (select count(*)::int from guest_mail where address = any(${addresses}::bytea[])
        and at > ${since} and account_id = ${accountId}) as own_to_address,
      (select count(*)::int from (
        select from booking where account_id = ${accountId} and status = 'completed'
        limit ${MAX_COMPLETED_COUNTED}) c) as completed`

type NewMail = Pick<DueMail, 'booking_id' | 'number' | 'kind' | 'account_id'> & {
  id: string
  address: Buffer
  at: Date
}

/** Inserts an email when its first try starts. */
export const insertMail = (tx: Db, mail: NewMail) =>
  query.execute(tx)`
    insert into guest_mail (booking_id, number, id, kind, account_id, address, at, tried_at)
    values (${mail.booking_id}, ${mail.number}, ${mail.id}, ${mail.kind}, ${mail.account_id},
      ${mail.address}, ${mail.at}, ${mail.at})`

/** Marks the start of another try. */
export const markTried = (tx: Db, { booking_id, number }: DueMail, at: Date) =>
  query.execute(tx)`
    update guest_mail set tried_at = ${at}
    where booking_id = ${booking_id} and number = ${number}`

/** Ends a failed try; `counts` if the address caused it. Returns how many failures have counted. */
export const endFailedTry = async (db: Db, { booking_id, number }: DueMail, counts: boolean) =>
  (await query.optionalValue(db, int)`
    update guest_mail set tried_at = null,
      failures = failures + case when ${counts}::boolean then 1 else 0 end
    where booking_id = ${booking_id} and number = ${number} returning failures`) ?? 0

/** Records that an email was sent. */
export const markSent = (tx: Db, { booking_id, number }: DueMail, at: Date) =>
  query.execute(tx)`
    update guest_mail set sent_at = ${at} where booking_id = ${booking_id} and number = ${number}`

/** Whether an address has opted out; compares its digest under every key. */
export const isStopped = async (db: Db, addresses: readonly Buffer[]): Promise<boolean> =>
  (await query.value(db, int)`
    select count(*) from mail_opt_out where address = any(${addresses}::bytea[])`) > 0

/** Stops all emails to an address. */
export const insertStop = (db: Db, address: Buffer, at: Date) =>
  query.execute(db)`
    insert into mail_opt_out (address, opted_out_at) values (${address}, ${at})
    on conflict do nothing`

/** Allows emails to an address again. */
export const deleteStop = (db: Db, addresses: readonly Buffer[]) =>
  query.execute(db)`delete from mail_opt_out where address = any(${addresses}::bytea[])`
