import type { EndpointStatus, ShownDeliveryStatus } from './statuses.ts'

/** What determines a delivery's next attempt. */
export type DeliverySchedule = {
  status: ShownDeliveryStatus
  endpoint_status: EndpointStatus
  due_at: Date | null
  /** the time before which nothing is sent to the endpoint, and why */
  wait_until: Date | null
  wait_reason: string | null
  tries: number
  /** the rule that set `due_at` */
  last_rule: string | null
  replay_id: string | null
}

const waitRules: Record<string, string> = {
  breaker: 'The endpoint keeps failing. Until it recovers, only its oldest event is attempted.',
  retry_after: 'The receiver asked for a pause (Retry-After).',
  fifo: 'First in, first out: an earlier event waits for its next attempt.',
}

const heldRules: Record<EndpointStatus, string> = {
  active: '',
  unverified: 'Held until the endpoint is verified.',
  paused: 'Held until the endpoint is resumed.',
  disabled: 'Held until the endpoint is enabled.',
}

/** The next attempt and the rule behind it; null if there is none. `at` is null while held. */
export function nextAttempt(
  schedule: DeliverySchedule,
  now: Date,
): { at: Date | null; rule: string } | null {
  const { status, endpoint_status, due_at, wait_until, wait_reason, last_rule } = schedule
  if (status === 'held') return { at: null, rule: heldRules[endpoint_status] }
  if (status !== 'pending' || !due_at) return null
  if (wait_until && wait_until > now && wait_until > due_at) {
    return { at: wait_until, rule: waitRules[wait_reason ?? ''] ?? 'The endpoint waits.' }
  }
  if (schedule.tries === 0 && schedule.replay_id !== null) {
    return { at: due_at, rule: 'As soon as possible, after new events (replay).' }
  }
  // A new schedule begins, so earlier rules no longer apply.
  const isFresh = schedule.tries === 0 && due_at <= now
  return { at: due_at, rule: (isFresh ? null : last_rule) ?? 'As soon as possible.' }
}
