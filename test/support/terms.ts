import type { Terms } from '../../src/bookings/hooks.ts'
import { newcomerLimits } from '../../src/bookings/rules/limits.ts'
import { bookingDeps } from '../../src/compose/booking-deps.ts'
import type { NetworkEngine } from '../../src/network.ts'
import { readableLog } from './lines.ts'

/** Default booking terms. */
export const terms: Terms = {
  feePct: 2.5,
  completionGraceMinutes: 15,
  venueAnswerMinutes: 15,
  requestAnswerMinutes: 15,
  offerAnswerMinutes: 30,
  limits: newcomerLimits,
}

const noServer = () => Promise.reject(new Error('no Temporal server in this test'))

/** Bookings and the rooms above them, without running workflows. */
export const stepDeps = bookingDeps(
  terms,
  new Proxy({} as NetworkEngine, { get: () => noServer }),
  readableLog().log,
)
