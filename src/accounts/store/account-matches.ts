import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

/** The kinds of objects that have an id or a name. */
export const matchKinds = [
  'booking',
  'event',
  'delivery',
  'endpoint',
  'replay',
  'request',
  'key',
  'agent',
  'venue',
] as const

const matchRow = z.object({
  kind: z.enum(matchKinds),
  /** the id, slug or number in its page's address */
  ref: z.string(),
  label: z.string(),
})
export type AccountMatch = z.infer<typeof matchRow>

/** The account's objects with this id. Venues belong to everybody in the same mode. */
export const selectById = (db: Db, accountId: string, id: string, isTest: boolean) =>
  query.rows(db, matchRow)`
    select 'booking' as kind, r.booking_id::text as ref, v.name as label
    from request r join venue v on v.id = r.venue_id
    where r.booking_id = ${id} and r.account_id = ${accountId}
    union all
    select 'event', number::text, type from event where id = ${id} and account_id = ${accountId}
    union all
    select 'delivery', id::text, event_type from delivery
    where id = ${id} and account_id = ${accountId}
    union all
    select 'endpoint', id::text, url from endpoint
    where id = ${id} and account_id = ${accountId} and deleted_at is null
    union all
    select 'replay', id::text, status from replay where id = ${id} and account_id = ${accountId}
    union all
    select 'key', id::text, name from api_key where id = ${id} and account_id = ${accountId}
    union all
    select 'venue', slug, name from venue where id = ${id} and is_test = ${isTest}`

/** Queries for the owner of an object by its id (a UUID) or, for events, its number. */
const owned = {
  booking: (id: string) => sql`select account_id from request where booking_id = ${id}::uuid`,
  delivery: (id: string) => sql`select account_id from delivery where id = ${id}::uuid`,
  endpoint: (id: string) => sql`
    select account_id from endpoint where id = ${id}::uuid and deleted_at is null`,
  replay: (id: string) => sql`select account_id from replay where id = ${id}::uuid`,
  invoice: (id: string) => sql`select account_id from invoice where id = ${id}::uuid`,
  request: (id: string) => sql`select account_id from request_log where request_id = ${id}::uuid`,
  event: (number: string) => sql`
    select account_id from event where number = ${number}::bigint`,
} satisfies Record<string, (ref: string) => Sql>
export type OwnedKind = keyof typeof owned

const ownerRow = z.object({ id: z.uuid(), is_test: z.boolean(), clock: z.string().nullable() })

/** The live account or sandboxes that own this object; `clock` names the test clock. */
export const selectAccountsWith = (
  db: Db,
  liveAccountId: string,
  { kind, ref }: { kind: OwnedKind; ref: string },
) =>
  query.rows(db, ownerRow)`
    select a.id, a.mode = 'test' as is_test, t.name as clock
    from account a left join test_clock t on t.account_id = a.id
    where (a.id = ${liveAccountId} or a.live_account_id = ${liveAccountId})
      and a.deleted_at is null and (a.sandbox_kind is distinct from 'clock' or t.name is not null)
      and a.id in (${owned[kind](ref)})
    order by a.id`

/** An account's logged request with this id. */
export const selectRequestById = (db: Db, accountId: string, id: string) =>
  query.rows(db, matchRow)`
    select 'request' as kind, request_id::text as ref, operation as label from request_log
    where account_id = ${accountId} and request_id = ${id}`

/** An account's event with this number. */
export const selectByNumber = (db: Db, accountId: string, number: number) =>
  query.rows(db, matchRow)`
    select 'event' as kind, number::text as ref, type as label from event
    where account_id = ${accountId} and number = ${number}`

/** An account's key with this hash. */
export const selectByKeyHash = (db: Db, accountId: string, hash: Buffer) =>
  query.rows(db, matchRow)`
    select 'key' as kind, id::text as ref, name as label from api_key
    where hash = ${hash} and account_id = ${accountId}`

/** A LIKE pattern for a substring, with the text's own wildcards escaped. */
const inside = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * An account's endpoints, keys and agents with this text in their URL or name, and keys that begin
 * or end with it. Scans them all, as an account has few of each.
 */
export const selectByText = (db: Db, accountId: string, text: string, limit: number) =>
  query.rows(db, matchRow)`
    (select 'endpoint' as kind, id::text as ref, url as label from endpoint
     where account_id = ${accountId} and deleted_at is null
       and (split_part(url, '?', 1) ilike ${inside(text)} or description ilike ${inside(text)})
     order by id desc limit ${limit})
    union all
    (select 'key', id::text, name from api_key
     where account_id = ${accountId} and (name ilike ${inside(text)} or hint = right(${text}, 4)
       and length(${text}) = 4 or id::text like ${prefixOf(text)})
     order by id desc limit ${limit})
    union all
    (select 'agent', name, name from agent
     where account_id = ${accountId} and deleted_at is null and name ilike ${inside(text)}
     order by name limit ${limit})`

/** A LIKE pattern for the beginning of an id, as lists show it; any other text matches nothing. */
const prefixOf = (text: string) => (/^[0-9a-f-]{8,}$/i.test(text) ? `${text.toLowerCase()}%` : '')

/** Venues whose name has a word beginning with each of these words; an exact match comes first. */
export const selectVenuesNamed = (
  db: Db,
  words: readonly string[],
  isTest: boolean,
  limit: number,
) =>
  query.rows(db, matchRow)`
    select 'venue' as kind, slug as ref, name as label from venue
    where document @@ to_tsquery('english', ${words.map((word) => `${word}:*A`).join(' & ')})
      and is_test = ${isTest}
    order by plain_name <> ${words.join(' ')}, plain_name, slug limit ${limit}`
