import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { makeEndpoint, putEvent } from '../support/endpoints.ts'
import { storeSender } from '../support/sender-store.ts'

let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})

/** An endpoint that answers this way at these hours: its state and its own events by hour. */
async function afterAnswers(answers: readonly [hour: number, status: number][]) {
  const began = Date.now()
  let status = 0
  const sender = storeSender(db, () => ({ status }))
  const endpoint = await makeEndpoint(db, sender.sealer, { url: 'https://agent.example/hooks' })
  for (const [hour, answered] of answers) {
    const at = began + hour * HOUR_MS
    status = answered
    await putEvent(db, endpoint.accountId, {}, new Date(at))
    await sender.batch(endpoint, { at })
  }
  const { rows: events } = await db.query(
    `select type, created_at, data from event where account_id = $1 and type like 'endpoint.%'
     order by number`,
    [endpoint.accountId],
  )
  const { rows } = await db.query('select status, failing_since from endpoint where id = $1', [
    endpoint.endpointId,
  ])
  const hourOf = (time: string | Date) => Math.floor((new Date(time).getTime() - began) / HOUR_MS)
  return {
    status: rows[0].status,
    failingSince: rows[0].failing_since && hourOf(rows[0].failing_since),
    told: events.map(({ type, created_at }) => [type, hourOf(created_at)]),
    willBeDisabled: events[0]?.data.disabled_at && hourOf(events[0].data.disabled_at),
  }
}

test.each<[string, [number, number][], number | null]>([
  [
    'an event that was too large and a failure days later',
    [
      [0, 413],
      [144, 503],
    ],
    144,
  ],
  [
    'two failures with quiet days between them',
    [
      [0, 503],
      [144, 503],
    ],
    144,
  ],
  [
    'a failure and days later an event that is too large',
    [
      [0, 503],
      [144, 413],
    ],
    null,
  ],
])('%s neither disable the endpoint nor warn its owner', async (_, answers, failingSince) => {
  expect(await afterAnswers(answers)).toMatchObject({ status: 'active', failingSince, told: [] })
})

test('an endpoint is disabled no sooner than 2.5 days after the warning', async () => {
  const daily = [0, 25, 50, 75, 100, 125, 150].map((hour): [number, number] => [hour, 503])
  expect(await afterAnswers(daily)).toEqual({
    status: 'disabled',
    failingSince: 0,
    told: [
      ['endpoint.failing', 75],
      ['endpoint.disabled', 150],
    ],
    willBeDisabled: 135,
  })
})
