import sql from 'sql-template-tag'
import { z } from 'zod'
import { roles } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

/** What a member allows a client to do in an account. */
export type NewGrant = {
  id: string
  /** the id of the client's row */
  clientId: string
  developerId: string
  accountId: string
  scopes: readonly Scope[]
  resources: readonly string[]
  redirectUri: string
  /** of the name and addresses that the client showed */
  clientHash: Buffer
  at: Date
}

/** A developer's role in an account that is not deleted, which cannot change meanwhile. */
export const lockOptionalRole = (tx: Db, of: { developerId: string; accountId: string }) =>
  query.optionalValue(tx, z.enum(roles))`
    select m.role from account a
    join member m on m.account_id = coalesce(a.live_account_id, a.id)
    where a.id = ${of.accountId} and m.developer_id = ${of.developerId} and a.deleted_at is null
    for share of m`

/** Stores what a member allows, whose role is locked. */
export const insertGrant = (tx: Db, grant: NewGrant) =>
  query.execute(tx)`
    with granted as (update oauth_client set granted_at = ${grant.at} where id = ${grant.clientId})
    insert into oauth_grant (id, client_id, developer_id, member_account_id, account_id, scopes,
      resources, redirect_uri, client_hash, created_at)
    select ${grant.id}, ${grant.clientId}, ${grant.developerId}, coalesce(live_account_id, id), id,
      ${grant.scopes}, ${grant.resources}, ${grant.redirectUri}, ${grant.clientHash}, ${grant.at}
    from account where id = ${grant.accountId}`

const grantRow = z.object({
  client: z.string(),
  developer_id: z.uuid(),
  scopes: z.array(z.string()),
  resources: z.array(z.string()),
})

export const selectOptionalGrant = (db: Db, id: string) =>
  query.optionalRow(db, grantRow)`
    select c.client_id as client, g.developer_id, g.scopes, g.resources
    from oauth_grant g join oauth_client c on c.id = g.client_id where g.id = ${id}`

const endedRow = z.object({
  account_id: z.uuid(),
  member_account_id: z.uuid(),
  developer_id: z.uuid(),
  client: z.string(),
  email: z.string(),
})

/** Ends a grant with all its tokens; undefined if it had ended before. */
export const deleteGrant = (tx: Db, id: string) =>
  query.optionalRow(tx, endedRow)`
    with ended as (delete from oauth_grant where id = ${id} returning *)
    select e.account_id, e.member_account_id, e.developer_id, d.email,
      coalesce(c.metadata->>'client_name', c.client_id) as client
    from ended e join oauth_client c on c.id = e.client_id
    join developer d on d.id = e.developer_id`

const earlierRow = z.object({
  client_hash: z.instanceof(Buffer),
  covers: z.boolean(),
  account_id: z.uuid(),
  mode: z.enum(['live', 'test']),
})
type Request = Pick<NewGrant, 'clientId' | 'developerId' | 'scopes' | 'resources' | 'redirectUri'>

/**
 * The `clientHash` to which a developer last consented, and the account for which, if possible with
 * at least these scopes and resources, and the same redirect (`covers`); undefined before the first
 * time.
 */
export const selectOptionalEarlier = (db: Db, { clientId, developerId, ...asked }: Request) =>
  query.optionalRow(db, earlierRow)`
    select first_value(g.client_hash) over (order by g.id desc) as client_hash,
      g.scopes @> ${asked.scopes}::text[] and g.resources @> ${asked.resources}::text[]
        and g.redirect_uri = ${asked.redirectUri} as covers,
      g.member_account_id as account_id, a.mode
    from oauth_grant g
    join oauth_client c on c.id = g.client_id
    join account a on a.id = g.account_id
    where c.client_id = ${clientId} and g.developer_id = ${developerId}
    order by covers desc, g.id desc limit 1`

/** Grants from before an instant that no code or token is left of. */
export const spentGrants = (before: Date) =>
  rowsBefore(
    'oauth_grant',
    'created_at',
    before,
    'id',
    sql`not exists (select from oauth_artifact t where t.grant_id = oauth_grant.id)`,
  )
