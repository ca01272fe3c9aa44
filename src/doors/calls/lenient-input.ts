import { z } from 'zod'
import { invalidRequest } from '../../base/errors.ts'
import { clockOf, plainSlotTime } from '../../base/said-time.ts'
import { combinations, otherNames } from '../../contract/input-names.ts'
import { isDeeper, isObject } from '../http/json-body.ts'

type Fields = Record<string, unknown>

/** How fields sent in an undocumented form were understood. */
export type UnderstoodFields = Record<string, unknown>

/** Converts a value to the form its schema expects, or leaves it for the schema to reject. */
type Read = (value: unknown, note: (path: string, value: unknown) => void, path: string) => unknown

/** Input under the schema's own field names, and the name under which each field was sent. */
export type PlainInput = {
  input: Fields
  understood: UnderstoodFields
  sentAs: ReadonlyMap<string, string>
}

/**
 * Prepares input for a schema: resolves aliases, and converts numbers sent as text and times with a
 * space. `names` are those that the door documents in place of the schema's; `idNames` are other
 * names for `id`.
 */
export function createPlainReader(
  schema: z.ZodObject,
  names: Readonly<Record<string, string>> = {},
  idNames: readonly string[] = [],
): (raw: Fields) => PlainInput {
  const read = fieldsReader(schema, names, idNames)
  return (raw) => {
    const understood: UnderstoodFields = {}
    const { fields, sentAs } = read(raw, (path, value) => (understood[path] = value), '')
    return { input: fields, understood, sentAs }
  }
}

/** Fields that are documented under every name they have. */
const documented = new Set(['venue_id', 'venue', 'slug', 'id', 'query'])

function fieldsReader(
  { shape }: z.ZodObject,
  names: Readonly<Record<string, string>> = {},
  idNames: readonly string[] = [],
) {
  const others = { ...otherNames, id: idNames }
  const aliases = aliasesOf(Object.keys(shape), names, others)
  const readers = new Map(
    Object.entries<z.ZodType>(shape as Record<string, z.ZodType>).map(([name, schema]) => [
      name,
      {
        read: readerOf(schema, name),
        takesNull: schema.safeParse(null).success,
        takesEmpty: clearable.has(name) && schema.safeParse('').success,
      },
    ]),
  )
  const isOwn = (name: string) => readers.has(name)
  const fieldOf = (name: string) => (isOwn(name) ? name : (aliases.get(name) ?? name))
  const parts = new Set(combinations.flatMap(({ into, from }) => (isOwn(into) ? from : [])))
  /** Whether a field says nothing: then it counts as not sent, and is refused if required. */
  const isLeftOut = ([name, value]: readonly [string, unknown]) => {
    if (!isBlank(value) || neverLeftOut.has(name)) return false
    const own = readers.get(name)
    if (!own) return aliases.has(name) || parts.has(name)
    return value === null ? !own.takesNull : !own.takesEmpty
  }
  return (raw: Fields, note: (path: string, value: unknown) => void, path: string) => {
    const fields = new Map<string, unknown>()
    const sentAs = new Map<string, string>()
    const plain = Object.entries(raw).map(([name, value]) => [name, nullIn(value)] as const)
    const sent = plain.filter((one) => !isLeftOut(one))
    const entries = [...combined(sent, isOwn, (into, text) => note(path + into, text))]
    const ownFirst = entries.sort(([one], [other]) => Number(isOwn(other)) - Number(isOwn(one)))
    for (const [name, value] of ownFirst) {
      const field = fieldOf(name)
      const { read } = readers.get(field) ?? asSent
      const result = read(value, note, path + field)
      if (fields.has(field)) requireSame(fields.get(field), result, field, `/${path}${name}`)
      if (field !== name && !documented.has(field)) note(path + field, result)
      fields.set(field, result)
      sentAs.set(field, name)
    }
    return { fields: Object.fromEntries(fields), sentAs }
  }
}

/** How to read a field that is not in the schema. */
const asSent = { read: (value: unknown) => value }

/** Optional texts that an empty text clears; anywhere else, it means that the field is left out. */
const clearable = new Set(['description'])

/** Without this, the action is real: nobody who sends nothing in it means that. */
const neverLeftOut = new Set(['dry_run'])

/** No null is the name of a guest or a note: models also send it as text. */
const nullIn = (value: unknown) =>
  typeof value === 'string' && /^\s*(?:null|NULL|undefined)\s*$/.test(value) ? null : value

const isBlank = (value: unknown) =>
  value === null || (typeof value === 'string' && value.trim() === '')

