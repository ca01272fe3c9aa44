import { newSigningSecret } from '../../../src/platform/http/signature.ts'
import type { FollowedEvent } from '../answers.ts'
import { printable } from '../screen/printable.ts'
import { type Followed, followEvents, lastNumber } from './follow-events.ts'
import { forwardEvent } from './forward-event.ts'

/** What to do with events. `after`: undefined starts with new events. */
export type Listening = {
  after: number | undefined
  forward: string | undefined
  /** signing secret for forwarded events; if undefined, a new one is made */
  secret: string | undefined
}

/** Callbacks: `begins` once, `came` for each event with the outcome of forwarding it. */
export type Listener = {
  begins(text: string): void
  came(event: FollowedEvent, forwarded: string | undefined): void
}

/**
 * Follows an account's events forever and forwards each once, signed like a delivery. Throws like
 * `followEvents`.
 */
export async function listenTo(
  followed: Followed,
  { forward, ...options }: Listening,
  { begins, came }: Listener,
): Promise<never> {
  const secret = options.secret ?? newSigningSecret()
  const after = options.after ?? (await lastNumber(followed))
  begins(`Listening at ${followed.url} for events after number ${after}`)
  if (forward) begins(`Forwarding to ${forward}, signed with ${secret}`)
  let sequence = 0
  const events = followEvents(followed, after)
  for (;;) {
    const { value: event } = await events.next()
    sequence += 1
    came(event, forward && (await forwardEvent(forward, secret, event, sequence)))
  }
}

/** One printable line per event, with the local time. */
export function eventLine({ number, type, id }: FollowedEvent, forwarded?: string): string {
  const time = new Date().toTimeString().slice(0, 8)
  return printable(`${time}  #${number}  ${type}  ${id}${forwarded ? `  ${forwarded}` : ''}`)
}
