import { accountCapabilities } from '../../accounts/room.ts'
import { agentCapabilities } from '../../agents/room.ts'
import { clockCapabilities } from '../../clocks/room.ts'
import type { Account, Operation } from '../../contract/operation.ts'

/** What fees an account owes is asked in its own time. */
const ofBookings = ['statement', 'overview']

const inRealTime = new Set(
  [...accountCapabilities, ...agentCapabilities, ...clockCapabilities]
    .map(({ operation }) => operation.name)
    .filter((name) => !ofBookings.includes(name)),
)

/**
 * The time of a call. Keys, requests, agents and the clocks themselves live in real time, also
 * those of an account with a test clock.
 */
export function timeOfCall(operation: Operation, account: Account | null, at: Date): Date {
  const ahead = account?.clock_ahead_ms ?? 0
  return ahead === 0 || inRealTime.has(operation.name) ? at : new Date(at.getTime() + ahead)
}
