import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  receiveAvailability,
  receiveBookingState,
} from '../../confirmation/operations/receive-venue-response.ts'
import { availabilityState, bookingState } from '../../confirmation/schema/venue-responses.ts'
import type { Services } from '../../contract/operation.ts'
import { invalidRequest, refuse } from '../../contract/rules/errors.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import { exceeded } from '../guards/allowance.ts'
import type { Guards } from '../guards/guards.ts'
import { keepBodyBytes, readJsonObject } from '../json-body.ts'
import { parseInput } from '../parse-input.ts'

const BODY_LIMIT_BYTES = 1024 * 1024
const venueId = z.uuid().toLowerCase()

export type VenueDoor = { services: Services; guards: Guards; log: Log }

/** Where venues with a system of their own post what they state: docs/protocols/venue-connector.md. */
export async function venueDoor(scope: FastifyInstance, { services, guards, log }: VenueDoor) {
  keepBodyBytes(scope)

  scope.route<{ Params: { venue: string } }>({
    method: 'POST',
    url: '/api/venue-connector/:venue',
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request) => {
      guards.admit()
      const allowance = await guards.limitAddress(request)
      if (!allowance.granted) throw exceeded(allowance)
      const id = venueId.safeParse(request.params.venue)
      if (!id.success) throw refuse('venue_not_found')
      const signed = await guards.verifyVenue(request, id.data, bytesOf(request))
      return receive(request, signed)
    },
  })

  async function receive(
    request: FastifyRequest,
    signed: Awaited<ReturnType<Guards['verifyVenue']>>,
  ) {
    const message = readJsonObject(request)
    const line = { request_id: request.id, venue_id: signed.venueId, message_id: signed.id }
    if (message.type === 'availability.state') {
      const statement = parseInput(availabilityState, message)
      if (statement.venue_id !== signed.venueId) throw otherVenue()
      log.info({ ...line, type: statement.type }, 'a venue stated')
      return receiveAvailability(services, { ...signed, statement })
    }
    if (message.type !== 'booking.state') throw unknownType()
    const statement = parseInput(bookingState, message)
    const { answer, undelivered } = await receiveBookingState(services, { ...signed, statement })
    const { booking_id, status } = statement
    log.info({ ...line, type: statement.type, booking_id, status }, 'a venue stated')
    if (undelivered) {
      const error = loggable(undelivered)
      log.warn({ ...line, booking_id, error }, 'the sweep will deliver what the venue stated')
    }
    return answer
  }
}

const bytesOf = ({ body }: FastifyRequest) => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))

const otherVenue = () =>
  invalidRequest([{ pointer: '/venue_id', detail: 'expected the venue of this address' }])

const unknownType = () =>
  invalidRequest([{ pointer: '/type', detail: 'expected "booking.state" or "availability.state"' }])
