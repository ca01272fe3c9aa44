import type { FastifyInstance } from 'fastify'
import { receiveEvent } from '../../payments/steps/receive-event.ts'
import type { DoorDeps } from '../calls/run-operation.ts'
import { bodyBytes, keepBodyBytes } from '../http/json-body.ts'

/** An event contains the whole object that it is about, which may be long. */
const BODY_LIMIT_BYTES = 512 * 1024

/** Receives events from Stripe; see docs/operate/collecting-payments.md. Not part of the API. */
export async function stripeDoor(scope: FastifyInstance, { services, guards }: DoorDeps) {
  const { payments } = services
  if (payments?.provider.name !== 'stripe') return
  keepBodyBytes(scope)
  scope.route({
    method: 'POST',
    url: '/payments/stripe/events',
    bodyLimit: BODY_LIMIT_BYTES,
    handler: async (request) => {
      guards.admit()
      const signature = [request.headers['stripe-signature'] ?? ''].flat()[0] ?? ''
      await guards.requireSigned(request, () =>
        receiveEvent(payments, bodyBytes(request), signature, new Date()),
      )
      return { received: true }
    },
  })
}
