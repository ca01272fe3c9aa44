import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { Refusal } from '../../../src/base/errors.ts'
import type { BookingStart, ConfirmAnswer } from '../../../src/bookings/rules/booking-messages.ts'
import { x402TermsOf } from '../../../src/config/x402-variables.ts'
import type { Pool } from '../../../src/platform/database/sql.ts'
import { createEgress } from '../../../src/platform/http/egress.ts'
import { subscriberPolicy } from '../../../src/platform/http/target.ts'
import { createSealer } from '../../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../../src/platform/sealing/sealing-keys.ts'
import type { X402Context } from '../../../src/x402/hooks.ts'
import { confirmPaid } from '../../../src/x402/operations/confirm-paid.ts'
import type { Facilitator } from '../../../src/x402/rules/facilitator.ts'
import { PAYMENT_SECONDS } from '../../../src/x402/rules/terms.ts'
import { terms as bookingTerms, stepDeps } from '../../../test/support/terms.ts'
import type { Arena } from '../arena.ts'

const terms = x402TermsOf({ X402_FACILITATOR: 'local', X402_NETWORK: 'eip155:84532' })
const policy = { NODE_ENV: 'test', HOST: '127.0.0.1', OUTBOUND_SOCKETS: 1 }
const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
const egress = createEgress(subscriberPolicy(policy), sealer)

/** Books through the doors' operation; `decide` stands in for the booking's workflow. */
export function createPayer(
  db: Pool,
  facilitator: Facilitator,
  decide: (start: BookingStart) => Promise<ConfirmAnswer | 'pending'>,
  account: X402Context['account'] = null,
) {
  if (!terms) throw new Error('payments are off')
  const settings = { publicUrl: 'http://proof', feePct: bookingTerms.feePct, sendsMail: false }
  const services = { db, egress, settings: { ...settings, x402: terms }, dryRunDeps: stepDeps }
  const engine = { confirm: decide }
  const contextOf = (payment: unknown): X402Context =>
    ({
      ...services,
      engine,
      facilitator,
      account,
      scopes: [],
      door: 'rest',
      address: '127.0.0.1',
      from: null,
      requestId: randomUUIDv7(),
      at: new Date(),
      payment,
    }) as unknown as X402Context
  const inputOf = (arena: Arena, slotTime: string) =>
    ({ venue_id: arena.id, slot_time: slotTime, party_size: 1, wait: 10 }) as const
  return {
    /** Gets a price quote for a slot, and signs nothing: the proof's chain needs no signature. */
    async payFor(arena: Arena, slotTime: string) {
      const paying = { facilitator, terms }
      const quoting = confirmPaid(contextOf(undefined), paying, inputOf(arena, slotTime))
      const accepted = await quoting.then(
        () => undefined,
        (error: unknown) => requirementsIn(error),
      )
      return { x402Version: 2, accepted, payload: authorize(accepted) }
    },
    /** Sends the request with its payment. */
    send: (arena: Arena, slotTime: string, payment: unknown) =>
      confirmPaid(contextOf(payment), { facilitator, terms }, inputOf(arena, slotTime)),
  }
}

function requirementsIn(error: unknown) {
  if (!(error instanceof Refusal) || error.data.code !== 'payment_required') throw error
  const { accepts } = error.data.facts.payment as { accepts: { amount: string; payTo: string }[] }
  return accepts[0]
}

const hex = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`

const authorize = (accepted: { amount: string; payTo: string } | undefined) => ({
  signature: hex(65),
  authorization: {
    from: hex(20),
    to: accepted?.payTo,
    value: accepted?.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + PAYMENT_SECONDS),
    nonce: hex(32),
  },
})
