import { newSigningSecret } from '../../../src/platform/http/signing-secret.ts'
import type { FollowedEvent } from '../answers.ts'
import { printable } from '../screen/printable.ts'
import { type Followed, followEvents, lastNumber } from './follow-events.ts'
import { forwardEvent } from './forward-event.ts'

/** What to do with the events that come. `after`: undefined to begin with what happens from now on. */
export type Listening = {
  after: number | undefined
  forward: string | undefined
  /** what forwarded events are signed with; undefined for a new one */
  secret: string | undefined
}

/** Who is told: `begins` once, `came` for each event with what the program that it was forwarded to made of it. */
export type Listener = {
  begins(text: string): void
  came(event: FollowedEvent, forwarded: string | undefined): void
}

/** Follows the events of an account for ever, and forwards each once, signed as a delivery is. Throws like `followEvents`. */
export async function listenTo(
  followed: Followed,
  { forward, ...asked }: Listening,
  { begins, came }: Listener,
): Promise<never> {
  const secret = asked.secret ?? newSigningSecret()
  const after = asked.after ?? (await lastNumber(followed))
  begins(`Listening at ${followed.url} to events after number ${after}`)
  if (forward) begins(`Forwarding to ${forward}, signed with ${secret}`)
  let sequence = 0
  const events = followEvents(followed, after)
  for (;;) {
    const { value: event } = await events.next()
    sequence += 1
    came(event, forward && (await forwardEvent(forward, secret, event, sequence)))
  }
}

/** One line about an event, with the local time at which it was seen; it drives no terminal. */
export function eventLine({ number, type, id }: FollowedEvent, forwarded?: string): string {
  const time = new Date().toTimeString().slice(0, 8)
  return printable(`${time}  #${number}  ${type}  ${id}${forwarded ? `  ${forwarded}` : ''}`)
}
