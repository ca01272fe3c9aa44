import { parseArgs } from 'node:util'
import type { Option, Options } from './command.ts'
import { nearest } from './nearest.ts'
import { UsageError } from './usage-error.ts'

export type Values = Record<string, string | string[] | number | true | undefined>

/** Splits a command line into options and positional words. Throws `UsageError`. */
export function readOptions(
  typed: readonly string[],
  options: Options,
): { values: Values; words: string[] } {
  const tokens = tokensOf(typed, options)
  const values: Values = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw unknownOption(token.rawName, Object.keys(options))
    values[token.name] = readValue(option, token, values[token.name])
  }
  return { values, words }
}

/** The words before the first command-specific option, which name the command; and the rest. */
export function splitCommandWords(
  typed: readonly string[],
  programOptions: Options,
): { words: string[]; others: string[] } {
  const tokens = tokensOf(typed, programOptions)
  const isGlobal = (token: { kind: string; name?: string }) =>
    token.kind === 'option' && Object.hasOwn(programOptions, token.name ?? '')
  const end = tokens.find((token) => token.kind !== 'positional' && !isGlobal(token))?.index
  const indexes = tokens
    .filter(({ kind, index }) => kind === 'positional' && index < (end ?? typed.length))
    .map(({ index }) => index)
  return {
    words: indexes.map((index) => typed[index] ?? ''),
    others: typed.filter((_, index) => !indexes.includes(index)),
  }
}

function tokensOf(typed: readonly string[], options: Options) {
  const parseOptions = Object.entries(options).map(([name, { kind, short }]) => {
    const type = kind === 'flag' ? ('boolean' as const) : ('string' as const)
    return [name, { type, ...(short && { short }) }]
  })
  const config = { args: [...typed], strict: false, allowPositionals: true, tokens: true } as const
  return parseArgs({ ...config, options: Object.fromEntries(parseOptions) }).tokens
}

type Token = {
  name: string
  rawName: string
  value?: string | undefined
  inlineValue?: boolean | undefined
}

function readValue(option: Option, token: Token, before: Values[string]): Values[string] {
  const { value, inlineValue, rawName } = token
  if (option.kind === 'flag') {
    if (value === undefined) return true
    throw new UsageError(`${rawName} takes no value.`)
  }
  if (value === '' && option.mayBeEmpty) return []
  if (value === undefined || value === '' || (!inlineValue && /^-./.test(value))) {
    throw new UsageError(`${rawName} needs ${option.value ?? 'a value'}.`)
  }
  if (option.kind === 'number') return readNumber(rawName, value)
  const all = option.kind === 'list' ? value.split(',') : [value]
  for (const one of all) refuseUnknown(rawName, one, option.choices)
  return option.kind === 'list' ? [...((before as string[] | undefined) ?? []), ...all] : value
}

function readNumber(name: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`${name} needs a whole number.`)
  return Number(value)
}

/** Throws `UsageError` if a required option is missing. */
export function requireOptions(words: string, options: Options, values: Values): void {
  for (const [name, { required, value }] of Object.entries(options)) {
    if (required && values[name] === undefined) {
      throw new UsageError(`${words} needs --${name}${value ? ` ${value}` : ''}.`)
    }
  }
}

/** Throws `UsageError` for a value that is not a choice, suggesting the nearest. */
export function refuseUnknown(name: string, value: string, choices?: readonly string[]): void {
  if (!choices || choices.includes(value)) return
  const near = nearest(value, choices)
  const advice = near ? ` Did you mean ${near}?` : ''
  throw new UsageError(`${name} is one of ${choices.join(', ')}.${advice}`)
}

function unknownOption(typed: string, names: readonly string[]): UsageError {
  const near = nearest(typed.replace(/^-+/, ''), names)
  const advice = near ? `Did you mean --${near}?` : 'See --help for all of them.'
  return new UsageError(`There is no option ${typed}. ${advice}`)
}
