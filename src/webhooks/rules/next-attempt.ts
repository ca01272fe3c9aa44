import type { EndpointStatus, ShownDeliveryStatus } from './webhooks.ts'

/** What decides when a delivery is tried next. */
export type DeliverySchedule = {
  status: ShownDeliveryStatus
  endpointStatus: EndpointStatus
  dueAt: Date | null
  /** nothing is sent to the endpoint before this, and why */
  waitUntil: Date | null
  waitReason: string | null
  /** tries since it was put up, and the rule that the last attempt set */
  tries: number
  lastRule: string | null
  isReplayed: boolean
}

const waitRules: Record<string, string> = {
  breaker:
    'The endpoint’s last attempts failed: until it answers again, only its oldest event is tried.',
  retry_after: 'The receiver asked to be left alone until then (Retry-After).',
  fifo: 'One after another: an earlier event waits for its next try.',
}

const heldRules: Record<EndpointStatus, string> = {
  active: '',
  unverified: 'Held until the endpoint has proved itself.',
  paused: 'Held until the endpoint is resumed.',
  disabled: 'Held until the endpoint is enabled.',
}

/** When a delivery is tried next and the rule that says so, in words; null for one that is not. `at` is null where no time is known. */
export function nextAttempt(
  standing: DeliverySchedule,
  now: Date,
): { at: Date | null; rule: string } | null {
  const { status, endpointStatus, dueAt, waitUntil, waitReason } = standing
  if (status === 'held') return { at: null, rule: heldRules[endpointStatus] }
  if (status !== 'pending' || !dueAt) return null
  if (waitUntil && waitUntil > now && waitUntil > dueAt) {
    return { at: waitUntil, rule: waitRules[waitReason ?? ''] ?? 'The endpoint waits.' }
  }
  return { at: dueAt, rule: ruleOf(standing) }
}

function ruleOf({ tries, lastRule, isReplayed }: DeliverySchedule): string {
  if (tries === 0 && isReplayed) {
    return 'As soon as possible, behind what is new: a replay put it up.'
  }
  return lastRule ?? 'As soon as possible.'
}
