import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { may, roles, type Way } from '../../base/roles.ts'
import { scopes } from '../../base/scopes.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { showClient } from '../rules/clients.ts'
import { type AssistantConnection, connection } from '../schema/connections.ts'

const connectionRow = connection.omit({ client: true, last_used: true }).extend({
  client_id: z.string(),
  client_name: z.string().nullable(),
  redirect_uri: z.string(),
  scopes: z.array(z.enum(scopes)),
  last_used_at: isoTime.nullable(),
  last_used_door: z.string().nullable(),
  created_at: isoTime,
})

/** Whose connections a caller concerns: those of an account and its sandboxes. */
export type Caller = {
  accountId: string
  /** a member sees and ends their own, and those of others if their role allows it for keys */
  memberId: string | null
}

/** Of an answer that was sent twice, only the grant whose code was used has tokens. */
const connections = ({ accountId, memberId }: Caller, what: Way) => sql`
  select g.id, c.client_id, c.metadata->>'client_name' as client_name, g.redirect_uri, a.mode,
    g.scopes, d.email as member, g.last_used_at, g.last_used_door, g.created_at
  from oauth_grant g
  join oauth_client c on c.id = g.client_id
  join account a on a.id = g.account_id
  join developer d on d.id = g.developer_id
  where (a.id = ${accountId} or a.live_account_id = ${accountId})
    and g.member_account_id = (
      select coalesce(live_account_id, id) from account where id = ${accountId})
    and exists (select from oauth_artifact t where t.grant_id = g.id)
    ${
      memberId
        ? sql`and (g.developer_id = ${memberId} or exists (
            select from member m
            where m.account_id = g.member_account_id and m.developer_id = ${memberId}
              and m.role = any(${roles.filter((role) => may(role, what, 'keys'))})))`
        : empty
    }`

/** The connections that a caller may see, newest first. */
export async function selectConnections(
  db: Db,
  caller: Caller,
  { before, limit }: { before: string | null; limit: number },
): Promise<AssistantConnection[]> {
  const rows = await query.rows(db, connectionRow)`
    ${connections(caller, 'see')} and (${before}::uuid is null or g.id < ${before})
    order by g.id desc limit ${limit}`
  return rows.map(shown)
}

/** A connection that a caller may end. */
export async function selectOptionalConnection(db: Db, caller: Caller, id: string) {
  const row = await query.optionalRow(db, connectionRow)`
    ${connections(caller, 'change')} and g.id = ${id}`
  return row && shown(row)
}

function shown(row: z.infer<typeof connectionRow>): AssistantConnection {
  const { client_id: clientId, client_name: clientName, redirect_uri, ...rest } = row
  const { last_used_at: at, last_used_door: door, ...fields } = rest
  const { id, name, host, kind } = showClient({ clientId, clientName }, redirect_uri)
  const last_used = at && door !== null ? { at, door } : null
  return { ...fields, client: { id, name, host, kind }, last_used }
}
