import { readTable } from './read-table.ts'

const FIND = 'find the booking with `GET /api/bookings`'
const SEARCH = `Search only finds venues: ${FIND}`
const hints: Readonly<Record<string, string>> = {
  cancel: `${SEARCH}, and cancel it with \`POST /api/bookings/{id}/cancel\`.`,
  change: `${SEARCH}, and change it with \`PATCH /api/bookings/{id}\`.`,
  find: `${SEARCH}.`,
  before: `Which venue was it? Ask your user for its name, or ${FIND} and use its \`venue_id\`.`,
}

const requests = readTable('requests.tsv', ([about = '', words = '', unless = '']) => ({
  hint: hints[about] ?? null,
  words: new RegExp(words),
  unless: unless ? new RegExp(unless) : null,
}))

/** What to do about a query that is about a booking of before, which search knows nothing of. */
export const otherRequest = (text: string): string | null =>
  requests.find(({ words, unless }) => words.test(text) && !unless?.test(text))?.hint ?? null
