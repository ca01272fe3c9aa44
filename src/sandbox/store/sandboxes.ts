import { randomUUIDv7 } from 'node:crypto'
import { insertAreas } from '../../availability/store/areas.ts'
import { upsertLimits } from '../../bookings/store/limits.ts'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { insertVenues, type NewVenue } from '../../venues/store/new-venues.ts'
import { sandboxArea, type TestVenue, testVenues } from '../rules/test-venues.ts'

/** `default`: a live account's own, in real time; `clock`: one with a test clock. */
type SandboxKind = 'default' | 'clock'

/** The default sandbox of a live account. */
const selectOptionalSandbox = (db: Db, liveAccountId: string) =>
  query.optionalValue(db, uuid)`
    select id from account where live_account_id = ${liveAccountId} and sandbox_kind = 'default'`

/** The sandboxes of an account, oldest first. */
export const selectSandboxes = (db: Db, liveAccountId: string) =>
  query.values(db, uuid)`
    select id from account where live_account_id = ${liveAccountId} order by id`

/** Maximum live bookings of a sandbox, in total and per venue and day: generous, but bounded. */
const limits = { live: 500, perVenueDay: 200 }

/** Creates a sandbox for a live account, and any missing test venues; returns its id. */
export async function insertSandbox(
  tx: Db,
  { liveAccountId, kind, at }: { liveAccountId: string; kind: SandboxKind; at: Date },
): Promise<string> {
  await insertTestVenues(tx, at)
  const id = await query.value(tx, uuid)`
    insert into account (id, name, tier, created_at, mode, live_account_id, sandbox_kind)
    select ${randomUUIDv7()}, name, 'pro', ${at}, 'test', id, ${kind}
    from account where id = ${liveAccountId}
    returning id`
  await upsertLimits(tx, id, limits)
  return id
}

/** A live account's default sandbox; locks the account until the transaction ends. */
export async function findOrCreateSandbox(tx: Db, liveAccountId: string, at: Date) {
  const sandbox = await selectOptionalSandbox(tx, liveAccountId)
  if (sandbox) return sandbox
  await query.execute(tx)`select from account where id = ${liveAccountId} for no key update`
  return (
    (await selectOptionalSandbox(tx, liveAccountId)) ??
    (await insertSandbox(tx, { liveAccountId, kind: 'default', at }))
  )
}

/** Adds missing test venues and their area. */
async function insertTestVenues(tx: Db, at: Date): Promise<void> {
  await insertAreas(tx, [sandboxArea])
  await insertVenues(tx, testVenues.map(newVenue), at, true)
}

const newVenue = ({ mode, outcome: _, rules, ...venue }: TestVenue): NewVenue => ({
  ...venue,
  area_slug: sandboxArea.slug,
  tags: ['sandbox'],
  price_level: 2,
  latitude: sandboxArea.latitude,
  longitude: sandboxArea.longitude,
  confirm_mode: mode,
  is_demo: false,
  services: [{ id: serviceId(venue.id), name: 'Places', strategy: 'pooled', rules }],
})

/** An id that is the same in every network, and as stable as its venue. */
const serviceId = (venueId: string) => venueId.replace('-8000-', '-9000-')
