import type { Client } from '@temporalio/client'
import type { LocalWorker } from './bookings/booking-answers.ts'
import { createBookingEngine } from './bookings/booking-engine.ts'
import { createClockEngine } from './clocks/clock-engine.ts'
import type { Engine } from './contract/operation.ts'
import { createGroupEngine } from './itineraries/group-engine.ts'
import { createServerState, type ServerState } from './platform/temporal/queues.ts'
import { createWaitlistEngine } from './waitlist/waitlist-engine.ts'
import { createWebhookEngine } from './webhooks/webhook-engine.ts'

declare module './contract/operation.ts' {
  interface Engine extends ServerState {}
}

/**
 * The clients of all workflows. `stopWaiting` ends all waits as if time was up. `local`: the
 * worker of bookings in this process.
 */
export const createEngine = (
  client: Client,
  stopWaiting = new AbortController().signal,
  local?: LocalWorker,
): Engine => ({
  ...createServerState(client),
  ...createBookingEngine(client, stopWaiting, local),
  ...createGroupEngine(client, stopWaiting),
  ...createWaitlistEngine(client),
  ...createWebhookEngine(client, stopWaiting),
  ...createClockEngine(client, stopWaiting),
})
