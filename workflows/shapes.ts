import { UNDECODABLE } from '../src/base/undecodable.ts'

/** What is wrong with the named value, in a sentence; undefined if nothing is. */
export type Shape = (value: unknown, name: string) => string | undefined

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_QUOTED_CHARS = 40
/** Far more than any valid input needs, yet little for a history. */
const MAX_CHARS = 10_000

/** Quotes a part of a message, cut to a length suitable for an error. */
const quoted = (value: string) => `\`${value.slice(0, MAX_QUOTED_CHARS)}\``

const unless =
  (fault: string, fits: (value: unknown) => boolean): Shape =>
  (value, name) =>
    fits(value) ? undefined : `${name} ${fault}.`

/** A row's id in the form that the network uses. */
export const uuid = unless(
  'must be a UUID in lower case',
  (value) => typeof value === 'string' && UUID.test(value),
)

export const wholeNumber = (min: number, max: number) =>
  unless(
    `must be a whole number, ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  )

/** One line of at most this many characters. */
export const line = (max: number) =>
  unless(
    `must be a line of 1 to ${max} characters`,
    (value) =>
      typeof value === 'string' && /^[^\p{Cc}\p{Cs}]+$/u.test(value.trim()) && value.length <= max,
  )

export const oneOf = (values: readonly string[]) =>
  unless(`must be one of ${values.join(', ')}`, (value) => values.some((one) => one === value))

/** An object with any fields. */
export const anyObject = unless(
  `must be an object of at most ${MAX_CHARS} characters`,
  (value) => isObject(value) && isShort(value),
)

/** An object with exactly these fields. */
export const object =
  (fields: Record<string, Shape>): Shape =>
  (value, name) => {
    const names = Object.keys(fields).join(', ')
    if (!isObject(value)) return `${name} must be an object with ${names}.`
    const unknown = Object.keys(value).find((field) => !Object.hasOwn(fields, field))
    if (unknown !== undefined) return `${quoted(unknown)} is unknown. Fields are ${names}.`
    for (const [field, shape] of Object.entries(fields)) {
      const fault = shape(value[field], quoted(field))
      if (fault) return fault
    }
    return undefined
  }

/** Makes a field optional. */
export const optional =
  (shape: Shape): Shape =>
  (value, name) =>
    value === undefined || value === null ? undefined : shape(value, name)

/** What is wrong with a message's inputs, in a sentence. */
export function faultIn(inputs: readonly unknown[], shapes: readonly Shape[]): string | undefined {
  if (inputs.length > shapes.length) {
    return `It takes ${shapes.length} inputs, not ${inputs.length}.`
  }
  for (const [index, shape] of shapes.entries()) {
    const name = `Input ${index + 1}`
    const fault = unreadable(inputs[index], name) ?? shape(inputs[index], name)
    if (fault) return fault
  }
  return undefined
}

/** Refuses values that cannot be inspected or passed to an activity. */
export const unreadable: Shape = (value, name) => {
  if (value === UNDECODABLE) return `${name} cannot be decoded. Send JSON, without encryption.`
  return isShort(value) ? undefined : `${name} must be at most ${MAX_CHARS} characters.`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isShort = (value: unknown) => (JSON.stringify(value) ?? '').length <= MAX_CHARS
