import { readTable } from './read-table.ts'

const LIST = 'the booking with `GET /api/bookings`'
const hints: Readonly<Record<string, string>> = {
  cancel: `Search only finds venues: find ${LIST}, and cancel it with \`POST /api/bookings/{id}/cancel\`.`,
  change: `Search only finds venues: find ${LIST}, and change it with \`PATCH /api/bookings/{id}\`.`,
  find: `Search only finds venues: find ${LIST}.`,
  before: `Which venue was it? Ask your user for its name, or find ${LIST} and use its \`venue_id\`.`,
}

const requests = readTable('requests.tsv', ([about = '', words = '', unless = '']) => ({
  hint: hints[about] ?? null,
  words: new RegExp(words),
  unless: unless ? new RegExp(unless) : null,
}))

/** What to do about a query that is about a booking of before, which search knows nothing of. */
export const otherRequest = (text: string): string | null =>
  requests.find(({ words, unless }) => words.test(text) && !unless?.test(text))?.hint ?? null
