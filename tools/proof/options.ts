import type { OptionValues } from '../../src/platform/command-line/command.ts'
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
  /** constraints to drop in turn; null keeps all */
  broken: readonly string[] | null
}

export const withDefaults = (given: OptionValues<typeof options>): Options => ({
  attempts: given.attempts ?? 100_000,
  doors: given.doors ?? 3_000,
  payments: given.payments ?? 1_000,
  kills: given.kills ?? 5,
  sequences: given.sequences ?? 300,
  seed: given.seed ?? Math.floor(Math.random() * 2 ** 31),
  seconds: given.seconds ?? 540,
  broken: given.break === undefined ? null : given.break === 'all' ? names : [given.break],
})
