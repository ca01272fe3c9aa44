import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlots, timesAhead } from '../support/agent.ts'
import { detailsOf, listed, summariesOf } from '../support/histories.ts'
import { eventually } from '../support/programs.ts'
import { recordHistory } from '../support/record-histories.ts'
import { test } from '../support/service.ts'

const once = () => ({ 'idempotency-key': randomUUID() })
const local = (slotTime: string) => slotTime.slice(0, 16).replace('T', ' ')

test('operators see what a booking waits for, and what an amendment changed', async ({
  service: { agent, client },
}) => {
  const found = await agent.get('/api/venues/search?q=restaurant+in+Ubud&limit=10&detail=full')
  const venue = found.body.venues.find((one: any) => one.confirm_mode === 'auto')
  const inTwoDays = (time: string) => Date.parse(time) > Date.now() + 48 * 3_600_000
  const [before, after] = (await timesAhead(agent, venue.slug, 3)).filter(inTwoDays) as string[]
  const wanted = { venue_id: venue.id, slot_time: before, party_size: 2 }
  const { body } = await agent.post('/api/bookings', wanted, once())
  const { id } = body.booking
  const workflowId = bookingWorkflowId(id)
  const handle = client.workflow.getHandle(workflowId)
  await eventually('the timer', async () =>
    (await summariesOf(client, workflowId)).some(({ type }) => type === 'timer'),
  )
  expect(await summariesOf(client, workflowId)).toContainEqual({
    type: 'timer',
    text: 'reminder 24 h before',
  })
  const own = `VenueSlug = '${venue.slug}' and AccountId = '${agent.accountId}'`
  const venueAt = (time: string) => `${own} and SlotLocal = '${local(time)}'`
  await eventually('it in the list of its time', async () =>
    (await listed(client, venueAt(before as string))).includes(workflowId),
  )

  const change = { slot_time: after, party_size: 3 }
  const amended = await agent.patch(`/api/bookings/${id}`, change, once())
  expect(amended.body).toMatchObject({ status: 'amended' })
  await eventually('it in the list of its new time', async () =>
    (await listed(client, venueAt(after as string))).includes(workflowId),
  )
  expect(await summariesOf(client, workflowId)).toContainEqual({
    type: 'activity',
    text: `amend: party of 3, ${local(after as string)}`,
  })
  const details = await detailsOf(client, workflowId)
  expect(details).toContain('Next: reminder 24 h before, at ')
  const [from, to] = [
    `party of 2, ${local(before as string)}`,
    `party of 3, ${local(after as string)}`,
  ]
  expect(details).toContain(`Amended: ${from} → ${to}`)
  const { memo } = await handle.describe()
  expect(memo?.summary).toBe(`3 at ${venue.name}, ${local(after as string)}`)
  await recordHistory(handle, 'booking.amended.summary')
})

test('the parts of an itinerary are listed by its id', async ({ service: { agent, client } }) => {
  const [[spa], [gym]] = await Promise.all([
    findSlots(agent, 'spa in Bali', 1),
    findSlots(agent, 'gym in Bali', 1),
  ])
  const { body } = await agent.post('/api/itineraries', { parts: [spa, gym], wait: 60 }, once())
  const { id, parts } = body.itinerary
  const wanted = [
    `itinerary/${id}`,
    ...parts.map((part: any) => bookingWorkflowId(part.booking_id)),
  ].sort()
  await eventually('all of them', async () => {
    const found = await listed(client, `GroupId = '${id}'`)
    return JSON.stringify(found.sort()) === JSON.stringify(wanted)
  })
})
