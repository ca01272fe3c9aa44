import sql from 'sql-template-tag'
import { z } from 'zod'

/** Which events a replay sends, as stored. */
export const replayFilter = z.object({
  /** the original request, for display */
  asked: z.record(z.string(), z.unknown()),
  /** numbers of the events named; null for all in the range */
  numbers: z.array(z.int()).nullable(),
  /** events from the first instant onwards and before the second */
  from: z.iso.datetime().nullable(),
  before: z.iso.datetime().nullable(),
  /** event types; null for all */
  types: z.array(z.string()).nullable(),
  /** only deliveries that have failed or expired since this instant */
  failedSince: z.iso.datetime().nullable(),
  /** only events that were never sent */
  neverAttempted: z.boolean(),
})
export type ReplayFilter = z.infer<typeof replayFilter>

/** Statuses of deliveries that were given up. */
export const givenUp = sql`('failed', 'expired')`

/** Event numbers after `after`, up to and including `until`. */
type Range = { after: number; until: number }

/**
 * The events `e` that match a filter, with their deliveries `d` to the endpoint. Test events belong
 * to one endpoint. An event without a delivery may have been sent if it predates the last erasure.
 */
export const filteredEvents = (
  { accountId, endpointId }: { accountId: string; endpointId: string },
  { numbers, from, before, types, failedSince, neverAttempted }: ReplayFilter,
  { after, until }: Range,
) => sql`
  from ${failedSince ? failedEvents(endpointId, { after, until }) : eventsOf(endpointId)}
  where e.account_id = ${accountId} and e.number > ${after} and e.number <= ${until}
    and ${numbers ? sql`e.number = any(${numbers}::bigint[])` : sql`true`}
    and (${from}::timestamptz is null or e.created_at >= ${from})
    and (${before}::timestamptz is null or e.created_at < ${before})
    and (${types}::text[] is null or e.type = any(${types}))
    and (${failedSince}::timestamptz is null
      or (d.status in ${givenUp} and d.updated_at >= ${failedSince}))
    and (not ${neverAttempted}::boolean or case when d.id is null
      then e.created_at >= coalesce((select erased_before from delivery_erasure), '-infinity')
      else d.attempts = 0 end)
    and (e.type <> 'endpoint.test' or d.id is not null)`

const eventsOf = (endpointId: string) => sql`
  event e left join delivery d on d.endpoint_id = ${endpointId} and d.event_number = e.number`

/** Events whose delivery was given up: few in a long ledger, with a separate index. */
const failedEvents = (endpointId: string, { after, until }: Range) => sql`(
    select id, account_id, event_number, status, updated_at, attempts from delivery
    where endpoint_id = ${endpointId} and status in ${givenUp}
      and event_number > ${after} and event_number <= ${until}
  ) d join event e on e.account_id = d.account_id and e.number = d.event_number`
