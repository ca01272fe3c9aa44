/** A place on the command line; `many` takes the rest of them, joined by spaces. */
type Argument = {
  about: string
  many?: true
  optional?: true
  choices?: readonly string[]
}

/** `list` takes values with commas between them, and may be repeated. */
export type Option = {
  kind: 'flag' | 'text' | 'number' | 'list'
  /** what help calls the value; a flag has none */
  value?: string
  short?: string
  about: string
  choices?: readonly string[]
  required?: true
  /** of a list: `--name=` gives none */
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

/** What a command gets to work with: what was typed for it, and what its program gives to all. */
export type Call<A extends Arguments, O extends Options, Context> = {
  args: ArgumentValues<A>
  options: OptionValues<O>
} & Context

/** A command; `words` are what is typed, as in `bookings list`, and empty in a program of one command. */
export type Command<Context, Result> = {
  words: string
  alias?: string
  summary: string
  details?: string
  args: Arguments
  options: Options
  /** what is typed behind the program's name */
  examples: readonly string[]
  run(call: Call<Arguments, Options, Context>): Promise<Result>
}

/** What help and completion need of a command. */
export type Described = Omit<Command<never, never>, 'run'>

/** A program: commands, the options that each of them takes, and what its help says besides. */
export type Program<Context, Result> = {
  /** how it is called, as in `npm run keys --` */
  name: string
  about: string
  commands: readonly Command<Context, Result>[]
  options: Options
  notes?: readonly string[]
}

/** The function that defines commands of a program and keeps the types of arguments and options. */
export const commandDefiner =
  <Context, Result>() =>
  <const A extends Arguments, const O extends Options>(
    command: Omit<Command<Context, Result>, 'args' | 'options' | 'run'> & {
      args: A
      options: O
      run(call: Call<A, O, Context>): Promise<Result>
    },
  ): Command<Context, Result> =>
    command as unknown as Command<Context, Result>
