import type { z } from 'zod'
import { invalidRequest, type Problem } from '../contract/rules/errors.ts'

const MAX_PROBLEMS = 20

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
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const known = Object.keys(schema.shape)
  const errors = result.error.issues.flatMap((issue) => describe(issue, known))
  throw invalidRequest(errors.slice(0, MAX_PROBLEMS))
}

function describe(issue: z.core.$ZodIssue, known: string[]): Problem[] {
  const { code, path } = issue
  if (code !== 'unrecognized_keys') {
    return [{ pointer: pointerTo(path), detail: expectation(issue) }]
  }
  const hint = path.length > 0 ? '' : `; known are ${known.join(', ') || 'none'}`
  return issue.keys.map((key) => ({
    pointer: pointerTo([...path, key]),
    detail: `unknown field${hint}`,
  }))
}

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const wanted = `expected ${expectations[issue.expected] ?? issue.expected}`
    return issue.message.endsWith('received undefined') ? `required: ${wanted}` : wanted
  }
  const format = issue.code === 'invalid_format' && expectations[issue.format]
  return format ? `expected ${format}` : issue.message.replace(/^[^:]*: /, '')
}

const pointerTo = (path: PropertyKey[]): string =>
  path.map((part) => `/${escaped(String(part).slice(0, 100))}`).join('')

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1')
