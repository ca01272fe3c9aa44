import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot } from '../support/agent.ts'
import { openRunningService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'

let network: Service

beforeAll(async () => {
  network = await openRunningService({ isScheduled: true })
})

afterAll(() => network?.close())

async function listed(query: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { workflowId } of network.client.workflow.list({ query })) ids.push(workflowId)
  return ids
}

test('an operator finds a booking by status, venue, account and time', async () => {
  const { agent } = network
  const { body } = await agent.post('/api/bookings', await findSlot(agent, 'restaurant in Sanur'))
  const { id, venue, starts_at } = body.booking
  const query =
    `AccountId = '${agent.accountId}' and BookingStatus = 'confirmed' ` +
    `and VenueSlug = '${venue.slug}'`
  const [before, after] = [-1, 1].map((minutes) => minutesFrom(starts_at, minutes))
  await eventually('the booking in the list', async () =>
    (await listed(`${query} and SlotTime between '${before}' and '${after}'`)).includes(
      bookingWorkflowId(id),
    ),
  )
  expect(await listed(`${query} and SlotTime > '${after}'`)).toEqual([])
})

const minutesFrom = (instant: string, minutes: number) =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()

test('the sweep runs on its schedule', async () => {
  const schedule = network.client.schedule.getHandle('sweep')
  const action = await eventually('a run of the sweep', async () => {
    const { info } = await schedule.describe()
    return info.recentActions.at(-1)
  })
  expect(action.action.workflow.workflowId).toMatch(/^sweep/)
})
