import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { contactContext, upsertContact } from '../../src/confirmation/store/venue-contacts.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { requestFromStaff, sealerOf, staffAllDay } from '../support/venue-people.ts'

let service: Service
const told: any[] = []
const receiver = createServer(async (request, response) => {
  told.push(JSON.parse((await request.toArray()).join('')))
  response.writeHead(204).end()
})

beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await service?.close()
  receiver.close()
})

/** Sends notices to the receiver. With a wrong secret, every attempt fails on our side. */
async function setContact(venueId: string, secret: string): Promise<void> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/notices`
  await upsertContact(service.db, { venueId, url, secret })
}

test('people learn of a cancellation although every attempt failed on our side', async () => {
  const { id, slot } = await requestFromStaff(service)
  await eventually('the venue to be asked', async () => {
    const { body } = await service.agent.get(`/api/bookings/${id}`)
    return body.booking.status === 'pending' && body.booking.answer_by !== null
  })
  await setContact(slot.venue_id, 'sealed with a key that is lost')
  await service.agent.post(`/api/bookings/${id}/cancel`, {})
  const handle = service.client.workflow.getHandle(bookingWorkflowId(id))
  const isTriedOften = async () => {
    const { raw } = await handle.describe()
    return raw.pendingActivities?.some(({ attempt }) => Number(attempt) >= 5)
  }
  await eventually('a fifth attempt, after half a minute', isTriedOften, 100_000)
  const secret = sealerOf(service).seal(newSigningSecret(), contactContext(slot.venue_id))
  await setContact(slot.venue_id, secret)
  // Ends the pause before the next attempt.
  await handle.signal('venueResponded')
  await eventually('the notice', async () => told.length > 0)
  expect(told).toMatchObject([{ type: 'booking.changed', data: { booking_status: 'cancelled' } }])
  await handle.result()
})
