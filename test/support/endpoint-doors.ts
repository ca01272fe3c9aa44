import { afterAll, beforeAll, beforeEach } from 'vitest'
import { callsAt, type webhookDoors } from './endpoint-calls.ts'
import { insertTestEvent } from './endpoints.ts'
import { type Doors, type Holder, openDoors } from './open-doors.ts'

/** The URL of the tests' endpoints; nothing is sent to it. */
export const url = 'https://agent.example/hooks'

/** Doors for the endpoint tests in a file, with a new account for each test. */
export function openEndpointDoors() {
  let doors: Doors
  let holder: Holder
  beforeAll(async () => {
    doors = await openDoors()
  })
  beforeEach(async () => {
    holder = await doors.openAccount('free')
    doors.engine.signals = []
    doors.engine.sentNow = 'pending'
  })
  afterAll(() => doors?.close())

  const challengeOf = async (id: string): Promise<string> => {
    const { rows } = await doors.db.query('select challenge from endpoint where id = $1', [id])
    return rows[0].challenge
  }

  return {
    get doors() {
      return doors
    },
    get holder() {
      return holder
    },
    challengeOf,
    /** The signals sent to endpoint workflows. */
    signals: () => doors.engine.signals.map(({ signal }) => signal.name),
    /** Enqueues new events for the endpoint. */
    async enqueueEvents(endpointId: string, count: number) {
      const { accountId } = holder
      for (let n = 0; n < count; n += 1) {
        const event = { accountId, endpointId, note: `${n}`, at: new Date(Date.now() - 60_000) }
        await insertTestEvent(doors.db, event)
      }
    },
    /** Calls at one door, and endpoints created there. */
    at(door: (typeof webhookDoors)[number]) {
      const call = callsAt(
        door,
        () => doors,
        () => holder,
      )
      const make = async (input: Record<string, unknown> = {}) =>
        (await call('webhook.create', { url, ...input })).body
      const makeActive = async () => {
        const { endpoint } = await make()
        const { id } = endpoint
        await call('webhook.verify', { id, challenge: await challengeOf(id) })
        return id as string
      }
      return { call, make, makeActive }
    },
  }
}
