import { z } from 'zod'

/** Which events a replay sends, as it is stored. */
export const replayFilter = z.object({
  /** the request as it was made, for display */
  asked: z.record(z.string(), z.unknown()),
  /** numbers of the events that were named; null for all of the range */
  numbers: z.array(z.int()).nullable(),
  /** events from this instant, and before the other */
  from: z.iso.datetime().nullable(),
  before: z.iso.datetime().nullable(),
  /** event types; null for all */
  types: z.array(z.string()).nullable(),
  /** only deliveries that failed or expired since this instant */
  failedSince: z.iso.datetime().nullable(),
  /** only events that were never sent */
  neverAttempted: z.boolean(),
})
export type ReplayFilter = z.infer<typeof replayFilter>

/** Statuses of deliveries that the network has given up, as SQL. */
export const givenUp = `('failed', 'expired')`

const eventsWithDeliveries =
  'event e left join delivery d on d.endpoint_id = $2 and d.event_number = e.number'

/** Few events of a long ledger, and there is an index of them. */
const givenUpWithEvents = `(
    select id, account_id, event_number, status, updated_at, attempts from delivery
    where endpoint_id = $2 and status in ${givenUp} and event_number > $3 and event_number <= $4
  ) d join event e on e.account_id = d.account_id and e.number = d.event_number`

/**
 * SQL for the events `e` of a filter with their deliveries `d` to the endpoint. Its parameters $1
 * to $10 are `filterValues`. Test events belong to the endpoint they were made for. An event older
 * than the last erasure that has no delivery may have been sent.
 */
export const filteredEvents = ({ numbers, failedSince }: ReplayFilter): string => `
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

/** The parameters of `filteredEvents`, for numbers after `after` up to `until`. */
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
