import { commandDefiner, type Command as GenericCommand } from '../command-line/command.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Network } from './network/network.ts'
import type { Profiles } from './profiles.ts'
import type { Screen } from './screen/screen.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Where a command goes: the address and the key are those of flags, environment or profile, in this order. */
type Target = { url: string; profile: string }

/** What a command gets to work with. */
export type Context = {
  /** The network with the key; throws `UsageError` where there is none. */
  network(): Promise<Network>
  /** The address and the key themselves; throws as `network` does. */
  access(): Promise<{ url: string; key: string }>
  target(): Promise<Target>
  profiles: Profiles
  settings: Settings
  terminal: Terminal
  isJson: boolean
}

/** What came of a command: the whole answer for `--json`, the same for people, and the exit code where it is not 0. */
export type Outcome = {
  answer: unknown
  text(screen: Screen): string
  code?: ExitCode
}

/** One that prints by itself answers nothing. */
export type Command = GenericCommand<Context, Outcome | undefined>

/** Keeps the types of arguments and options while a command is written. */
export const defineCommand = commandDefiner<Context, Outcome | undefined>()
