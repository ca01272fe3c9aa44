import type { Call, Fields, Json, Refusal } from './call.ts'

/** What an agent knows when refused: its user's wish, in plain forms, and preferences. */
export type Wish = {
  /** keyed by the usual name of each field */
  wish?: Fields
  /** whether the user would rather wait for a full slot than go elsewhere */
  wouldWait?: boolean
  /** whether the user, when asked, takes the first alternative */
  agrees?: boolean
}

/**
 * The next call of an agent that knows only the refusal. There is one reader for each form of
 * advice in refusals, and none for a specific task; undefined if none applies.
 */
export function follow(call: Call, refusal: Refusal, context: Wish): Call | undefined {
  for (const reader of [byProblems, byOperation, byAlternative, byFact, byRoute, byName]) {
    const next = reader(call, refusal, context)
    if (next) return next
  }
  return undefined
}

type Reader = (call: Call, refusal: Refusal, context: Wish) => Call | undefined
/** How a problem names the field that was probably meant. */
const MEANT = /did you mean `(\w+)`/i

type Problem = { pointer: string; detail: string }

/** `errors`: the problem with each field. */
const byProblems: Reader = (call, { errors }, { wish = {} }) => {
  if (!Array.isArray(errors) || errors.length === 0) return undefined
  const input = structuredClone(call.input)
  // A renamed field may be the one that another problem reports as missing.
  const isRenamed = ({ detail }: Problem) => MEANT.test(detail)
  const problems = (errors as Problem[]).toSorted(
    (a, b) => Number(isRenamed(b)) - Number(isRenamed(a)),
  )
  const isMended = problems.every((problem) => mend(input, problem, wish))
  return isMended ? { ...call, input } : undefined
}

/** Changes one field as its problem says; false if it does not say how. */
function mend(input: Fields, { pointer, detail }: Problem, wish: Fields): boolean {
  const path = pointer.split('/').slice(1)
  const name = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce<Json>((value, key) => value?.[key], input)
  if (typeof parent !== 'object' || parent === null) return false
  const suggestion = MEANT.exec(detail)?.[1]
  const inside = /an object (?:with|of) `?(\w+)/.exec(detail)?.[1]
  if (/^required/.test(detail) && parent[name] !== undefined) return true
  if (suggestion) {
    parent[suggestion] = parent[name]
    delete parent[name]
  } else if (/unknown field|leave it out/.test(detail)) delete parent[name]
  else if (inside) parent[name] = { [inside]: parent[name] }
  else if (/required|expected|as in/.test(detail) && wish[name] !== undefined) {
    parent[name] = wish[name]
  } else return false
  return true
}

/** A field such as `watch` with an operation and its whole input, for users who would wait. */
const byOperation: Reader = (call, refusal, { wouldWait }) => {
  const offered = Object.values(refusal).find((value: Json) => value?.input && wouldWait) as Json
  if (!offered) return undefined
  const { intent, route, tool, action, input } = offered
  if (/^[A-Z]+ \//.test(call.name)) return route && { name: route, input }
  if (call.name.includes('.')) return intent && { name: intent, input }
  return tool && { name: tool, input: { ...(action && { action }), ...input } }
}

type Alternative = { venue: { id: string }; slot_time: string; ask_user_first?: boolean }

/** `alternatives`: the first one that the user need not be asked about, or agrees to. */
const byAlternative: Reader = (call, { alternatives }, { agrees = false }) => {
  if (!Array.isArray(alternatives)) return undefined
  const other = (alternatives as Alternative[]).find((one) => agrees || !one.ask_user_first)
  return other && withSlot(call, { venue_id: other.venue.id, slot_time: other.slot_time })
}

/** A fact named like a field, or times to choose from. */
const byFact: Reader = (call, { slot_times, slot_time, message }, { wish = {} }) => {
  const time = slot_time ?? (Array.isArray(slot_times) ? slot_times[0] : undefined)
  if (typeof time === 'string') return withSlot(call, { slot_time: time })
  const [, field] = /\b([a-z_]+) must be .*as in \S+/.exec(message) ?? []
  const wished = field && wish[field]
  return wished ? withSlot(call, { [field]: wished }) : undefined
}

/** The call with another slot, with the same field names. */
function withSlot(call: Call, slot: Fields): Call {
  const old = [
    ...('venue_id' in slot ? ['venue', 'slug', 'venue_slug', 'venue_id'] : []),
    ...('slot_time' in slot ? ['slot_time', 'date', 'time', 'start_time', 'datetime'] : []),
  ]
  const rest = Object.entries(call.input).filter(([field]) => !old.includes(field))
  return { ...call, input: { ...Object.fromEntries(rest), ...slot } }
}

/** The nearest name of an intent or tool. */
const byName: Reader = (call, { nearest, message }) => {
  const name = nearest ?? /did you mean `([^`]+)`/i.exec(message)?.[1]
  return typeof name === 'string' && name !== call.name ? { ...call, name } : undefined
}

/** A route in the message, with the id from the refused address. */
const byRoute: Reader = (call, { message }) => {
  const route = /`((?:GET|POST|PATCH|DELETE) \/api[^`]*)`/.exec(message)?.[1]
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(call.name)?.[0] ?? ''
  return route ? { ...call, name: route.replace(/\{\w+\}/, id) } : undefined
}
