import type { Described } from './command.ts'
import { refuseUnknown } from './read-options.ts'
import { UsageError } from './usage-error.ts'

/** Reads a command's arguments by name. Throws `UsageError` if one is missing or extra. */
export function readArguments(
  { args, words }: Pick<Described, 'args' | 'words'>,
  typed: readonly string[],
): Record<string, string> {
  const rest = [...typed]
  const values: Record<string, string> = {}
  for (const [name, { many, optional, choices }] of Object.entries(args)) {
    const value = many ? rest.splice(0).join(' ') : rest.shift()
    if (!value && optional) continue
    if (!value) throw new UsageError(`${nameOf(words)} needs ${placeOf(name)}.`)
    refuseUnknown(placeOf(name), value, choices)
    values[name] = value
  }
  if (rest.length > 0) throw new UsageError(`${nameOf(words)} takes no "${rest[0]}".`)
  return values
}

/** In a single-command program, the command has no words. */
const nameOf = (words: string): string => words || 'This'

/** An argument's placeholder in help and errors. */
export const placeOf = (name: string): string => name.toUpperCase()
