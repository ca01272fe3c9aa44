import type { Program } from '../../src/platform/command-line/command.ts'
import type { Command, Context, Outcome } from './command.ts'
import { commands } from './commands/commands.ts'
import { globalOptions } from './global-options.ts'

/** The command line under the given program name. */
export const programOf = (name: string): Program<Context, Outcome | undefined> => ({
  name,
  about: 'Search venues, book, and receive events, from a terminal.',
  commands: commands satisfies readonly Command[],
  options: globalOptions,
  notes: ['Exit codes: 0 done, 1 refused, 2 invalid usage, 3 unreachable, 4 still pending.'],
})
