import type { ExitCode } from './exit-codes.ts'
import type { Network } from './network/network.ts'
import type { Profiles } from './profiles.ts'
import type { Screen } from './screen/screen.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal/terminal.ts'

/** A place on the command line; `many` takes the rest of them, joined by spaces. */
export type Argument = { about: string; many?: true; choices?: readonly string[] }

/** `list` takes values with commas between them, and may be repeated. */
export type Option = {
  kind: 'flag' | 'text' | 'number' | 'list'
  /** what help calls the value; a flag has none */
  value?: string
  short?: string
  about: string
  choices?: readonly string[]
}

type ValueOf<O extends Option> = O['kind'] extends 'flag'
  ? true
  : O['kind'] extends 'number'
    ? number
    : O['kind'] extends 'list'
      ? string[]
      : string

export type OptionValues<O extends Record<string, Option>> = {
  [Name in keyof O]?: ValueOf<O[Name]> | undefined
}

/** Where a command goes: the address and the key are those of flags, environment or profile, in this order. */
export type Target = { url: string; profile: string }

/** What a command gets to work with. */
export type Call<A extends string, O extends Record<string, Option>> = {
  args: Record<A, string>
  options: OptionValues<O>
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

/** A command; `words` are what is typed, as in `bookings list`. One that prints by itself answers nothing. */
export type Command = {
  words: string
  alias?: string
  summary: string
  details?: string
  args: Record<string, Argument>
  options: Record<string, Option>
  /** what is typed behind the program's name */
  examples: readonly string[]
  run(call: Call<string, Record<string, Option>>): Promise<Outcome | undefined>
}

/** Keeps the types of arguments and options while a command is written. */
export const defineCommand = <
  const A extends Record<string, Argument>,
  const O extends Record<string, Option>,
>(
  command: Omit<Command, 'args' | 'options' | 'run'> & {
    args: A
    options: O
    run(call: Call<Extract<keyof A, string>, O>): Promise<Outcome | undefined>
  },
): Command => command as unknown as Command
