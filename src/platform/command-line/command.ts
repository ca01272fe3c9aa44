/** A positional argument; `many` takes all remaining words, joined with spaces. */
type Argument = {
  about: string
  many?: true
  optional?: true
  choices?: readonly string[]
}

/** `list` takes comma-separated values and may be repeated. */
export type Option = {
  kind: 'flag' | 'text' | 'number' | 'list'
  /** the value's placeholder in help; a flag has none */
  value?: string
  short?: string
  about: string
  choices?: readonly string[]
  required?: true
  /** for lists only: `--name=` gives an empty list */
  mayBeEmpty?: true
}

export type Arguments = Record<string, Argument>
export type Options = Record<string, Option>

type ArgumentValues<A extends Arguments> = {
  [Name in keyof A]: A[Name]['optional'] extends true ? string | undefined : string
}

type ValueOf<O extends Option> = O['kind'] extends 'flag'
  ? true
  : O['kind'] extends 'number'
    ? number
    : O['kind'] extends 'list'
      ? string[]
      : string

export type OptionValues<O extends Options> = {
  [Name in keyof O as O[Name]['required'] extends true ? Name : never]: ValueOf<O[Name]>
} & {
  [Name in keyof O as O[Name]['required'] extends true ? never : Name]?:
    | ValueOf<O[Name]>
    | undefined
}

/** What a command receives: its parsed input and its program's context. */
export type CommandCall<A extends Arguments, O extends Options, Context> = {
  args: ArgumentValues<A>
  options: OptionValues<O>
} & Context

/** A command; users type `words`, such as `bookings list`; empty in a single-command program. */
export type Command<Context, Result> = {
  words: string
  alias?: string
  summary: string
  details?: string
  args: Arguments
  options: Options
  /** what users type after the program's name */
  examples: readonly string[]
  run(call: CommandCall<Arguments, Options, Context>): Promise<Result>
}

/** The part of a command needed for help and completion. */
export type Described = Omit<Command<never, never>, 'run'>

/** A program: its commands, their shared options, and notes for its help. */
export type Program<Context, Result> = {
  /** how to call it, such as `npm run keys --` */
  name: string
  about: string
  commands: readonly Command<Context, Result>[]
  options: Options
  notes?: readonly string[]
}

type None = Record<never, never>

/** Creates a `defineCommand` that infers the types of arguments and options; none by default. */
export const commandDefiner =
  <Context, Result>() =>
  <const A extends Arguments = None, const O extends Options = None>(
    command: Omit<Command<Context, Result>, 'args' | 'options' | 'run'> & {
      args?: A
      options?: O
      run(call: CommandCall<A, O, Context>): Promise<Result>
    },
  ): Command<Context, Result> =>
    ({ args: {}, options: {}, ...command }) as unknown as Command<Context, Result>
