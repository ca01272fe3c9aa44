import { type ErrorCode, errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { Problem, RefusalData } from '../../contract/rules/errors.ts'

/** The names of an operation's fields in a form, where they differ. */
export type Labels = Readonly<Record<string, string>>

/** Codes whose title in the catalogue addresses programs. */
const titles: Partial<Record<ErrorCode, string>> = {
  not_found: 'Page not found',
  page_not_found: 'Page not found',
  method_not_allowed: 'This page cannot be used that way',
  invalid_request: 'Check what you entered',
}

/** Codes whose advice in the catalogue addresses programs: what a person can do instead. */
const adviceForPeople: Partial<Record<ErrorCode, string>> = {
  invalid_request: '',
  not_found: '',
  method_not_allowed: '',
  page_not_found: 'Check the address, or start from the navigation.',
  venue_not_found: 'It may have been renamed. Search for it by name.',
  booking_not_found: 'Check the address, or find it in the list of bookings.',
  invalid_cursor: 'Start again from the first page of the list.',
  rate_limited: 'Wait a minute, then reload the page.',
  idempotency_mismatch: 'Open the page again and send the form from there.',
  origin_not_allowed: 'Open the page again and send the form from there.',
  link_already_used: 'Links in emails work once and for a limited time. Ask for a new one.',
  slot_in_past: 'Choose a later time.',
  nothing_to_replay: 'Choose others. What is still pending is tried by itself.',
  internal_error: 'Try again. If it happens again, report it with the id of the request.',
  overloaded: 'Try again in a moment. Nothing is done twice.',
  service_unavailable: 'Try again in a moment.',
  booking_engine_unavailable: 'Your request is recorded. Reload in a minute to see its result.',
}

/** What happened, as the title of a page. */
export const problemTitle = ({ code }: RefusalData): string =>
  titles[code] ?? errorCatalogue[code].title

/** A refusal for people: without advice to programs, and with the field names of the form. */
export function problemWords(refusal: RefusalData, labels: Labels = {}): string {
  const { code, message, facts } = refusal
  const errors = (facts.errors ?? []) as Problem[]
  const nameOf = (field = '') => labels[field] ?? field.replaceAll('_', ' ')
  const advice = adviceForPeople[code]
  if (advice === undefined) {
    return message.replaceAll(/`(\w+)`/g, (_, field: string) => nameOf(field))
  }
  if (code === 'invalid_request' && errors.length > 1) {
    return errors.map((one) => `${nameOf(one.pointer.split('/')[1])}: ${one.detail}.`).join(' ')
  }
  const what = message.slice(0, -errorCatalogue[code].advice.length).trim()
  const named = what.replace(/^\/(\w+)[\w/]*:/, (_, field: string) => `${nameOf(field)}:`)
  return `${named} ${advice}`.trim()
}

/** What a page says below the title of a refusal, which is not repeated. */
export function problemText(refusal: RefusalData): string {
  const words = problemWords(refusal)
  const title = `${errorCatalogue[refusal.code].title}. `
  return words.startsWith(title) ? words.slice(title.length) : words
}