function requireSame(first: unknown, second: unknown, field: string, pointer: string) {
  if (JSON.stringify(first) === JSON.stringify(second)) return
  const detail = `means \`${field}\`, which is sent too: send one of them`
  throw invalidRequest([{ pointer, detail }])
}

/** Maps each alias to its field; if two fields share an alias, the first gets it. */
function aliasesOf(
  fields: readonly string[],
  names: Readonly<Record<string, string>>,
  others: Readonly<Record<string, readonly string[]>>,
) {
  const fieldOf = new Map<string, string>()
  for (const field of fields) {
    for (const name of [names[field], ...(others[field] ?? [])]) {
      if (name && !fields.includes(name) && !fieldOf.has(name)) fieldOf.set(name, field)
    }
  }
  return fieldOf
}

/** The fields, with fields that together form one value combined. */
function combined(
  sent: readonly (readonly [string, unknown])[],
  isOwn: (name: string) => boolean,
  note: (into: string, text: string) => void,
): Map<string, unknown> {
  const fields = new Map(sent)
  for (const { into, from, text } of combinations) {
    if (!isOwn(into) || (fields.has(into) && !from.includes(into))) continue
    if (from.some((name) => name !== into && isOwn(name))) continue
    const keys = from.map((name) =>
      [name, ...(otherNames[name] ?? [])].find((one) => typeof fields.get(one) === 'string'),
    )
    const [first, second] = keys.map((name) => (name === undefined ? undefined : fields.get(name)))
    if (typeof first !== 'string' || typeof second !== 'string' || keys[0] === keys[1]) continue
    for (const name of keys) if (name) fields.delete(name)
    fields.set(into, text(first, second))
    note(into, text(first, second))
  }
  return fields
}

/** Fields whose reader is chosen by name rather than by type. */
const byName: Record<string, (text: string) => unknown> = {
  slot_time: plainSlotTime,
  time: (text) => clockOf(text) ?? text,
  guest: (text) => (/^\s*\{/.test(text) ? jsonOf(text) : { name: text }),
}

function readerOf(schema: z.ZodType, name: string): Read {
  const inner = unwrapped(schema)
  const readText = byName[name] ?? textReaderOf(inner)
  const readInner = innerReaderOf(inner)
  return (value, note, path) => {
    if (typeof value !== 'string') return readInner(value, note, path)
    const plain = readText(value)
    if (plain === value) return value
    const result = readInner(plain, note, path)
    note(path, result)
    return result
  }
}

/** The reader for the content of an object or a list. */
function innerReaderOf(schema: z.ZodType): Read {
  if (schema instanceof z.ZodObject) {
    const read = fieldsReader(schema)
    return (value, note, path) => (isObject(value) ? read(value, note, `${path}/`).fields : value)
  }
  if (!(schema instanceof z.ZodArray)) return (value) => value
  const readItem = readerOf(schema.element as z.ZodType, '')
  return (value, note, path) =>
    Array.isArray(value) ? value.map((one, n) => readItem(one, note, `${path}/${n}`)) : value
}

function textReaderOf(schema: z.ZodType): (text: string) => unknown {
  if (schema instanceof z.ZodNumber) {
    return (text) => (/^\s*-?\d{1,15}(?:\.\d{0,15})?\s*$/.test(text) ? Number(text) : text)
  }
  if (schema instanceof z.ZodBoolean) {
    return (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text)
  }
  if (schema instanceof z.ZodEnum) {
    const options = new Map(schema.options.map((one) => [String(one).toLowerCase(), one]))
    const say = (text: string) => text.trim().toLowerCase()
    return (text) => options.get(say(text)) ?? options.get(say(text).replace(/s$/, '')) ?? text
  }
  if (schema instanceof z.ZodUUID) return (text) => text.trim()
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum) {
    return (text) => (/^\s*\[/.test(text) ? jsonOf(text) : text.split(/\s*,\s*/))
  }
  if (schema instanceof z.ZodObject || schema instanceof z.ZodArray) return jsonOf
  return (text) => text
}

/** Parses lists and objects sent as text, as models sometimes send them. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    const value = JSON.parse(text)
    return isDeeper(value) ? text : value
  } catch {
    return text
  }
}

/** An object that a caller may omit, send as null or empty text, or send as JSON text. */
export function objectFrom(value: unknown): unknown {
  if (isBlank(value)) return undefined
  return typeof value === 'string' ? jsonOf(value) : value
}

/** The schema wrapped in `optional`, `default` or `nullable`, or before a transformation. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  const { innerType, in: before } = schema.def as { innerType?: z.ZodType; in?: z.ZodType }
  const inner = innerType ?? before
  return inner ? unwrapped(inner) : schema
}
