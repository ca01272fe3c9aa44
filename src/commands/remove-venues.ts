import { lockVenue, lockVenues, updateRemoved } from '../availability/store/venues.ts'
import { counted } from '../base/counted.ts'
import { selectBookingsAt } from '../bookings/store/bookings-ahead.ts'
import { deleteConnectionsOfRemoved } from '../confirmation/store/connectors.ts'
import { UsageError } from '../platform/command-line/usage-error.ts'
import type { Db } from '../platform/database/sql.ts'
import { expireEntriesAt } from '../waitlist/store/entries.ts'
import { cancelBookings, reasonFrom } from './cancel-bookings.ts'
import { defineOperatorCommand } from './operator-program.ts'

const cancels = {
  kind: 'text',
  value: 'REASON',
  about: 'Cancel the bookings to come; agents and guests read why',
} as const

export const remove = defineOperatorCommand({
  words: 'remove',
  summary: 'Remove a venue from the network.',
  details:
    'Refused while bookings lie ahead, unless they are cancelled. Watches and links end, and the ' +
    'address answers 410. Run it again later to delete connection and contacts, which must ' +
    'first be told of cancellations. Accounts can still read their bookings there. Importing ' +
    'its id again brings it back.',
  args: { slug: { about: 'Slug of the venue, as search shows it' } },
  options: { 'cancel-bookings': cancels },
  examples: [
    'remove senja-table-ubud',
    'remove senja-table-ubud --cancel-bookings "The restaurant has closed for good"',
  ],
  run: ({ args: { slug }, options: { 'cancel-bookings': reason }, inTransaction, at }) =>
    inTransaction(async (tx) => {
      const venue = await lockVenue(tx, slug)
      if (!venue) throw new Error(`There is no venue ${slug}.`)
      const { id, name } = venue
      const { text } = await removeAll(tx, { id, what: name, reason }, at)
      return `${name} ${venue.is_removed ? 'was removed before' : 'is removed'}.${text}`
    }),
})

export const reset = defineOperatorCommand({
  words: 'reset',
  summary: 'Remove every venue: the network is empty again.',
  details:
    'Does to each venue what `remove` does. Accounts, keys, endpoints, invoices, areas and the ' +
    'sandbox stay, and accounts can still read their bookings. Importing a file again brings its ' +
    'venues back; demo venues stay away.',
  options: {
    'cancel-bookings': cancels,
    yes: { kind: 'flag', about: 'Required, because connections and links cannot be restored' },
  },
  examples: ['reset --yes'],
  run: ({ options: { yes, 'cancel-bookings': reason }, inTransaction, at }) =>
    inTransaction(async (tx) => {
      await lockVenues(tx)
      const what = 'the venues of the network'
      const { count, text } = await removeAll(tx, { id: null, what, reason }, at)
      const venues = counted(count, 'venue')
      if (yes) return `Removed ${venues}.${text}`
      throw new UsageError(
        `reset would remove ${venues} with all connections, contacts and links; ` +
          'nothing has changed. It needs --yes, and `npm run venues -- export` keeps a copy.',
      )
    }),
})

type Removal = { id: string | null; what: string; reason: string | undefined }

/** Removes a locked venue, or all venues; returns how many, and a text about the side effects. */
async function removeAll(tx: Db, { id, what, ...typed }: Removal, at: Date) {
  const reason =
    typed.reason === undefined ? undefined : reasonFrom(typed.reason, '--cancel-bookings')
  const ahead = await selectBookingsAt(tx, id, at)
  if (ahead.length > 0 && reason === undefined) {
    throw new Error(
      `Nothing was removed: there are upcoming bookings at ${what} (${ahead.length}). Wait until ` +
        'they are over, or cancel them with --cancel-bookings "why".',
    )
  }
  const watches = await expireEntriesAt(tx, id, at)
  const count = await updateRemoved(tx, id)
  const act = { id: `removal ${at.toISOString()}`, reason: reason ?? '' }
  const cancelled = await cancelBookings(tx, ahead, act, at)
  const isLeft = await deleteConnectionsOfRemoved(tx)
  const text = [
    watches > 0 ? `\n${counted(watches, 'watch', 'watches')} ended.` : '',
    cancelled,
    isLeft
      ? '\nIts system or staff must be told first: run this again later to delete their address.'
      : '',
  ].join('')
  return { count, text }
}
