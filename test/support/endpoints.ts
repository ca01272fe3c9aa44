import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { type Db, type Pool, transaction } from '../../src/platform/database/sql.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import type { Sealer } from '../../src/platform/sealing/sealing.ts'
import type { EndpointStart } from '../../src/webhooks/rules/endpoint-messages.ts'
import { proveEndpoint } from '../../src/webhooks/store/endpoint-states.ts'
import { headersContext, insertEndpoint } from '../../src/webhooks/store/endpoints.ts'
import { insertAccountEvent } from '../../src/webhooks/store/events.ts'
import { insertSigningKey, signingKeyContext } from '../../src/webhooks/store/signing-keys.ts'
import { makeKey } from './agent.ts'

export type MadeEndpoint = EndpointStart & { secret: string; keyId: string; challenge: string }

export type EndpointOptions = {
  accountId?: string
  url: string
  eventTypes?: string[]
  headers?: Record<string, string>
  ratePerSecond?: number
  isFifo?: boolean
  isProved?: boolean
  at?: Date
}

/** Creates an endpoint with its key, as the doors do; verified unless requested otherwise. */
export async function makeEndpoint(
  db: Pool,
  sealer: Sealer,
  wish: EndpointOptions,
): Promise<MadeEndpoint> {
  const { at = new Date(), isProved = true, headers } = wish
  const accountId = wish.accountId ?? (await makeKey(db, 'free')).accountId
  const endpointId = randomUUIDv7()
  const challenge = randomBytes(16).toString('hex')
  const isInserted = await insertEndpoint(db, {
    id: endpointId,
    accountId,
    url: wish.url,
    description: '',
    event_types: wish.eventTypes ?? ['venue.*'],
    header_names: Object.keys(headers ?? {}),
    headers: headers ? sealer.seal(JSON.stringify(headers), headersContext(endpointId)) : null,
    rate_per_second: wish.ratePerSecond ?? null,
    fifo: wish.isFifo ?? false,
    challenge,
    at,
  })
  if (!isInserted) throw new Error(`account ${accountId} has no free number for an endpoint`)
  const key = await makeSigningKey(db, sealer, endpointId, at)
  if (isProved) await proveEndpoint(db, { id: endpointId, challenge, at })
  return { endpointId, accountId, challenge, ...key }
}

/** A key that signs from `validFrom` onwards. */
export async function makeSigningKey(
  db: Db,
  sealer: Sealer,
  endpointId: string,
  validFrom: Date,
): Promise<{ secret: string; keyId: string }> {
  const secret = newSigningSecret()
  const keyId = randomUUIDv7()
  await insertSigningKey(db, {
    id: keyId,
    endpointId,
    secret: sealer.seal(secret, signingKeyContext(keyId)),
    validFrom: new Date(validFrom.getTime() - 1000),
    at: validFrom,
  })
  return { secret, keyId }
}

/** Writes an event without a booking for the account's endpoints; returns its id. */
export const putEvent = (
  db: Pool,
  accountId: string,
  data: Record<string, unknown> = {},
  at = new Date(),
): Promise<string> =>
  transaction(db, (tx) =>
    insertAccountEvent(tx, {
      accountId,
      type: 'venue.availability_opened',
      data: data as never,
      at,
    }),
  )

/** Writes many events without a booking in one transaction; returns their ids in order. */
export const putEvents = (
  db: Pool,
  accountId: string,
  count: number,
  at = new Date(),
): Promise<string[]> =>
  transaction(db, async (tx) => {
    const ids: string[] = []
    for (let nth = 1; nth <= count; nth += 1) {
      const [type, data] = ['venue.availability_opened' as const, { nth } as never]
      ids.push(await insertAccountEvent(tx, { accountId, type, data, at }))
    }
    return ids
  })

/** The number of deliveries of the endpoint by status. */
export async function deliveriesOf(
  db: Pool,
  { endpointId }: { endpointId: string },
): Promise<Record<string, number>> {
  const { rows } = await db.query(
    'select status, count(*)::int from delivery where endpoint_id = $1 group by status',
    [endpointId],
  )
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

/** An endpoint's attempts, in the order of sending. */
export async function attemptsOf(db: Pool, { endpointId }: { endpointId: string }) {
  const { rows } = await db.query(
    `select a.*, d.event_number from attempt a left join delivery d on d.id = a.delivery_id
     where a.endpoint_id = $1 order by a.started_at, a.number`,
    [endpointId],
  )
  return rows as Record<string, any>[]
}

/** Writes an event for a single endpoint. */
export const insertTestEvent = (
  tx: Db,
  of: { accountId: string; endpointId: string; note: string | null; at: Date },
) =>
  insertAccountEvent(tx, {
    accountId: of.accountId,
    type: 'endpoint.test',
    data: { endpoint_id: of.endpointId, note: of.note },
    at: of.at,
    onlyEndpointId: of.endpointId,
  })
