import type { Command, Program } from './command.ts'
import { findCommand } from './find-command.ts'
import { commandHelp, groupHelp } from './help.ts'
import { readArguments } from './read-arguments.ts'
import { readOptions, requireOptions, splitCommandWords, type Values } from './read-options.ts'

/** A parsed command line: a command with its values, or help (`isAsked`: requested explicitly). */
export type ParsedCommandLine<Context, Result> =
  | { is: 'help'; text: string; isAsked: boolean }
  | {
      is: 'command'
      command: Command<Context, Result>
      args: Record<string, string>
      options: Values
      /** values of the program's shared options */
      globals: Values
    }

/** Parses a command line. Throws `UsageError` for invalid input. */
export function parseCommandLine<Context, Result>(
  program: Program<Context, Result>,
  typed: readonly string[],
  width: number,
): ParsedCommandLine<Context, Result> {
  const { words, others } = splitCommandWords(typed, program.options)
  const match = findCommand(program.commands, words)
  const page = { width, program }
  if (match.is === 'group') {
    const { values } = readOptions(others, program.options)
    const isAll = words.length === 0
    const text = groupHelp(match.commands, page, isAll)
    return { is: 'help', text, isAsked: values.help !== undefined || !isAll }
  }
  const { command, rest } = match
  const line = readOptions([...rest, ...others], { ...command.options, ...program.options })
  if (line.values.help) return { is: 'help', text: commandHelp(command, page), isAsked: true }
  const args = readArguments(command, line.words)
  requireOptions(command.words, command.options, line.values)
  const [options, globals] = [command.options, program.options].map((these) =>
    Object.fromEntries(Object.entries(line.values).filter(([name]) => Object.hasOwn(these, name))),
  ) as [Values, Values]
  return { is: 'command', command, args, options, globals }
}
