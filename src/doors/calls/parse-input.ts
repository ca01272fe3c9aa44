import { z } from 'zod'
import { invalidRequest, type Problem } from '../../base/errors.ts'
import texts from './expectations.json' with { type: 'json' }
import { unwrapped } from './lenient-input.ts'
import { nearestName } from './nearest-name.ts'

const MAX_PROBLEMS = 20
const EXPECTED_TEXT = 'expected text without U+0000 and unpaired surrogates'
const EXPECTED_NAME = 'expected no field of this name'

/** The start of Zod's messages, which precedes what was expected: `Too big: expected …`. */
const ZOD_PREFIX = /^(?:Invalid|Too) [^:]*: /

const expectations: Record<string, string> = texts

/** The caller's name for a field, and fields that cannot be sent, with the reason. */
type Names = { nameOf?: (field: string) => string; fixed?: Readonly<Record<string, string>> }

/** Parses the input; throws `invalid_request` with what each field should be, never its value. */
export function parseInput<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
  names: Names = {},
): z.output<S> {
  const input = parseEnvelope(schema, raw, names)
  // Checks the raw input, because parsing drops this name from objects with arbitrary fields.
  const unstorable = findUnstorable(raw)
  if (!unstorable) return input
  const detail = unstorable.at(-1) === DROPPED ? EXPECTED_NAME : EXPECTED_TEXT
  throw invalidRequest([{ pointer: pointerTo(unstorable), detail }])
}

/** Like `parseInput`, but for the frame around an input, whose text is checked later. */
export function parseEnvelope<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
  names: Names = {},
): z.output<S> {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const problems = result.error.issues.values().flatMap((issue) => describe(issue, schema, names))
  throw invalidRequest([...problems.take(MAX_PROBLEMS)])
}

/** Yields one problem at a time, because a body can have thousands and few are returned. */
function* describe(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  { nameOf = (field) => field, fixed = {} }: Names,
): Generator<Problem> {
  const [first, ...rest] = issue.path
  const path = first === undefined ? [] : [nameOf(String(first)), ...rest]
  const fields = fieldsAt(schema, issue.path)
  if (issue.code !== 'unrecognized_keys') {
    yield { pointer: pointerTo(path), detail: expectation(issue, fields) }
    return
  }
  const names = path.length > 0 ? fields : fields.map(nameOf)
  for (const key of issue.keys) {
    const near = nearestName(key, names)
    const hint = near ? `did you mean \`${near}\`? Known` : 'known'
    const unknown = `unknown field; ${hint} are ${names.join(', ') || 'none'}`
    const reason = Object.hasOwn(fixed, key) ? fixed[key] : undefined
    yield { pointer: pointerTo([...path, key]), detail: reason ?? unknown }
  }
}

/** The field names of the object at a path; empty if there is no object there. */
function fieldsAt(schema: z.ZodType, [first, ...rest]: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && first !== undefined) {
    return fieldsAt(inner.element as z.ZodType, rest)
  }
  if (!(inner instanceof z.ZodObject)) return []
  if (first === undefined) return Object.keys(inner.shape)
  const field = inner.shape[String(first)]
  return field ? fieldsAt(field, rest) : []
}

function expectation(issue: z.core.$ZodIssue, fields: readonly string[]): string {
  if (issue.code === 'invalid_type') {
    const inside =
      issue.expected === 'object' && fields.length > 0 ? ` of ${fields.join(', ')}` : ''
    const expected = `expected ${expectations[issue.expected] ?? issue.expected}${inside}`
    return issue.message.endsWith('received undefined') ? `required: ${expected}` : expected
  }
  const format = issue.code === 'invalid_format' && expectations[issue.format]
  return format ? `expected ${format}` : issue.message.replace(ZOD_PREFIX, '')
}

/** Zod drops a field with this name from records. */
const DROPPED = '__proto__'

/** The path to any text or field name that PostgreSQL or a schema cannot store. */
function findUnstorable(value: unknown): PropertyKey[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const inside = isStorable(name) && name !== DROPPED ? findUnstorable(inner) : []
    if (inside) return [name, ...inside]
  }
  return undefined
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const pointerTo = (path: PropertyKey[]): string =>
  path.map((part) => `/${escaped(String(part).slice(0, 100))}`).join('')

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
