import {
  commandDefiner,
  type Command as GenericCommand,
} from '../../src/platform/command-line/command.ts'
import type { ExitCode } from './exit-codes.ts'
import type { Network } from './network/network.ts'
import type { Profiles } from './profiles.ts'
import type { Screen } from './screen/screen.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal/terminal.ts'

/** The network a command talks to; flags override the environment, which overrides the profile. */
type Target = { url: string; profile: string }

/** The context in which a command runs. */
export type Context = {
  /** A client with the key; throws `UsageError` if there is no key. */
  network(): Promise<Network>
  /** The URL and the key; throws the same errors as `network`. */
  access(): Promise<{ url: string; key: string }>
  target(): Promise<Target>
  profiles: Profiles
  settings: Settings
  terminal: Terminal
  isJson: boolean
}

/**
 * A command's result: the full answer for `--json`, a text for people, and an exit code other than
 * 0.
 */
export type Outcome = {
  answer: unknown
  text(screen: Screen): string
  code?: ExitCode
}

/** A command that prints by itself returns undefined. */
export type Command = GenericCommand<Context, Outcome | undefined>

/** Infers the types of arguments and options. */
export const defineCommand = commandDefiner<Context, Outcome | undefined>()
