import { eventLine, listenTo } from '../../packages/cli/events/listen-to.ts'
import { publicUrlOf, readConfig } from '../config.ts'
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
  const { key, types } = command
  const url = command.url ?? publicUrlOf(readConfig())
  const followed = { url, key, types, trouble: (text: string) => console.error(text) }
  return listenTo(followed, command, {
    begins: (text) => console.log(text),
    came: (event, forwarded) => console.log(eventLine(event, forwarded)),
  })
})
