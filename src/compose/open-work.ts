import sql from 'sql-template-tag'
import { selectBookingStart } from '../bookings/store/booking-starts.ts'
import { selectClockName } from '../clocks/store/clocks.ts'
import { selectGroupStart } from '../itineraries/store/group-progress.ts'
import type { OpenWork } from '../platform/temporal/open-work.ts'
import { selectOptionalEntryStart } from '../waitlist/store/queue.ts'
import { selectEndpointStart } from '../webhooks/store/endpoint-starts.ts'

/** Everything in this network that has a workflow for as long as it is open. */
export const openWork: readonly OpenWork[] = [
  {
    name: 'bookings',
    workflows: { booking: 'booking/' },
    open: sql`
      select id from booking where next_action_at is not null
      union all select booking_id from request r where answer is null
        and not exists (select from booking b where b.id = r.booking_id)`,
    resume: async ({ db, engine }, id) => engine.resume(await selectBookingStart(db, id)),
  },
  {
    name: 'groups',
    workflows: { anyOf: 'any-of/', itinerary: 'itinerary/' },
    open: sql`select id from booking_group where next_action_at is not null`,
    resume: async ({ db, engine }, id) => engine.resumeGroup(await selectGroupStart(db, id)),
  },
  {
    name: 'watches',
    workflows: { waitlistEntry: 'waitlist/' },
    open: sql`select id from watch where nth is not null`,
    async resume({ db, engine }, id) {
      const start = await selectOptionalEntryStart(db, id)
      return start ? engine.resumeEntry(start) : false
    },
  },
  {
    name: 'endpoints',
    workflows: { webhookDelivery: 'webhook/' },
    open: sql`select id from endpoint where deleted_at is null`,
    resume: async ({ db, engine }, id) => engine.resumeEndpoint(await selectEndpointStart(db, id)),
  },
  {
    name: 'test_clocks',
    workflows: { testClock: 'test-clock/' },
    open: sql`select account_id as id from test_clock where advancing_to is not null`,
    resume: async ({ db, engine }, accountId) =>
      engine.resumeClock({ accountId, name: await selectClockName(db, accountId) }),
  },
]
