import type { Capability } from '../../contract/capability.ts'
import type { Account, Operation } from '../../contract/operation.ts'
import { rooms } from '../../network.ts'

/** Fee reports, which use the account's own time. */
const ofBookings = ['statement', 'overview']

const namesOf = (capabilities: readonly Capability[]) =>
  capabilities.map(({ operation }) => operation.name)

const inRealTime = new Set(
  rooms
    .flatMap((room) => ('inRealTime' in room ? namesOf(room.capabilities) : []))
    .filter((name) => !ofBookings.includes(name)),
)

/**
 * The time of a call. Keys, requests, agents and the clocks themselves use real time, even for
 * accounts with a test clock.
 */
export function timeOfCall(operation: Operation, account: Account | null, at: Date): Date {
  const ahead = account?.clock_ahead_ms ?? 0
  return ahead === 0 || inRealTime.has(operation.name) ? at : new Date(at.getTime() + ahead)
}
