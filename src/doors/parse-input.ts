import type { z } from 'zod'
import { invalidRequest, type Problem } from '../contract/rules/errors.ts'

const MAX_PROBLEMS = 20
const EXPECTED_TEXT = 'expected text without U+0000 and unpaired surrogates'

const expectations: Record<string, string> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  uuid: 'a UUID',
  email: 'an email address',
}

/** Parses the input; throws `invalid_request` with what each field expected, never its value. */
export function parseInput<S extends z.ZodObject>(schema: S, raw: unknown): z.output<S> {
  const input = parseEnvelope(schema, raw)
  const unstorable = findUnstorable(input)
  if (!unstorable) return input
  throw invalidRequest([{ pointer: pointerTo(unstorable), detail: EXPECTED_TEXT }])
}

/** Like `parseInput`, of something around an input: texts inside are left for later. */
export function parseEnvelope<S extends z.ZodObject>(schema: S, raw: unknown): z.output<S> {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const known = Object.keys(schema.shape)
  const problems = result.error.issues.values().flatMap((issue) => describe(issue, known))
  throw invalidRequest([...problems.take(MAX_PROBLEMS)])
}

/** One problem at a time: a body can have thousands, and few are returned. */
function* describe(issue: z.core.$ZodIssue, known: string[]): Generator<Problem> {
  const { code, path } = issue
  if (code !== 'unrecognized_keys') {
    yield { pointer: pointerTo(path), detail: expectation(issue) }
    return
  }
  const hint = path.length > 0 ? '' : `; known are ${known.join(', ') || 'none'}`
  for (const key of issue.keys) {
    yield { pointer: pointerTo([...path, key]), detail: `unknown field${hint}` }
  }
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const wanted = `expected ${expectations[issue.expected] ?? issue.expected}`
    return issue.message.endsWith('received undefined') ? `required: ${wanted}` : wanted
  }
  const format = issue.code === 'invalid_format' && expectations[issue.format]
  return format ? `expected ${format}` : issue.message.replace(/^[^:]*: /, '')
}

/** The path of a text, or of the name of a field, that PostgreSQL cannot store. */
function findUnstorable(value: unknown): PropertyKey[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = isStorable(name) ? findUnstorable(inner) : []
    if (found) return [name, ...found]
  }
  return undefined
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const pointerTo = (path: PropertyKey[]): string =>
  path.map((part) => `/${escaped(String(part).slice(0, 100))}`).join('')

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
