import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../src/compose/engine.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { addPerson, postTo } from '../support/venue-channels.ts'
import { sealerOf } from '../support/venue-people.ts'

const PEOPLE = 100
const DAYS = 100
const KILLS = 3
const SLOW_MS = 1_000
const LIMIT_MS = 1_500_000

let network: Network
/** By notice: the ids of the messages that an address accepted. */
const accepted = new Map<string, string[]>()
let received = 0

/** Addresses that are well, down, slow, or accept a message and lose the answer at first. */
const receiver = createServer(async (request, response) => {
  const { data } = JSON.parse((await request.toArray()).join(''))
  const [, how = '', person = ''] = (request.url ?? '').split('/')
  const notice = `${person} ${data.date}`
  received += 1
  if (how === 'down') return response.writeHead(503).end()
  if (how === 'slow') await setTimeout(SLOW_MS)
  const before = accepted.get(notice) ?? []
  accepted.set(notice, [...before, String(request.headers['webhook-id'])])
  if (how === 'doubled' && before.length === 0) return response.destroy()
  response.writeHead(204).end()
})

beforeAll(async () => {
  network = await openNetwork({}, { isScheduled: true })
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await network?.close()
  receiver.closeAllConnections()
  receiver.close()
})

async function startWorker() {
  const worker = startProgram('src/worker.ts', network.env)
  await worker.prints('the worker takes bookings')
  return worker
}

test(
  'with channels down, slow or doubled and workers killed, each person is told once of each matter',
  async () => {
    const { db, client } = network
    const { rows } = await db.query('select id from venue where not is_test limit 1')
    const base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    const secret = newSigningSecret()
    for (let n = 0; n < PEOPLE; n += 1) {
      const to = (how: string) => postTo(`${base}/${how}/${n}`, secret)
      const ways = [[to('well')], [to('down'), to('well')], [to('slow')], [to('doubled')]]
      await addPerson(db, sealerOf(network), rows[0].id, ...(ways[n % ways.length] ?? []))
    }
    const opened = await db.query(
      `insert into notice (id, person_id, kind, day, created_at, not_before, next_at)
       select gen_random_uuid(), p.id, 'day.list', current_date + d, now(), now(),
         now() - interval '3 min'
       from venue_person p, generate_series(1, $1) d returning id`,
      [DAYS],
    )
    const engine = createEngine(client)
    let worker = await startWorker()
    // A tenth is left to the sweep, as if the process had died before it started them.
    const ids = opened.rows.map(({ id }) => id)
    const starting = ids.filter((_, nth) => nth % 10 > 0)
    const begin = (noticeId: string) =>
      engine.beginNotice({ noticeId, kind: 'day.list', venueSlug: 'one', bookingId: null })
    const begun = (async () => {
      while (starting.length > 0) await Promise.all(starting.splice(0, 20).map(begin))
    })()
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const goal = (kill * PEOPLE * DAYS) / (KILLS + 2)
      await eventually(`${goal} messages`, async () => received > goal, LIMIT_MS)
      await worker.end('SIGKILL')
      worker = await startWorker()
    }
    await begun
    await eventually(
      'every notice to end',
      async () => {
        const open = await db.query('select count(*) from notice where ended_at is null')
        return open.rows[0].count === 0
      },
      LIMIT_MS,
    )
    await worker.end('SIGKILL')
    const ends = await db.query('select ended_reason, count(*) from notice group by 1')
    expect(ends.rows).toEqual([{ ended_reason: 'told', count: PEOPLE * DAYS }])
    expect(accepted.size).toBe(PEOPLE * DAYS)
    // A message whose answer was lost is repeated with its id, by which receivers know it.
    const told = [...accepted.values()].filter((messages) => new Set(messages).size !== 1)
    expect(told).toEqual([])
  },
  LIMIT_MS,
)
