import type { Command } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { refuseUnknown } from './read-options.ts'

/** The arguments of a command by their names, all of them. Throws `UsageError` for one that is missing or too many. */
export function readArguments(
  { args, words }: Pick<Command, 'args' | 'words'>,
  typed: readonly string[],
): Record<string, string> {
  const rest = [...typed]
  const read: Record<string, string> = {}
  for (const [name, { many, choices }] of Object.entries(args)) {
    const value = many ? rest.splice(0).join(' ') : rest.shift()
    if (!value) throw new UsageError(`${words} needs ${placeOf(name)}.`)
    refuseUnknown(placeOf(name), value, choices)
    read[name] = value
  }
  if (rest.length > 0) throw new UsageError(`${words} takes no "${rest[0]}".`)
  return read
}

/** How help writes an argument. */
export const placeOf = (name: string): string => name.toUpperCase()
