import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import type { Problem, RefusalData } from '../../base/errors.ts'

/** What a form calls an operation's fields, where the names differ. */
export type Labels = Readonly<Record<string, string>>

/** Codes whose title in the catalogue is written for programs. */
const titles: Partial<Record<ErrorCode, string>> = {
  not_found: 'Page not found',
  page_not_found: 'Page not found',
  method_not_allowed: 'This page cannot be used that way',
  invalid_request: 'Check what you entered',
}

/** Codes whose advice is written for programs, with advice for people instead. */
const adviceForPeople: Partial<Record<ErrorCode, string>> = {
  invalid_request: '',
  not_found: '',
  method_not_allowed: '',
  page_not_found: 'Check the address, or start from the navigation.',
  venue_not_found: 'It may have been renamed. Search for it by name.',
  booking_not_found: 'Check the address, or find it in the list of bookings.',
  account_suspended: 'Contact the operator of this network. Your bookings are not affected.',
  email_unverified: 'Open the link in the email, or request a new one on the account page.',
  key_not_found: 'Find it in the list of keys.',
  key_ended: 'Create another one.',
  key_replaced: 'Use the key that replaced it.',
  invoice_not_found: 'Find it in the list of invoices.',
  request_not_found: 'Requests are kept for 7 days and appear within two seconds.',
  payment_not_found: 'Find it on the plan page.',
  due_not_found: 'The plan page shows what can be paid.',
  payment_pending: 'Do not pay again: reload this page until it is decided.',
  payments_off: 'Nothing has to be paid here.',
  endpoint_not_found: 'Find it in the list of endpoints.',
  event_not_found: 'Find it in the list of events.',
  delivery_not_found: 'Find it in the list. Old deliveries are erased after a while.',
  replay_not_found: 'Find it on the page of its endpoint.',
  endpoint_not_active: 'Verify, resume or enable it first.',
  endpoint_disabled: 'Enable it first.',
  secret_in_use: 'Create a new one instead.',
  too_many_secrets: 'Wait until one of them ends, or revoke all of them.',
  no_staged_secret: 'Rotate with “Staged” first.',
  not_proved:
    'Add the new secret beside the old one on the receiver and activate again, or skip the check.',
  no_signing_secret: 'Rotate it first.',
  replay_running: 'Wait until it completes, or cancel it.',
  wrong_challenge: 'Copy it from the newest challenge in the log of your receiver.',
  agent_not_found: 'Find it in the list of agents.',
  agent_name_taken: 'Choose another name.',
  clock_not_found: 'Find it in the list of test clocks.',
  clock_advancing: 'Wait until it is ready.',
  clock_backwards: 'Choose a later time, or create another clock.',
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

/** A refusal as the title of a page. */
export const problemTitle = ({ code }: RefusalData): string =>
  titles[code] ?? errorCatalogue[code].title

/** The sentences of the advice that mention no address, header or value of the API. */
const adviceInWords = (advice: string): string =>
  advice
    .split(/(?<=\.) /)
    .filter((sentence) => !sentence.includes('/api') && !isCode(sentence))
    .join(' ')

const isCode = (sentence: string) =>
  sentence.split('`').some((part, nth) => nth % 2 === 1 && !/^\w+$/.test(part))

/** Sentences from schemas, and how pages phrase them. */
const details: readonly (readonly [RegExp, string])[] = [
  [/^required: .*/, 'this is missing'],
  [/^expected one of "[\s\S]*/, 'choose one of those listed'],
  [/^expected one of [\s\S]*/, 'choose in one way'],
  [/: expected one of [\s\S]*/, ''],
  [/, or one of `\w+`$/, ''],
  [/^expected an instant in UTC.*/, 'give a date and a time'],
  [/^expected an instant/, 'give a date and a time'],
  [/^expected number to be >=/, 'give at least '],
  [/^expected number to be <=/, 'give at most '],
  [/^expected a string$/, 'give a text'],
  [/^expected a UUID$/, 'this is not an id'],
  [/^expected /, 'give '],
  [/`/g, ''],
]

/** What is wrong with a field, phrased for people. */
export const detailWords = (detail: string): string =>
  details.reduce((words, [pattern, own]) => words.replace(pattern, own), detail)

/** A refusal phrased for people: without advice for programs, and with the form's field names. */
export function problemWords(refusal: RefusalData, labels: Labels = {}): string {
  const { code, message, facts } = refusal
  const errors = (facts.errors ?? []) as Problem[]
  const nameOf = (field = '') => labels[field] ?? field.replaceAll('_', ' ')
  if (code === 'invalid_request' && errors.length > 0) {
    const sentences = errors.map(({ pointer, detail }) =>
      pointer === ''
        ? detailWords(detail)
        : `${nameOf(pointer.split('/')[1])}: ${detailWords(detail)}`,
    )
    return `${sentences.join('. ')}.`
  }
  const { advice: own } = errorCatalogue[code]
  const advice = adviceForPeople[code] ?? adviceInWords(own)
  const what = message.endsWith(own) ? message.slice(0, -own.length).trim() : message
  return `${what} ${advice}`.trim().replaceAll(/`([^`]*)`/g, (_, field: string) => nameOf(field))
}

/** The text below the title of a refusal; it does not repeat the title. */
export function problemText(refusal: RefusalData): string {
  const words = problemWords(refusal)
  const title = `${errorCatalogue[refusal.code].title}. `
  return `${words} `.startsWith(title) ? words.slice(title.length) : words
}
