import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertBareBooking } from '../support/bare-booking.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let operator: Browser
let customer: Browser
let key: string

beforeAll(async () => {
  doors = await openDoors()
  operator = await openBrowser(doors, { isOperator: true })
  customer = await openBrowser(doors)
  key = (await addKey(doors.db, customer.accountId)).key
})
afterAll(() => doors?.close())

/** A booking whose deposit was kept so many days ago. */
async function keptDeposit(daysAgo = 1) {
  const id = await insertBareBooking(doors.db, customer.accountId)
  await doors.db.query(
    `insert into deposit (id, booking_id, account_id, kind, amount_minor, per, currency, is_demo,
       status, reason, created_at, taken_at, settled_at)
     select $1, $2, $3, 'deposit', 50000, 'party', 'USD', false, 'kept', 'no_show', at, at, at
     from (select now() - $4 * interval '1 day' as at) t`,
    [randomUUID(), id, customer.accountId, daysAgo],
  )
  return id
}

const dispute = async (id: string) => {
  const response = await fetch(`${doors.url}/api/bookings/${id}/dispute`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'The guest came at 19:05.' }),
  })
  return { status: response.status, body: await jsonOf(response) }
}

const left = async (id: string) => {
  const { rows } = await doors.db.query(
    `select d.status, (select count(*)::int from ledger_entry e
        where e.source_id = d.id and e.kind = 'deposit_returned') as returns,
      (select count(*)::int from audit_entry where action = 'deposit.decided'
        and details ->> 'booking_id' = d.booking_id::text) as audited
     from deposit d where booking_id = $1`,
    [id],
  )
  return rows[0]
}

test('a dispute has the signed timeline, and is decided once', async () => {
  const id = await keptDeposit()
  const opened = await dispute(id)
  expect(opened).toMatchObject({ status: 200, body: { dispute: { status: 'open' } } })
  const again = await dispute(id)
  expect(again.body.dispute.id).toBe(opened.body.dispute.id)
  const { rows } = await doors.db.query(`select evidence from deposit_dispute where id = $1`, [
    opened.body.dispute.id,
  ])
  expect(rows[0].evidence).toMatchObject({ booking_id: id, signature: { alg: 'Ed25519' } })
  const page = `/dashboard/operators/disputes`
  expect((await operator.get(page)).html).toContain('The guest came at 19:05.')
  const decide = (decision: string) =>
    operator.post(`${page}/${opened.body.dispute.id}`, { decision, reason: 'The bill shows it.' })
  await Promise.all([decide('returned'), decide('returned'), decide('kept')])
  const { body } = await dispute(id)
  const { status } = body.dispute
  const isReturned = status === 'returned'
  expect(body.dispute).toMatchObject({ decision_reason: 'The bill shows it.' })
  expect(await left(id)).toEqual({
    status,
    returns: isReturned ? 1 : 0,
    audited: 1,
  })
})

test('what was kept long ago, or not at all, cannot be disputed', async () => {
  const old = await dispute(await keptDeposit(15))
  expect(old).toMatchObject({ status: 409, body: { code: 'nothing_to_dispute' } })
  const none = await dispute(await insertBareBooking(doors.db, customer.accountId))
  expect(none.body.code).toBe('nothing_to_dispute')
  expect((await dispute(randomUUID())).body.code).toBe('booking_not_found')
})
