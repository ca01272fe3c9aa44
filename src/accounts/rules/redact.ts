/** Stands in place of what is not recorded. */
const REDACTED = '[redacted]'

/** Characters of a recorded body, roughly. What is beyond them is counted, not kept. */
const MAX_CHARS = 4_000
const MAX_TEXT = 500
const MAX_DEPTH = 12
/** Bounds what names add to a body that has nothing but names. */
const CHARS_PER_VALUE = 8

/** Names of fields that hold secrets or say who a guest is. */
const hiddenName = new RegExp(
  [
    '^(guest|customer)(?!s$|_mails$)',
    'notes$|comment|special_requests|phone|mobile|whatsapp|e?mail$',
    '^headers$|^body$|challenge|secret|token|password|authorization|raw_key|api_?key|signature',
  ].join('|'),
  'i',
)

/** Whether the value of a field with this name is never recorded. */
export const isHidden = (name: string): boolean =>
  name.split('/').some((part) => hiddenName.test(part))

const secretTexts: readonly [RegExp, string][] = [
  [/service_(?:live|test)_[\w-]*/g, REDACTED],
  [/whsec_[\w+/=-]*/g, REDACTED],
  [/\b(Bearer|Basic) +\S+/gi, `$1 ${REDACTED}`],
  [/\bv1a?,[\w+/=]{16,}/g, REDACTED],
  // tokens in links of guests and venues, and passwords and queries of any address
  [/(\/(?:guest|venue)\/)[\w.-]{16,}/g, `$1${REDACTED}`],
  [/:\/\/[^\s/@"]{1,200}@/g, `://${REDACTED}@`],
  [/(:\/\/[^\s?"]{1,500})\?[^\s"]+/g, `$1?${REDACTED}`],
  [/[^\s@"<>(),;:]{1,64}@[^\s@"<>(),;:]{1,255}/g, REDACTED],
]

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/
const date = /(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/
const host = /(?<=:\/\/)\d{1,3}(?:\.\d{1,3}){3}/
/** Digits as people write a phone number. */
const phone = /(?<!\w)(?:\+|00)?\(?\d[\d ().-]{6,40}\d(?!\w)/
const keptOrPhone = new RegExp(
  `(${uuid.source}|${date.source}|${host.source})|${phone.source}`,
  'g',
)

/** A text without keys, secrets, tokens, mail addresses and phone numbers. It can be stored. */
export function redactText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\ufffd')
  const bare = secretTexts.reduce((rest, [found, by]) => rest.replace(found, by), clean)
  return bare.replace(keptOrPhone, (_, kept?: string) => kept ?? REDACTED)
}

/** Which fields are recorded with their values: all that are not hidden, or none but `shown`. */
export type Shown = { has(name: string): boolean } | 'all'

/**
 * A value of JSON without secrets and guests' details, shortened, and whether it was. The work is
 * bounded by what is kept, not by the size of the value.
 */
export function redactBody(value: unknown, shown: Shown): { kept: unknown; isCut: boolean } {
  const left = { chars: MAX_CHARS, isCut: false }
  return { kept: redacted(value, shown, left, 0), isCut: left.isCut }
}

type Left = { chars: number; isCut: boolean }

function redacted(value: unknown, shown: Shown, left: Left, depth: number): unknown {
  left.chars -= CHARS_PER_VALUE
  if (typeof value === 'string') return keptText(value, left)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return cut('nested too deeply', left)
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value)
    ? keptItems(value, shown, left, depth + 1)
    : keptFields(value, shown, left, depth + 1)
}

function keptText(whole: string, left: Left): string {
  // A detail that the limit cuts in two would not be recognised.
  const begin = whole.length > MAX_CHARS ? whole.slice(0, MAX_CHARS).replace(/\S*$/, '') : whole
  const text = redactText(begin)
  const room = Math.max(0, Math.min(MAX_TEXT, left.chars))
  left.chars -= Math.min(text.length, room)
  if (text.length <= room && begin === whole) return text
  const more = whole.length - begin.length + Math.max(0, text.length - room)
  return `${text.slice(0, room)}… ${cut(`${more} more characters`, left)}`
}

function keptItems(items: readonly unknown[], shown: Shown, left: Left, depth: number) {
  const kept: unknown[] = []
  for (const item of items) {
    if (left.chars <= 0) return [...kept, cut(`${items.length - kept.length} more`, left)]
    kept.push(redacted(item, shown, left, depth))
  }
  return kept
}

function keptFields(value: object, shown: Shown, left: Left, depth: number) {
  const kept: [string, unknown][] = []
  const names = Object.keys(value)
  for (const name of names) {
    if (left.chars <= 0) {
      kept.push(['…', cut(`${names.length - kept.length} more fields`, left)])
      break
    }
    left.chars -= Math.min(name.length, MAX_TEXT)
    const field = (value as Record<string, unknown>)[name]
    const isKept = !isHidden(name) && (shown === 'all' || shown.has(name))
    const isNested = typeof field === 'object' && !Array.isArray(field)
    const inside = isKept ? shown : noFields
    kept.push([
      isKept ? redactText(name) : keptName(name),
      isKept || isNested ? redacted(field, inside, left, depth) : masked(field),
    ])
  }
  return Object.fromEntries(kept)
}

const noFields: Shown = { has: () => false }

/** That a field was sent, false or null, says nothing about anybody. */
const masked = (value: unknown) => (value === null || typeof value === 'boolean' ? value : REDACTED)

/** The name of a field that the operation does not have, unless it is itself a detail. */
const keptName = (name: string) => (/^[a-z][\w/.-]{0,39}$/i.test(name) ? name : REDACTED)

function cut(what: string, left: Left): string {
  left.isCut = true
  return `[${what}]`
}
