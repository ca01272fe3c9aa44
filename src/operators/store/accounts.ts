import sql, { join } from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../../webhooks/rules/statuses.ts'
import { beginning } from './find.ts'

const accountRow = z.object({
  id: z.uuid(),
  name: z.string(),
  tier: z.enum(['free', 'pro']),
  requests_per_day: z.int().nullable(),
  created_at: z.date(),
  suspended_at: z.date().nullable(),
  suspended_reason: z.string().nullable(),
  deleted_at: z.date().nullable(),
  mode: z.enum(['live', 'test']),
  live_account_id: z.uuid().nullable(),
})
export type AccountRow = z.infer<typeof accountRow>

const listedRow = accountRow.extend({ email: z.string().nullable(), used_today: z.int() })
export type ListedAccount = z.infer<typeof listedRow>

const columns = sql`a.id, a.name, a.tier, a.requests_per_day, a.created_at, a.suspended_at,
  a.suspended_reason, a.deleted_at, a.mode, a.live_account_id`

export type AccountFilter = {
  /** prefix of the name */
  name: string | null
  tier: 'free' | 'pro' | null
  isSuspended: boolean
  /** only accounts opened before this one */
  before: string | null
  limit: number
}

/** Accounts that have not been deleted, newest first, with their requests on one UTC day. */
export const selectAccounts = (db: Db, day: string, { name, tier, ...filter }: AccountFilter) => {
  const conditions = [
    sql`a.deleted_at is null and a.mode = 'live'`,
    name !== null && sql`lower(a.name) like ${beginning(name)}`,
    tier !== null && sql`a.tier = ${tier}`,
    filter.isSuspended && sql`a.suspended_at is not null`,
    filter.before !== null && sql`a.id < ${filter.before}`,
  ].filter((condition) => condition !== false)
  return query.rowsUnprepared(db, listedRow)`
    select ${columns},
      (select d.email from member m join developer d on d.id = m.developer_id
        where m.account_id = a.id order by m.created_at, d.id limit 1) as email,
      coalesce((select q.used from quota_day q
        where q.account_id = a.id and q.mode = a.mode and q.day = ${day}::date), 0) as used_today
    from account a where ${join(conditions, ' and ')}
    order by a.id desc limit ${filter.limit}`
}

const sandboxRow = z.object({
  id: z.uuid(),
  kind: z.enum(['default', 'clock']),
  created_at: z.date(),
  bookings: z.int(),
})
export type Sandbox = z.infer<typeof sandboxRow>

/** The newest sandboxes of an account; other lists omit sandboxes. */
export const selectSandboxesOf = (db: Db, accountId: string, limit: number) =>
  query.rows(db, sandboxRow)`
    select a.id, a.sandbox_kind as kind, a.created_at,
      (select count(*) from request r where r.account_id = a.id) as bookings
    from account a where a.live_account_id = ${accountId} order by a.id desc limit ${limit}`

/** An account, deleted or not. */
export const selectAnyAccount = (db: Db, id: string) =>
  query.optionalRow(db, accountRow)`select ${columns} from account a where a.id = ${id}`

const memberRow = z.object({
  email: z.string(),
  is_verified: z.boolean(),
  is_operator: z.boolean(),
  role: z.string(),
  created_at: z.date(),
  seen_at: z.date().nullable(),
})
export type AccountMember = z.infer<typeof memberRow>

/** An account's members, and when each was last seen. */
export const selectMembers = (db: Db, accountId: string) =>
  query.rows(db, memberRow)`
    select d.email, d.verified_at is not null as is_verified, d.is_operator, m.role, m.created_at,
      (select max(s.seen_at) from developer_session s where s.developer_id = d.id) as seen_at
    from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} order by m.created_at, d.id`

const endpointRow = z.object({
  id: z.uuid(),
  url: z.string(),
  status: z.enum(endpointStatuses),
  failing_since: z.date().nullable(),
})

/** The endpoints of an account, newest first. */
export const selectEndpointsOf = (db: Db, accountId: string) =>
  query.rows(db, endpointRow)`
    select id, url, status, failing_since from endpoint
    where account_id = ${accountId} and deleted_at is null order by id desc`

const bookingRow = z.object({
  id: z.uuid(),
  venue_name: z.string(),
  slot_time: z.string(),
  party_size: z.int(),
  status: z.enum(bookingStatuses).nullable(),
  created_at: z.date(),
})
export type ListedBooking = z.infer<typeof bookingRow>

/** An account's newest booking requests, with the status of the booking, if any. */
export const selectLatestBookings = (db: Db, accountId: string, limit: number) =>
  query.rows(db, bookingRow)`
    select r.booking_id as id, v.name as venue_name, r.slot_time::text as slot_time, r.party_size,
      b.status, r.created_at
    from request r join venue v on v.id = r.venue_id left join booking b on b.id = r.booking_id
    where r.account_id = ${accountId} order by r.booking_id desc limit ${limit}`

const emailRow = z.object({ id: z.uuid(), email: z.string() })

/** Developers' email addresses by developer id. */
export async function selectEmails(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query.rows(db, emailRow)`
    select id, email from developer where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, email }) => [id, email]))
}
