import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import { loadDemoVenues } from '../../src/venues/demo/load.ts'
import { connect, type Databases, startDatabases } from '../../tools/proof/databases.ts'
import { type Agent, type AskedSlot, agentWith, findSlots } from '../support/agent.ts'
import { type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { answer, linkTo, staffAllDay } from '../support/venue-people.ts'

// An API process or the database (on its own server) is killed while an itinerary is created: it is
// nevertheless booked in full, each part with one fee.

let databases: Databases
let site: CrashSite
let agent: Agent

beforeAll(async () => {
  databases = await startDatabases()
  const DATABASE_URL = await databases.create('itineraries')
  const db = connect(DATABASE_URL, 2)
  await loadDemoVenues(db, new Date())
  await staffAllDay(db, 'restaurant')
  await db.end()
  site = await openCrashSite({ DATABASE_URL })
  agent = site.agent
})
afterAll(async () => {
  await site?.close()
  await databases?.stop()
})
afterEach(() => site.killWorkers())

const send = (by: Agent, parts: AskedSlot[], key: string, wait: number) =>
  by.post('/api/itineraries', { parts, wait }, { 'idempotency-key': key })

const readItinerary = async (id: string) =>
  (await agent.get(`/api/itineraries/${id}`)).body.itinerary

const becomes = (id: string, status: string) =>
  eventually(
    `the itinerary to be ${status}`,
    async () => {
      // Without a database, nothing is answered.
      const now = await readItinerary(id).catch(() => undefined)
      return now?.status === status && now
    },
    120_000,
  )

/** A class, and dinner at a venue whose staff answer. */
const evening = async (): Promise<AskedSlot[]> => [
  ...(await findSlots(agent, 'gym in Bali', 1)),
  ...(await findSlots(agent, 'restaurant in Bali', 1)),
]

/** Waits until staff have been asked about the second part; returns their page. */
async function pageOfAsked(id: string, parts: AskedSlot[]): Promise<string> {
  const { parts: made } = await becomes(id, 'asking')
  const bookingId = made[1].booking_id
  await eventually('the person to be asked', async () => {
    const { body } = await agent.get(`/api/bookings/${bookingId}`)
    return body.booking.status === 'pending' && body.booking.answer_by !== null
  })
  const { config, db } = site.network
  const url = `http://127.0.0.1:${config.PORT}`
  return `${await linkTo({ config, db, url }, parts[1]?.venue_id ?? '')}/bookings/${bookingId}`
}

async function expectBookedOnce(id: string): Promise<void> {
  const { parts } = await becomes(id, 'confirmed')
  for (const { booking_id } of parts) {
    const { booking, fees, events } = await traces(site.network.db, booking_id)
    expect(booking).toMatchObject([{ status: 'confirmed', fee_status: 'accrued' }])
    expect(fees).toMatchObject([{ kind: 'accrual' }])
    expect(new Set(events).size).toBe(events.length)
  }
}

test('an API process killed during a request changes nothing; the next answers it', async () => {
  await site.startWorker()
  const PORT = String(await choosePort())
  const doomed = startProgram('src/api.ts', { ...site.network.env, PORT })
  await doomed.prints('the doors are open')
  const lost = agentWith(`http://127.0.0.1:${PORT}`, agent.accountId, agent.key)
  const parts = await evening()
  const key = randomUUID()
  const unanswered = send(lost, parts, key, 60).catch(() => 'cut')
  const id = await eventually('the itinerary', async () => {
    const { rows } = await site.network.db.query(
      'select subject_id as id from idempotency_key where key = $1',
      [key],
    )
    return rows[0]?.id as string | undefined
  })
  const page = await pageOfAsked(id, parts)
  await doomed.end('SIGKILL')
  expect(await unanswered).toBe('cut')
  await answer(page, 'confirmed')
  await expectBookedOnce(id)
  expect(await send(agent, parts, key, 30)).toMatchObject({
    status: 200,
    body: { status: 'confirmed', replayed: true, itinerary: { id } },
  })
})

test('after a database crash while a venue is asked, everything is booked', async () => {
  await site.startWorker()
  const parts = await evening()
  const { body } = await send(agent, parts, randomUUID(), 0)
  const page = await pageOfAsked(body.itinerary.id, parts)
  await databases.crash()
  await eventually('the yes to be heard', async () => {
    // The form disappears once it has been answered.
    await answer(page, 'confirmed').catch(() => {})
    const now = await readItinerary(body.itinerary.id).catch(() => undefined)
    return now?.status === 'confirmed'
  })
  await expectBookedOnce(body.itinerary.id)
})

test('after a database crash while parts are held, everything is booked', async () => {
  const parts = [
    ...(await findSlots(agent, 'gym in Bali', 1)),
    ...(await findSlots(agent, 'spa in Bali', 1)),
    ...(await findSlots(agent, 'bar in Bali', 1)),
  ]
  const { body } = await send(agent, parts, randomUUID(), 0)
  await site.startWorker()
  await eventually(
    'the first hold',
    async () => (await readItinerary(body.itinerary.id)).parts[0].booking,
  )
  await databases.crash()
  await expectBookedOnce(body.itinerary.id)
})
