import { afterAll, beforeAll, beforeEach } from 'vitest'
import { insertEndpointRow, writeEvents } from './deliveries.ts'
import { bearer, type Doors, type Holder, jsonOf, openDoors, postEnvelope } from './open-doors.ts'

/** Doors for the tests in a file, with calls by a new account for each test. */
export function openDeliveryDoors() {
  let doors: Doors
  let holder: Holder

  beforeAll(async () => {
    doors = await openDoors()
  })
  afterAll(() => doors?.close())
  beforeEach(async () => {
    holder = await doors.openAccount('free')
    doors.engine.sentNow = 'pending'
    doors.engine.isDown = false
    doors.engine.signals.length = 0
  })

  async function send(
    method: string,
    path: string,
    body?: unknown,
    { key } = holder,
    headers: Record<string, string> = {},
  ) {
    const response = await fetch(`${doors.url}${path}`, {
      method,
      headers: {
        ...bearer(key),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: await jsonOf(response) }
  }

  return {
    get doors() {
      return doors
    },
    get holder() {
      return holder
    },
    send,
    get: (path: string, as = holder) => send('GET', path, undefined, as),
    ask: async (intent: string, payload: unknown, { key } = holder) =>
      (await postEnvelope(doors.url, key, { intent, payload })).body,
    /** Creates an endpoint for the account. */
    endpoint: (given = {}) => insertEndpointRow(doors.db, holder.accountId, given),
    /** Writes events for the account. */
    write: (count: number, type?: Parameters<typeof writeEvents>[3]) =>
      writeEvents(doors.db, holder.accountId, count, type),
  }
}
