import { z } from 'zod'
import { boolean, isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { loggedCall } from '../schema/usage.ts'

const json = z.string().transform((text): unknown => JSON.parse(text))

const detailsRow = loggedCall.extend({
  at: isoTime,
  message: z.string().nullable(),
  key_name: z.string().nullable(),
  key_ends_in: z.string().nullable(),
  booking_id: z.uuid().nullable(),
  group_id: z.uuid().nullable(),
  sent: json.nullable(),
  sent_bytes: z.int().nullable(),
  is_sent_cut: z.boolean().nullable(),
  answer: json.nullable(),
  answer_bytes: z.int().nullable(),
  is_answer_cut: z.boolean().nullable(),
})

type CallSearch = { accountId: string; requestId: string; from: Date; until: Date }

/**
 * A call by an account, with its bodies unless the account does not record them. Names the booking
 * or group only if the account owns it. `from` and `until` limit the search, as call ids contain
 * their time.
 */
export const selectOptionalCall = (db: Db, { accountId, requestId, from, until }: CallSearch) =>
  query.optionalRow(db, detailsRow)`
    select l.at, l.request_id, l.key_id, l.door, l.method, l.path, l.target, l.operation, l.status,
      l.code, round(l.ms::numeric, 1) as ms, l.from_agent as "from", l.calls, l.message,
      k.name as key_name, k.hint as key_ends_in,
      (select r.booking_id from request r
       where r.booking_id = l.subject_id and r.account_id = l.account_id) as booking_id,
      (select g.id from booking_group g
       where g.id = l.subject_id and g.account_id = l.account_id) as group_id,
      b.sent, b.sent_bytes, b.is_sent_cut, b.answer, b.answer_bytes, b.is_answer_cut
    from request_log l
    join account a on a.id = l.account_id
    left join api_key k on k.id = l.key_id and k.account_id = l.account_id
    left join request_body b on a.records_bodies
      and (b.account_id, b.at, b.request_id) = (l.account_id, l.at, l.request_id)
    where l.account_id = ${accountId} and l.request_id = ${requestId}
      and l.at between ${from} and ${until}
    order by l.at limit 1`

/** Whether an account records the bodies of its calls. */
export const selectOptionalRecording = (db: Db, accountId: string) =>
  query.optionalValue(db, boolean)`
    select records_bodies from account where id = ${accountId}`

/** Turns recording of an account's bodies on or off; returns whether that was a change. */
export const updateRecording = (db: Db, accountId: string, isOn: boolean) =>
  query.affectsRow(db)`
    update account set records_bodies = ${isOn}
    where id = ${accountId} and records_bodies <> ${isOn}`

/** Erases up to `limit` of an account's recorded bodies; returns how many. */
export const deleteBodiesOf = (db: Db, accountId: string, limit: number) =>
  query.execute(db)`
    delete from request_body where ctid = any(array(
      select ctid from request_body where account_id = ${accountId} limit ${limit}))`
