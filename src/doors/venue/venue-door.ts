import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../../base/errors.ts'
import {
  receiveAvailability,
  receiveBookingState,
} from '../../confirmation/operations/receive-venue-response.ts'
import { availabilityState, bookingState } from '../../confirmation/schema/venue-responses.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { keepBodyBytes, readJsonObject } from '../http/json-body.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Receives messages from venues' systems; see docs/protocols/venue-connector.md. */
export async function venueDoor(scope: FastifyInstance, { services, guards, log }: DoorDeps) {
  keepBodyBytes(scope)

  scope.route<{ Params: { venue: string } }>({
    method: 'POST',
    url: '/api/venue-connector/:venue',
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request) => {
      guards.admit()
      const { venue } = request.params
      const signed = await guards.requireSigned(request, () => guards.verifyVenue(request, venue))
      const message = readJsonObject(request)
      const { type } = message
      const line = { request_id: request.id, venue_id: signed.venueId, message_id: signed.id, type }
      if (type === 'availability.state') {
        const statement = parseInput(availabilityState, message)
        if (statement.venue_id !== signed.venueId) {
          throw wrong('/venue_id', 'expected the venue of this address')
        }
        log.info(line, 'venue message received')
        return receiveAvailability(services, { ...signed, statement })
      }
      if (type !== 'booking.state') {
        throw wrong('/type', 'expected "booking.state" or "availability.state"')
      }
      const statement = parseInput(bookingState, message)
      const { booking_id, status } = statement
      const { answer, undelivered } = await receiveBookingState(services, { ...signed, statement })
      log.info({ ...line, booking_id, status }, 'venue message received')
      if (undelivered) {
        const error = loggable(undelivered)
        log.warn({ ...line, booking_id, error }, 'the sweep will deliver the message of a venue')
      }
      return answer
    },
  })
}

const wrong = (pointer: string, detail: string) => invalidRequest([{ pointer, detail }])
