import type { Described } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

/** A command with its arguments, or a group of commands such as `bookings`. */
export type FoundCommand<C> =
  | { is: 'command'; command: C; rest: string[] }
  | { is: 'group'; commands: readonly C[] }

/** Finds a command by its words. If there is none, throws `UsageError` suggesting the nearest. */
export function findCommand<C extends Pick<Described, 'words' | 'alias'>>(
  commands: readonly C[],
  typed: readonly string[],
): FoundCommand<C> {
  const [only] = commands
  if (only?.words === '') return { is: 'command', command: only, rest: [...typed] }
  const [first, second] = typed
  if (first === undefined) return { is: 'group', commands }
  for (const [words, count] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = commands.find((one) => one.words === words || one.alias === words)
    if (command) return { is: 'command', command, rest: typed.slice(count) }
  }
  const group = commands.filter((one) => one.words.startsWith(`${first} `))
  if (group.length === 0) {
    throw unknown(
      first,
      commands.map(({ words }) => words.split(' ')[0] ?? ''),
    )
  }
  if (second === undefined) return { is: 'group', commands: group }
  throw unknown(
    second,
    group.map(({ words }) => words.split(' ')[1] ?? ''),
    `${first} `,
  )
}

function unknown(typed: string, words: readonly string[], before = ''): UsageError {
  const near = nearest(typed, words)
  const advice = near ? `Did you mean "${before}${near}"?` : 'See --help for all of them.'
  return new UsageError(`There is no command "${before}${typed}". ${advice}`)
}
