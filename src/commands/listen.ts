import { publicUrlOf, readConfig } from '../config.ts'
import { newSigningSecret } from '../outbound/signing-secret.ts'
import { type Followed, followEvents, lastNumber } from './follow-events.ts'
import { forwardEvent } from './forward-event.ts'
import { parseListenCommand } from './listen-command.ts'
import { runCommand } from './run-command.ts'

const usage = `Prints the events of your account as they happen, and forwards them to a program that you are developing.

  npm run listen -- --key KEY                            prints what happens from now on
  npm run listen -- --key KEY --forward URL              and posts it to URL, signed as webhooks are

  --types booking.*,fee.accrued   only these types
  --after N                       begins behind event number N of the ledger; 0 for all of it
  --secret whsec_…                signs with this secret instead of a new one
  --url URL                       the network; PUBLIC_URL or http://HOST:PORT of this machine unless given

It reads GET /api/events as any client would: one of the account's daily requests for each event that comes, and one a minute while nothing
happens. It stops before the last 20 of the day and says how to go on. What is forwarded is not tried again. Ctrl-C ends it.`

// Ctrl-C is how it is meant to end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))

await runCommand(usage, async (args) => {
  const command = parseListenCommand(args)
  const { key, forward, types } = command
  const url = command.url ?? publicUrlOf(readConfig())
  const followed: Followed = { url, key, types, trouble: (text) => console.error(text) }
  const secret = command.secret ?? newSigningSecret()
  const after = command.after ?? (await lastNumber(followed))
  console.log(`Listening at ${url} to events after number ${after}`)
  if (forward) console.log(`Forwarding to ${forward}, signed with ${secret}`)

  let sequence = 0
  for await (const event of followEvents(followed, after)) {
    sequence += 1
    const came = forward && `  ${await forwardEvent(forward, secret, event, sequence)}`
    const time = new Date().toTimeString().slice(0, 8)
    console.log(`${time}  #${event.number}  ${event.type}  ${event.id}${came ?? ''}`)
  }
  return undefined
})
