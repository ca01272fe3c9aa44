import { randomUUIDv7 } from 'node:crypto'
import sql from 'sql-template-tag'
import { z } from 'zod'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { kindOf } from '../rules/clients.ts'

/** Client metadata as in RFC 7591, without the secret. */
export type ClientMetadata = Record<string, unknown>

/** The context in which a client's secret is sealed. */
export const clientContext = (id: string): string => `oauth_client/${id}`

const clientRow = z.object({
  id: z.uuid(),
  metadata: z.record(z.string(), z.unknown()),
  secret: z.string().nullable(),
})

const idRow = z.object({ id: z.uuid() })

/** A client's row, if anybody has consented to it, or if it registered or was predefined. */
export const selectOptionalClient = (db: Db, clientId: string) =>
  query.optionalRow(db, clientRow)`
    select id, metadata, secret from oauth_client where client_id = ${clientId}`

/** The metadata of a stored client, with its secret. */
export async function selectOptionalMetadata(db: Db, sealer: Sealer, clientId: string) {
  const row = await selectOptionalClient(db, clientId)
  if (!row) return undefined
  const { id, metadata, secret } = row
  if (secret === null) return metadata
  return { ...metadata, client_secret: sealer.open(secret, clientContext(id)) }
}

/** Stores a client, or what its document says now; returns the id of its row. */
export async function upsertClient(
  db: Db,
  sealer: Sealer,
  clientId: string,
  { client_secret: secret, ...metadata }: ClientMetadata,
  at: Date,
): Promise<string> {
  const id = (await selectOptionalClient(db, clientId))?.id ?? randomUUIDv7()
  const sealed = typeof secret === 'string' ? sealer.seal(secret, clientContext(id)) : null
  const row = await query.row(db, idRow)`
    insert into oauth_client (id, client_id, kind, metadata, secret, created_at)
    values (${id}, ${clientId}, ${kindOf(clientId)}, ${JSON.stringify(metadata)}, ${sealed}, ${at})
    on conflict (client_id) do update set metadata = excluded.metadata, secret = excluded.secret
    returning id`
  return row.id
}

/** Removes an operator’s client and what people have allowed it; false if there is none. */
export const deleteClient = (db: Db, clientId: string) =>
  query.affectsRow(
    db,
  )`delete from oauth_client where client_id = ${clientId} and kind = 'predefined'`

const predefinedRow = z.object({
  client_id: z.string(),
  name: z.string(),
  grants: z.int(),
})

/** The clients that operators have added. */
export const selectPredefinedClients = (db: Db) =>
  query.rows(db, predefinedRow)`
    select client_id, metadata->>'client_name' as name,
      (select count(*)::int from oauth_grant g where g.client_id = c.id) as grants
    from oauth_client c where kind = 'predefined' order by client_id`

/** Clients from before an instant to which nobody has consented since before `granted`. */
export const unusedClients = (before: Date, granted: Date) =>
  rowsBefore(
    'oauth_client',
    'created_at',
    before,
    'id',
    sql`kind <> 'predefined' and coalesce(granted_at < ${granted}, true) and not exists (
      select from oauth_grant g where g.client_id = oauth_client.id)`,
  )
