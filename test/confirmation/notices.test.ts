import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { VenueDeps } from '../../src/confirmation/steps/call-venue.ts'
import { notifyVenue } from '../../src/confirmation/steps/notify-venue.ts'
import { contactContext, upsertContact } from '../../src/confirmation/store/venue-contacts.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'
import { requestDaysAhead } from '../support/requests.ts'
import { stepDeps } from '../support/terms.ts'

const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 5, () => {})
})

afterAll(async () => {
  await db?.end()
  await database?.drop()
})

test('all tries to send one notice have one webhook-id, and another notice another', async () => {
  await db.query(`update venue set confirm_mode = 'request'`)
  const start = await requestDaysAhead(db)
  const { bookingId, venueId } = start
  const secret = sealer.seal(newSigningSecret(), contactContext(venueId))
  await upsertContact(db, { venueId, url: 'https://venue.example/notices', secret })
  await decideBooking(db, start, stepDeps, new Date())
  const ids: string[] = []
  const statuses = [503, 204, 204]
  const deps: VenueDeps = {
    db,
    sealer,
    log: readableLog().log,
    publicUrl: 'https://network.example',
    count: () => {},
    outbound: {
      async send({ headers }) {
        ids.push(String(headers['webhook-id']))
        return {
          status: statuses.shift() ?? 0,
          headers: {},
          body: Buffer.alloc(0),
          truncated: false,
          ms: 1,
        }
      },
      close: async () => {},
    },
  }
  const notify = () =>
    notifyVenue(deps, start, { signal: new AbortController().signal, isLast: false })
  await expect(notify()).rejects.toThrow('status 503')
  await notify()
  await db.query(`update booking set notice_due = 'request.reminder' where id = $1`, [bookingId])
  await notify()
  expect(ids).toEqual([ids[0], ids[0], expect.not.stringMatching(String(ids[0]))])
  // A dot would separate the id from what is signed with it.
  for (const id of ids) expect(id).toMatch(/^msg_[\w-]+$/)
})
