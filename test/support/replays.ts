import { randomUUIDv7 } from 'node:crypto'
import type { Pool } from '../../src/platform/database/sql.ts'
import { insertEndpointCommand } from '../../src/webhooks/store/endpoint-commands.ts'
import { insertReplay } from '../../src/webhooks/store/replays.ts'
import type { MadeEndpoint } from './endpoints.ts'

/** Creates a replay of all events up to number `last`, as the doors do; returns its start. */
export async function makeReplay(
  db: Pool,
  { endpointId }: Pick<MadeEndpoint, 'endpointId'>,
  { last, perSecond = 1000, failedSince = null, at = new Date() }: ReplayOptions,
) {
  const id = randomUUIDv7()
  const filter = {
    asked: {},
    numbers: null,
    from: null,
    before: null,
    types: null,
    failedSince: failedSince?.toISOString() ?? null,
    neverAttempted: false,
  }
  const range = { first: 1, last, total: last, perSecond, at }
  await insertReplay(db, { id, endpointId, filter, ...range })
  await insertEndpointCommand(db, { endpointId, id, name: 'replay', at })
  return { name: 'replay', id, total: last } as const
}

type ReplayOptions = { last: number; perSecond?: number; failedSince?: Date | null; at?: Date }
