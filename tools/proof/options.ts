import { parseArgs } from 'node:util'
import { guards } from './guards.ts'

const names = guards.map(({ constraint }) => constraint)

export const help = `usage: npm run proof [-- OPTIONS]

Lets callers collide over the same few tables, places and bookings, kills what can be killed, and
then asks the database for everything that must never be: double bookings, oversold slots, orphan
holds, missing or second fees, gaps in events, places that a watcher lost, itineraries booked in
part. It starts servers of its own and stops them; with
DATABASE_URL or TEMPORAL_ADDRESS set it refuses to run. Exit code 0: no violation.

  --attempts N    contended attempts on the steps that the activities run (100000): a tenth run whole steps,
                  the others reach for inventory alone
  --doors N       attempts through the doors of a service whose processes are killed (3000; 0 for none)
  --sequences N   random sequences that are compared with a model (300)
  --seed N        what the choices are drawn from; a random one is printed. The choices repeat with it,
                  the interleaving of callers does not
  --seconds N     nothing new begins after this time (540)
  --break [NAME]  drops a constraint and exits 0 only if violations were found then; each in turn
                  without a name:
                  ${names.join('\n                  ')}
  --help          this text`

export type Options = {
  attempts: number
  doors: number
  sequences: number
  seed: number
  seconds: number
  /** constraints to drop, one after another; null proves with all in place */
  broken: readonly string[] | null
}

/** The options, 'help', or what is wrong with them. */
export function readOptions(args: string[]): Options | 'help' | { problem: string } {
  const isBare = args.some((arg, n) => arg === '--break' && (args[n + 1] ?? '--').startsWith('--'))
  const given = args.map((arg) => (arg === '--break' && isBare ? '--break=all' : arg))
  try {
    const { values } = parseArgs({ args: given, options })
    if (values.help) return 'help'
    const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
    const numbers = {
      attempts: natural('attempts', values.attempts),
      doors: natural('doors', values.doors),
      sequences: natural('sequences', values.sequences),
      seed: natural('seed', seed),
      seconds: natural('seconds', values.seconds),
    }
    return { ...numbers, broken: brokenOf(values.break) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

const options = {
  attempts: { type: 'string', default: '100000' },
  doors: { type: 'string', default: '3000' },
  sequences: { type: 'string', default: '300' },
  seed: { type: 'string' },
  seconds: { type: 'string', default: '540' },
  break: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

function natural(name: string, text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}"`)
  return Number(text)
}

function brokenOf(name: string | undefined): readonly string[] | null {
  if (name === undefined) return null
  if (name === 'all') return names
  if (names.includes(name)) return [name]
  throw new Error(`--break knows no "${name}"; there are ${names.join(', ')}`)
}
