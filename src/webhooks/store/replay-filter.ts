import { z } from 'zod'

/** Which events of an account are replayed, as it is kept: what was asked for, and what it comes to. */
export const replayFilter = z.object({
  /** shown as it was said */
  asked: z.record(z.string(), z.unknown()),
  /** the events that were named, by their numbers; null for all of the range */
  numbers: z.array(z.int()).nullable(),
  /** instants: of events, from and before */
  from: z.iso.datetime().nullable(),
  before: z.iso.datetime().nullable(),
  /** types as they are in the ledger; null for all */
  types: z.array(z.string()).nullable(),
  /** only what was given up since this instant */
  failedSince: z.iso.datetime().nullable(),
  /** only what was never sent */
  neverAttempted: z.boolean(),
})
export type ReplayFilter = z.infer<typeof replayFilter>

/** Statuses of deliveries that nobody works on any more and that their endpoint did not get, though its owner did not want that. */
export const givenUp = `('failed', 'expired')`

const eventsWithDeliveries =
  'event e left join delivery d on d.endpoint_id = $2 and d.event_number = e.number'

/** What was given up is little of a long ledger, and has an index. */
const givenUpWithEvents = `(
    select id, account_id, event_number, status, updated_at, attempts from delivery
    where endpoint_id = $2 and status in ${givenUp} and event_number > $3 and event_number <= $4
  ) d join event e on e.account_id = d.account_id and e.number = d.event_number`

/**
 * The events of a filter beside their deliveries to the endpoint, `e` and `d`, with the parameters $1 to $10 of `filterValues`. A test
 * belongs to the endpoint for which it was made. Of an event older than the last erasure, whose delivery is gone, nobody knows that it was
 * never sent.
 */
export const filtered = ({ numbers, failedSince }: ReplayFilter): string => `
  from ${failedSince ? givenUpWithEvents : eventsWithDeliveries}
  where e.account_id = $1 and e.number > $3 and e.number <= $4
    and ${numbers ? 'e.number = any($5::bigint[])' : '$5::bigint[] is null'}
    and ($6::timestamptz is null or e.created_at >= $6)
    and ($7::timestamptz is null or e.created_at < $7)
    and ($8::text[] is null or e.type = any($8))
    and ($9::timestamptz is null or (d.status in ${givenUp} and d.updated_at >= $9))
    and (not $10::boolean or case when d.id is null
      then e.created_at >= coalesce((select erased_before from delivery_erasure), '-infinity')
      else d.attempts = 0 end)
    and (e.type <> 'endpoint.test' or d.id is not null)`

/** Numbers after `after` up to `until`. */
export const filterValues = (
  of: { accountId: string; endpointId: string },
  filter: ReplayFilter,
  { after, until }: { after: number; until: number },
): unknown[] => [
  of.accountId,
  of.endpointId,
  after,
  until,
  filter.numbers,
  filter.from,
  filter.before,
  filter.types,
  filter.failedSince,
  filter.neverAttempted,
]
