import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestClock, slotAfter } from '../support/clocks.ts'
import { type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'

let site: CrashSite

beforeAll(async () => {
  site = await openCrashSite()
})
afterAll(() => site.close())

test('a worker that is killed while a clock moves leaves the rest to the next one', async () => {
  const { network, agent } = site
  const owner = { url: `http://127.0.0.1:${network.config.PORT}`, agent }
  await site.startWorker()
  const clock = await openTestClock(owner)
  const slot = { ...slotAfter('sandbox-instant', 10, Date.now()), reminders: [4320, 1440, 60] }
  const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 30 })
  expect(body.status).toBe('confirmed')
  await site.killWorkers()

  const begun = Date.now()
  await site.killWorkerAt(
    { direction: 'request', text: 'ahead_ms = greatest', occurrence: 2 },
    async () => {
      const answer = await clock.advance({ by: 'P2W' }, 0)
      expect(answer.status).toBe('pending')
    },
  )
  const path = `/api/test_clocks/${clock.id}`
  const { body: stopped } = await agent.get(path)
  expect(stopped.test_clock.status).toBe('advancing')

  await site.startWorker()
  await eventually('the clock to arrive', async () => {
    const { body: now } = await agent.get(path)
    return now.test_clock.status === 'ready'
  })
  expect(await clock.now()).toBeGreaterThanOrEqual(begun + 14 * 86_400_000)
  const { body: found } = await clock.agent.get(`/api/bookings/${body.booking.id}`)
  expect(found.booking.status).toBe('completed')
  const { rows } = await network.db.query(
    'select type from event where booking_id = $1 order by number',
    [body.booking.id],
  )
  expect(rows.map(({ type }) => type)).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.reminder',
    'booking.reminder',
    'booking.reminder',
    'booking.completed',
  ])
})
