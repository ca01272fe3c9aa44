import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, type AskedSlot, beyondHorizon, findSlots } from '../support/agent.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { daily, nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'

// A worker is killed at a commit while it books or undoes a group. The next worker must end with
// all or nothing, one fee for each booking that owes one, and each event once. Every step of a
// booking is a commit, as is every check of the group in between.

let site: CrashSite
let agent: Agent

beforeAll(async () => {
  site = await openCrashSite()
  agent = site.agent
})
afterAll(() => site?.close())
afterEach(() => site.killWorkers())

const send = (path: string, body: Record<string, unknown>, key: string, wait: number) =>
  agent.post(path, { ...body, wait }, { 'idempotency-key': key })

const left = async (parts: Record<string, any>[]) =>
  Promise.all(parts.map(({ booking_id }) => traces(site.network.db, booking_id)))

const over = (id: string) =>
  eventually(
    'the itinerary to be over',
    async () => {
      const { itinerary } = (await agent.get(`/api/itineraries/${id}`)).body
      return ['confirmed', 'failed', 'cancelled'].includes(itinerary.status) && itinerary
    },
    120_000,
  )

/** Kills the worker at `at` while it books this itinerary, and lets the next one finish it. */
async function crashMaking(at: Parameters<CrashSite['killWorkerAt']>[0], parts: AskedSlot[]) {
  const key = randomUUID()
  let id = ''
  await site.killWorkerAt(at, async () => {
    const { body } = await send('/api/itineraries', { parts }, key, 0)
    id = body.itinerary.id
  })
  await site.startWorker()
  const itinerary = await over(id)
  return { itinerary, again: () => send('/api/itineraries', { parts }, key, 10) }
}

const partsOf = async (): Promise<AskedSlot[]> => [
  ...(await findSlots(agent, 'spa in Bali', 1)),
  ...(await findSlots(agent, 'gym in Bali', 1)),
]

describe('a killed worker', () => {
  test.each(
    daily([
      ['between two holds', afterCommit(2)],
      ['between the last hold and the fees', beforeCommit(5)],
      ['after all was booked, before it is reported', afterCommit(5)],
    ]),
  )('%s leaves an itinerary that the next one books, whole and once', async (_when, at) => {
    const { itinerary, again } = await crashMaking(at, await partsOf())
    expect(itinerary.status).toBe('confirmed')
    for (const one of await left(itinerary.parts)) {
      expect(one).toMatchObject({
        booking: [{ status: 'confirmed', fee_status: 'accrued' }],
        fees: [{ kind: 'accrual' }],
        events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
      })
    }
    expect(await again()).toMatchObject({ status: 200, body: { replayed: true } })
  })

  test.each(
    daily(
      [
        ['before anything is released', afterCommit(7)],
        ['between two releases', afterCommit(8)],
      ],
      0,
    ),
  )('%s leaves an itinerary that the next one undoes completely', async (_when, at) => {
    const parts = await partsOf()
    const { itinerary, again } = await crashMaking(at, [
      ...parts,
      beyondHorizon(parts[0] as AskedSlot),
    ])
    expect(itinerary.status).toBe('failed')
    for (const one of (await left(itinerary.parts)).slice(0, 2)) {
      expect(one).toMatchObject({
        booking: [{ status: 'released', live: false }],
        fees: [],
        events: ['booking.held', 'booking.released'],
      })
      expect([...one.allocations, ...one.places].some(({ active }) => active)).toBe(false)
    }
    expect((await again()).body).toMatchObject({ code: 'itinerary_not_possible', part: 3 })
  })

  test.each(
    daily(
      [
        ['between two choices', afterCommit(2)],
        ['before the booking of the second is confirmed', beforeCommit(4)],
        ['after it was confirmed, before it is reported', afterCommit(4)],
      ],
      0,
    ),
  )('%s leaves alternatives of which the next one books one, once', async (_when, at) => {
    const [first, second] = await findSlots(agent, 'bar in Bali', 2)
    const body = { ...beyondHorizon(first as AskedSlot), alternatives: [second] }
    const key = randomUUID()
    await site.killWorkerAt(at, async () => {
      await send('/api/bookings', body, key, 0)
    })
    await site.startWorker()
    const answer = await eventually(
      'the answer',
      async () => {
        const { status, body: said } = await send('/api/bookings', body, key, 10)
        return status === 200 && said
      },
      120_000,
    )
    expect(answer).toMatchObject({ status: 'confirmed', choice: 2, replayed: true })
    const { rows } = await site.network.db.query('select id from booking where group_id = $1', [
      answer.booking.group_id,
    ])
    expect(rows).toEqual([{ id: answer.booking.id }])
    expect(await traces(site.network.db, answer.booking.id)).toMatchObject({
      events: ['booking.held', 'booking.confirmed', 'fee.accrued'],
      fees: [{ kind: 'accrual' }],
    })
  })
})

nightly('the sweep resumes a group with a terminated workflow, using the same ids', async () => {
  const parts = await partsOf()
  const { body } = await send('/api/itineraries', { parts }, randomUUID(), 0)
  const { id } = body.itinerary
  const { client, db } = site.network
  await client.workflow.getHandle(`itinerary/${id}`).terminate('operator')
  await db.query(
    `update booking_group set next_action_at = next_action_at - interval '5 minutes' where id = $1`,
    [id],
  )
  await site.startWorker()
  const itinerary = await over(id)
  expect(itinerary.status).toBe('confirmed')
  for (const one of await left(itinerary.parts)) expect(one.fees).toHaveLength(1)
})
