import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { foundKinds } from '../rules/find.ts'

const foundRow = z.object({
  kind: z.enum(foundKinds),
  /** what its page's address contains: an id, a slug, or the account that has the key or agent */
  id: z.string(),
  name: z.string(),
})
export type OperatorMatch = z.infer<typeof foundRow>

const MAX_FOUND = 20

/** Everything with this id. The request log is long, so only part of it is searched. */
export const selectById = (db: Db, id: string, span: { from: Date; until: Date } | null) => {
  const request = span
    ? sql`union all select 'request', request_id::text, operation from request_log
        where at >= ${span.from} and at < ${span.until} and request_id = ${id}`
    : sql``
  return query.rows(db, foundRow)`
    select 'account' as kind, id::text, name from account where id = ${id}
    union all select 'account', m.account_id::text, d.email from member m
      join developer d on d.id = m.developer_id where m.developer_id = ${id}
    union all select 'booking', r.booking_id::text, v.name from request r
      join venue v on v.id = r.venue_id where r.booking_id = ${id}
    union all select 'event', id::text, type from event where id = ${id}
    union all select 'delivery', id::text, event_type from delivery where id = ${id}
    union all select 'endpoint', id::text, 'Endpoint' from endpoint where id = ${id}
    union all select 'key', account_id::text, name from api_key where id = ${id}
    union all select 'venue', slug, name from venue where id = ${id}
    ${request}`
}

/** The accounts of the developer with this email address. */
export const selectByEmail = (db: Db, email: string) =>
  query.rows(db, foundRow)`
    select 'account' as kind, a.id::text as id, a.name from developer d
    join member m on m.developer_id = d.id join account a on a.id = m.account_id
    where lower(d.email) = lower(${email}) order by m.created_at limit ${MAX_FOUND}`

/** The account to which a key belongs, found by the hash of the whole key. */
export const selectByKeyHash = (db: Db, hash: Buffer) =>
  query.rows(db, foundRow)`
    select 'key' as kind, account_id::text as id, name from api_key where hash = ${hash}`

/** The keys that end with this text, newest first. */
export const selectByKeyEnd = (db: Db, end: string) =>
  query.rows(db, foundRow)`
    select 'key' as kind, account_id::text as id, name from api_key where hint = ${end}
    order by id desc limit ${MAX_FOUND}`

/** Finds a venue by its slug, an agent by its name, and accounts by the start of their names. */
export const selectByWord = (db: Db, word: string) =>
  query.rows(db, foundRow)`
    select * from (select 'venue' as kind, slug as id, name from venue
      where slug = lower(${word}) limit 1) as venues
    union all
    select * from (select 'agent', account_id::text, name from agent
      where lower(name) = lower(${word}) and account_id is not null limit 1) as agents
    union all
    select * from (select 'account', id::text, name from account
      where lower(name) like ${beginning(word)} and deleted_at is null and mode = 'live'
      limit ${MAX_FOUND}) as accounts`

/** A LIKE pattern that matches texts with this prefix. */
export const beginning = (text: string): string =>
  `${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
