import texts from './errors.json' with { type: 'json' }

/** What an error code means at every door: its HTTP status, what happened, and what to do next. */
export type ErrorSpec = { status: number; title: string; retryable: boolean; advice: string }

/** The members of `T`; for a union, those of each part. */
type Members<T> = T extends unknown ? T[keyof T] : never
type Names<T> = T extends unknown ? keyof T : never
export type ErrorCode = Names<Members<Members<typeof texts>>>

/** What the alternatives of a refusal are. */
export const ALTERNATIVES =
  '`alternatives` lists similar venues around that time (`other_venue`), this venue on that ' +
  'day (`same_day`) and on other days (`other_day`). Ask your user before you book one that has ' +
  '`ask_user_first`.'

/** Temporary limits and states, which are retryable despite their status 409. */
const passing: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['slot_held', 'hold_limit', 'booking_limit', 'command_limit', 'itinerary_limit'] as const),
  'delivery_in_flight',
])

/**
 * Every error of every door, from `errors.json`, which groups them by subject, then status. A
 * text's first sentence says what happened, the rest what to do. 400 means malformed, 422 a broken
 * rule, 409 a conflict with inventory or state.
 */
export const errorCatalogue = Object.fromEntries(
  Object.values(texts).flatMap((subject) =>
    Object.entries<Record<string, string>>(subject).flatMap(([status, byCode]) =>
      Object.entries(byCode).map(([code, text]) => [code, specOf(Number(status), code, text)]),
    ),
  ),
) as Readonly<Record<ErrorCode, ErrorSpec>>

function specOf(status: number, code: string, text: string): ErrorSpec {
  const [title = '', ...advice] = text.replace('{alternatives}', ALTERNATIVES).split('. ')
  const retryable = status === 408 || status === 429 || status >= 500 || passing.has(code)
  return { status, title, retryable, advice: advice.join('. ') }
}
