import { z } from 'zod'
import { roles } from '../../base/roles.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { tiers } from '../schema/plan.ts'

const openRow = z.object({
  session_id: z.uuid(),
  seen_at: z.date(),
  /** when the password or a second factor was last given; null: the second factor is missing */
  proved_at: z.date().nullable(),
  has_factor: z.boolean(),
  /** whether the account demands a second factor */
  requires_factor: z.boolean(),
  id: z.uuid(),
  email: z.string(),
  is_operator: z.boolean(),
  is_verified: z.boolean(),
  role: z.enum(roles),
  /** how many accounts the developer has */
  accounts: z.int(),
  account_id: z.uuid(),
  account_name: z.string(),
  tier: z.enum(tiers),
  requests_per_day: z.int().nullable(),
  suspended_reason: z.string().nullable(),
})

const listedRow = z.object({
  id: z.uuid(),
  device: z.string(),
  created_at: z.date(),
  seen_at: z.date(),
})
export type ListedSession = z.infer<typeof listedRow>

export type NewSession = {
  id: string
  developerId: string
  /** by default, the account last chosen */
  accountId?: string
  tokenHash: Buffer
  device: string
  at: Date
  expiresAt: Date
  /** null: the second factor is missing */
  provedAt?: Date | null
}

/** Begins a session. */
export const insertSession = (db: Db, { at, provedAt = at, ...session }: NewSession) =>
  query.execute(db)`
    insert into developer_session (id, developer_id, account_id, token_hash, device, created_at,
      seen_at, expires_at, proved_at)
    values (${session.id}, ${session.developerId}, ${session.accountId ?? null},
      ${session.tokenHash}, ${session.device}, ${at}, ${at}, ${session.expiresAt},
      ${provedAt})`

/** A token's developer and account; undefined if the token is unknown or its session ended. */
export const selectOptionalSession = (db: Db, tokenHash: Buffer, at: Date) =>
  query.optionalRow(db, openRow)`
    select s.id as session_id, s.seen_at, s.proved_at, d.id, d.email,
      exists (select from second_factor where developer_id = d.id) as has_factor,
      a.requires_factor,
      d.is_operator and d.verified_at is not null and a.suspended_at is null as is_operator,
      d.verified_at is not null as is_verified, m.role,
      (select count(*) from member where developer_id = d.id) as accounts, a.id as account_id,
      a.name as account_name, a.tier, a.requests_per_day, a.suspended_reason
    from developer_session s
    join developer d on d.id = s.developer_id
    join lateral (
      select account_id, role from member
      where developer_id = d.id and account_id = coalesce(s.account_id, account_id)
      order by chosen_at desc nulls last, created_at, account_id limit 1
    ) m on true
    join account a on a.id = m.account_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${at}`

const ownerRow = z.object({ id: z.uuid(), password_hash: z.string() })

/** The developer whose complete session a token begins, with the hash of their password. */
export const selectOptionalOwner = (db: Db, tokenHash: Buffer) =>
  query.optionalRow(db, ownerRow)`
    select d.id, d.password_hash from developer_session s join developer d on d.id = s.developer_id
    where s.token_hash = ${tokenHash} and s.proved_at is not null`

/** Extends a session to `idleDays` from now, but no further than `maxDays` after its start. */
export const updateSessionSeen = (
  db: Db,
  id: string,
  at: Date,
  { idleDays, maxDays }: { idleDays: number; maxDays: number },
) =>
  query.execute(db)`
    update developer_session set seen_at = ${at},
      expires_at = least(${at}::timestamptz + ${idleDays} * interval '1 day',
        created_at + ${maxDays} * interval '1 day')
    where id = ${id}`

/** When a session's developer last proved their identity; null without such a session. */
export async function selectSessionProved(db: Db, id: string): Promise<Date | null> {
  const session = await query.optionalRow(db, openRow.pick({ proved_at: true }))`
    select proved_at from developer_session where id = ${id}`
  return session?.proved_at ?? null
}

/** Whether this token began a session after `since` that is still open. */
export const hasBegun = (db: Db, tokenHash: Buffer, since: Date) =>
  query.affectsRow(db)`
    select from developer_session where token_hash = ${tokenHash} and created_at > ${since}`

/** Notes that a session's developer has proved their identity; false if it has ended. */
export const updateSessionProved = (db: Db, id: string, at: Date) =>
  query.affectsRow(db)`update developer_session set proved_at = ${at} where id = ${id}`

/** Locks a session until the transaction ends; false unless it was proved after `since`. */
export const lockProvedSession = (tx: Db, id: string, since: Date) =>
  query.affectsRow(tx)`
    select from developer_session where id = ${id} and proved_at > ${since} for share`

/** A developer's unexpired sessions, most recently used first. */
export const selectSessions = (db: Db, developerId: string, at: Date) =>
  query.rows(db, listedRow)`
    select id, device, created_at, seen_at from developer_session
    where developer_id = ${developerId} and expires_at > ${at} and proved_at is not null
    order by seen_at desc, id`

/** Ends one of a developer's sessions and returns its device; undefined if there is none. */
export async function deleteSession(db: Db, developerId: string, id: string) {
  const session = await query.optionalRow(db, listedRow.pick({ device: true }))`
    delete from developer_session where developer_id = ${developerId} and id = ${id}
    returning device`
  return session?.device
}

/**
 * Ends all but the `keep` last-used sessions of those with, or of those without a second factor, so
 * that a stolen password ends no session. Skips any that another transaction is ending.
 */
export const deleteOldSessions = (db: Db, developerId: string, keep: number, isProved: boolean) =>
  query.execute(db)`
    delete from developer_session where id in (
      select id from developer_session
      where developer_id = ${developerId} and (proved_at is not null) = ${isProved}
      order by seen_at desc, id desc offset ${keep} for update skip locked)`

/** Ends all of a developer's sessions, except `keptId` if given. */
export const deleteSessions = (db: Db, developerId: string, keptId: string | null = null) =>
  query.execute(db)`
    delete from developer_session where developer_id = ${developerId}
      and id is distinct from ${keptId}`

/** Sessions that have ended. */
export const endedSessions = (at: Date) => rowsBefore('developer_session', 'expires_at', at, 'id')
