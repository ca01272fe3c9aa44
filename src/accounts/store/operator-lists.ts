import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../../webhooks/rules/statuses.ts'

/** Length of each list for operators, the worst first. */
export const MOST_SHOWN = 50

const endpointRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  url: z.string(),
  status: z.enum(endpointStatuses),
  status_reason: z.string().nullable(),
  failing_since: z.date().nullable(),
  wait_until: z.date().nullable(),
})

/** Endpoints that fail or that the network has disabled, longest failing first. */
export const selectTroubledEndpoints = (db: Db) =>
  queryRows(db, endpointRow)`
    select e.id, e.account_id, a.name as account_name, e.url, e.status, e.status_reason,
      e.failing_since, e.wait_until
    from endpoint e join account a on a.id = e.account_id
    where e.deleted_at is null
      and (e.failing_since is not null
        or (e.status = 'disabled' and e.status_reason in ('gone', 'failing')))
    order by e.failing_since nulls last, e.id limit ${MOST_SHOWN}`

const venueRow = z.object({
  slug: z.string(),
  name: z.string(),
  read_at: z.date().nullable(),
  failure: z.string().nullable(),
})

/** Venues with their own system whose last reading failed or is older than `due`, oldest first. */
export const selectTroubledVenues = (db: Db, due: Date) =>
  queryRows(db, venueRow)`
    select v.slug, v.name, c.read_at, c.failure
    from connector c join venue v on v.id = c.venue_id
    where c.failure is not null or coalesce(c.read_at, c.created_at) < ${due}
    order by c.read_at nulls first, v.slug limit ${MOST_SHOWN}`
