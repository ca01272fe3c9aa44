import type { OptionValues } from '../../packages/command-line/command.ts'
import { guards } from './guards.ts'

const names = guards.map(({ constraint }) => constraint)

/** What `npm run proof` takes. */
export const options = {
  attempts: {
    kind: 'number',
    value: 'N',
    about:
      'Contended attempts on the steps that activities run, 100000 unless given: a tenth run ' +
      'whole steps, the others reach for inventory alone',
  },
  doors: {
    kind: 'number',
    value: 'N',
    about:
      'Attempts through the doors of a service whose processes are killed, 3000 unless ' +
      'given; 0 for none',
  },
  sequences: {
    kind: 'number',
    value: 'N',
    about: 'Random sequences that are compared with a model, 300 unless given',
  },
  seed: {
    kind: 'number',
    value: 'N',
    about:
      'What the choices are drawn from; a random one is printed. The choices repeat with it, ' +
      'the interleaving of callers does not',
  },
  seconds: {
    kind: 'number',
    value: 'N',
    about: 'Nothing new begins after this time, 540 unless given',
  },
  break: {
    kind: 'text',
    value: 'NAME',
    about: 'Drop a constraint, or each in turn, and exit with 0 only if violations were found then',
    choices: ['all', ...names],
  },
} as const

export type Options = {
  attempts: number
  doors: number
  sequences: number
  seed: number
  seconds: number
  /** constraints to drop, one after another; null proves with all in place */
  broken: readonly string[] | null
}

/** Fills in defaults. */
export const withDefaults = (given: OptionValues<typeof options>): Options => ({
  attempts: given.attempts ?? 100_000,
  doors: given.doors ?? 3_000,
  sequences: given.sequences ?? 300,
  seed: given.seed ?? Math.floor(Math.random() * 2 ** 31),
  seconds: given.seconds ?? 540,
  broken: given.break === undefined ? null : given.break === 'all' ? names : [given.break],
})
