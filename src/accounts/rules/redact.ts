/** Replaces what must not be recorded. */
const REDACTED = '[redacted]'

/** The approximate length of a recorded body in characters. The rest is counted, not stored. */
const MAX_CHARS = 4_000
const MAX_TEXT = 500
const MAX_DEPTH = 12
/** Limits the size of a body made up only of names. */
const CHARS_PER_VALUE = 8

/** Names of fields that hold secrets or identify a guest. */
const hiddenName = new RegExp(
  [
    '^(guest|customer)(?!s$|_mails$)',
    'notes$|comment|special_requests|phone|mobile|whatsapp|e?mail$',
    '^headers$|^body$|challenge|secret|token|password|authorization|raw_key|api_?key|signature',
    // pages on which anybody with the address can pay or leave a card
    '^(?:pay|card_page)_url$',
  ].join('|'),
  'i',
)

/** Whether values of fields with this name must not be recorded. */
export const isHidden = (name: string): boolean =>
  name.split('/').some((part) => hiddenName.test(part))

const secretTexts: readonly [RegExp, string][] = [
  [/service_(?:live|test|access|refresh)_[\w-]*/g, REDACTED],
  [/whsec_[\w+/=-]*/g, REDACTED],
  [/\b(Bearer|Basic) +\S+/gi, `$1 ${REDACTED}`],
  [/\bv1a?,[\w+/=]{16,}/g, REDACTED],
  // tokens in guests', venues' and payers' links, and passwords and queries in any URL
  [/(\/(?:guest(?:\/mails)?|venue(?:\/(?:notice|join))?|pay)\/)[\w.-]{16,}/g, `$1${REDACTED}`],
  [/:\/\/[^\s/@"]{1,200}@/g, `://${REDACTED}@`],
  [/(:\/\/[^\s?"]{1,2048})\?[^\s"]+/g, `$1?${REDACTED}`],
  [/[^\s@"<>(),;:]{1,64}@[^\s@"<>(),;:]{1,255}/g, REDACTED],
]

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/
const date = /(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/
const host = /(?<=:\/\/)\d{1,3}(?:\.\d{1,3}){3}/
/** Digits written like a phone number. */
const phone = /(?<!\w)(?:\+|00)?\(?\d[\d ().-]{6,40}\d(?!\w)/
const safeOrPhone = new RegExp(
  `(${uuid.source}|${date.source}|${host.source})|${phone.source}`,
  'g',
)

/** Removes keys, secrets, tokens, email addresses and phone numbers before a text is stored. */
export function redactText(text: string): string {
  const clean = text.toWellFormed().replaceAll('\u0000', '\ufffd')
  const bare = secretTexts.reduce((rest, [pattern, by]) => rest.replace(pattern, by), clean)
  return bare.replace(safeOrPhone, (_, safe?: string) => safe ?? REDACTED)
}

/** The fields whose values are recorded: the named ones or all, but never hidden ones. */
export type Visible = { has(name: string): boolean } | 'all'

/**
 * Shortens a JSON value, removes secrets and guest details, and returns whether it was cut. The
 * cost depends on the size of the result, not of the value.
 */
export function redactBody(value: unknown, visible: Visible): { value: unknown; isCut: boolean } {
  const budget = { chars: MAX_CHARS, isCut: false }
  return { value: redacted(value, visible, budget, 0), isCut: budget.isCut }
}

type Budget = { chars: number; isCut: boolean }

function redacted(value: unknown, visible: Visible, budget: Budget, depth: number): unknown {
  budget.chars -= CHARS_PER_VALUE
  if (typeof value === 'string') return shortText(value, budget)
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return cut('nested too deeply', budget)
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value)
    ? shortItems(value, visible, budget, depth + 1)
    : shortFields(value, visible, budget, depth + 1)
}

function shortText(whole: string, budget: Budget): string {
  // A secret or guest detail cut in two by the limit would not be recognised.
  const begin = whole.length > MAX_CHARS ? whole.slice(0, MAX_CHARS).replace(/\S*$/, '') : whole
  const text = redactText(begin)
  const room = Math.max(0, Math.min(MAX_TEXT, budget.chars))
  budget.chars -= Math.min(text.length, room)
  if (text.length <= room && begin === whole) return text
  const more = whole.length - begin.length + Math.max(0, text.length - room)
  return `${text.slice(0, room)}… ${cut(`${more} more characters`, budget)}`
}

function shortItems(items: readonly unknown[], visible: Visible, budget: Budget, depth: number) {
  const result: unknown[] = []
  for (const item of items) {
    if (budget.chars <= 0) return [...result, cut(`${items.length - result.length} more`, budget)]
    result.push(redacted(item, visible, budget, depth))
  }
  return result
}

function shortFields(value: object, visible: Visible, budget: Budget, depth: number) {
  const result: [string, unknown][] = []
  const names = Object.keys(value)
  for (const name of names) {
    if (budget.chars <= 0) {
      result.push(['…', cut(`${names.length - result.length} more fields`, budget)])
      break
    }
    budget.chars -= Math.min(name.length, MAX_TEXT)
    const field = (value as Record<string, unknown>)[name]
    const isKept = !isHidden(name) && (visible === 'all' || visible.has(name))
    const isNested = typeof field === 'object' && !Array.isArray(field)
    const inside = isKept ? visible : noFields
    result.push([
      isKept ? redactText(name) : safeName(name),
      isKept || isNested ? redacted(field, inside, budget, depth) : masked(field),
    ])
  }
  return Object.fromEntries(result)
}

const noFields: Visible = { has: () => false }

/** False or null reveals nothing about anybody. */
const masked = (value: unknown) => (value === null || typeof value === 'boolean' ? value : REDACTED)

/** Keeps an unknown field name unless the name itself could be a secret or guest detail. */
const safeName = (name: string) => (/^[a-z][\w/.-]{0,39}$/i.test(name) ? name : REDACTED)

function cut(what: string, budget: Budget): string {
  budget.isCut = true
  return `[${what}]`
}
