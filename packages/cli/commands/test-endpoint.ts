import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { OneDelivery, TestSent } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Network } from '../network/network.ts'
import { sendSafely } from '../network/send-safely.ts'
import { printable } from '../screen/printable.ts'
import { showDelivery } from '../screen/show-delivery.ts'
import { withProgress } from '../terminal/progress.ts'
import { endpointArgument, endpointPath } from './endpoint-parts.ts'

/** Each poll counts toward the daily requests. */
const POLL_DELAYS_MS = [300, 1_000, 3_000, 5_000, 8_000]

export const testEndpoint = defineCommand({
  words: 'webhooks test',
  summary: 'Deliver a test event and show the outcome.',
  args: { endpoint: endpointArgument },
  options: { note: { kind: 'text', value: 'TEXT', about: 'Text to echo in the event' } },
  examples: ['webhooks test 01a200f6-3ac1-7880-8750-353be6363e4a --note hello'],
  async run({ args, options, network, terminal }) {
    const place = await network()
    const ask = {
      method: 'POST' as const,
      path: endpointPath(args.endpoint, 'test'),
      body: options.note === undefined ? {} : { note: options.note },
      idempotencyKey: randomUUID(),
    }
    const { body } = await sendSafely<TestSent>(place, ask, terminal.say)
    const delivery = await withProgress(terminal, 'Waiting for the delivery', () =>
      outcome(place, body),
    )
    return {
      answer: { ...body, ...delivery },
      text: (screen) => (delivery ? showDelivery(screen, delivery) : printable(body.next)),
      code: codeOf(delivery),
    }
  },
})

const isSettled = ({ delivery }: OneDelivery) =>
  delivery.status !== 'sending' &&
  delivery.last_attempt !== null &&
  delivery.last_attempt.status !== 'sending'

/** The delivery once attempted, or its state when the wait times out. */
async function outcome(network: Network, { delivery_id }: TestSent): Promise<OneDelivery | null> {
  if (delivery_id === null) return null
  const load = async () =>
    (await network.ask<OneDelivery>({ path: `/api/deliveries/${delivery_id}` })).body
  let delivery: OneDelivery | null = null
  for (const ms of POLL_DELAYS_MS) {
    await setTimeout(ms)
    delivery = await load()
    if (isSettled(delivery)) break
  }
  return delivery
}

function codeOf(delivery: OneDelivery | null) {
  if (!delivery || !isSettled(delivery)) return exitCodes.pending
  return delivery.delivery.status === 'delivered' ? exitCodes.done : exitCodes.refused
}
