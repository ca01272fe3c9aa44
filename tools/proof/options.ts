import type { OptionValues } from '../../src/platform/command-line/command.ts'
import { arenaKinds } from './arena.ts'
import { guards } from './guards.ts'

const names = guards.map(({ constraint }) => constraint)

export const options = {
  attempts: {
    kind: 'number',
    value: 'N',
    about:
      'Contended attempts on the steps of activities, 100000 by default: a tenth run whole ' +
      'steps, the rest only take inventory',
  },
  doors: {
    kind: 'number',
    value: 'N',
    about:
      'Attempts through the doors of a service whose processes are killed, 3000 by default; ' +
      '0 for none',
  },
  payments: {
    kind: 'number',
    value: 'N',
    about:
      'Payments by x402 whose settlements go unanswered, 1000 by default, after 20 deaths at ' +
      'each step of a payment; 0 for none',
  },
  kills: {
    kind: 'number',
    value: 'N',
    about:
      'Real `kill -9` at each step of a payment, over API, workers, facilitator and database; 5 ' +
      'by default, 0 for none',
  },
  sequences: {
    kind: 'number',
    value: 'N',
    about: 'Random sequences compared with a model, 300 by default',
  },
  seed: {
    kind: 'number',
    value: 'N',
    about:
      'Seed of all random choices; a random one is printed. It repeats the choices, not how ' +
      'callers interleave',
  },
  seconds: {
    kind: 'number',
    value: 'N',
    about: 'No new attempts after this time, 540 by default',
  },
  venue: {
    kind: 'text',
    value: 'NAME',
    about: 'Only venues of this kind, in all contended attempts on the steps',
    choices: arenaKinds.map(({ name }) => name),
  },
  break: {
    kind: 'text',
    value: 'NAME',
    about: 'Drop a constraint, or each in turn; exit code 0 only if every drop was detected',
    choices: ['all', ...names],
  },
} as const

export type Options = {
  attempts: number
  doors: number
  payments: number
  kills: number
  sequences: number
  seed: number
  seconds: number
  /** the name of the only kind of venue; undefined for all */
  venue: string | undefined
  /** constraints to drop in turn; null keeps them all */
  broken: readonly string[] | null
}

export const withDefaults = (values: OptionValues<typeof options>): Options => ({
  attempts: values.attempts ?? 100_000,
  doors: values.doors ?? 3_000,
  payments: values.payments ?? 1_000,
  kills: values.kills ?? 5,
  sequences: values.sequences ?? 300,
  seed: values.seed ?? Math.floor(Math.random() * 2 ** 31),
  seconds: values.seconds ?? 540,
  venue: values.venue,
  broken: values.break === undefined ? null : values.break === 'all' ? names : [values.break],
})
