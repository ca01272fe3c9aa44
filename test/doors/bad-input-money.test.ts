import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ErrorCode, errorCatalogue } from '../../src/base/error-catalogue.ts'
import { scopes } from '../../src/base/scopes.ts'
import { encodeCursor } from '../../src/contract/cursor.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'

let doors: Doors
let payer: Holder

beforeAll(async () => {
  doors = await openDoors({ PAYMENTS: 'local' })
  payer = await doors.openAccount('free')
  await doors.db.query('update api_key set scopes = $2 where id = $1', [payer.keyId, scopes])
})
afterAll(() => doors?.close())

const id = randomUUID()
const past32Bits = encodeCursor([2 ** 40])

/** For clocks and money: the intent, its input, and the invalid field. */
const badMoney: [string, Record<string, unknown>, ErrorCode, string?][] = [
  ['clock.create', { name: 'x'.repeat(500) }, 'invalid_request', '/name'],
  ['clock.create', { name: 'two\nlines' }, 'invalid_request', '/name'],
  ['clock.create', { now: 'yesterday' }, 'invalid_request', '/now'],
  ['clock.create', { now: '0000-01-01T00:00:00Z' }, 'invalid_request', '/now'],
  ['clock.create', { now: '2200-01-01T00:00:00Z' }, 'invalid_request', '/now'],
  ['clock.list', { limit: 101 }, 'invalid_request'],
  ['clock.get', { id: 'reminders' }, 'invalid_request', '/id'],
  ['clock.get', { id }, 'clock_not_found'],
  ['clock.advance', { id: 'reminders', by: 'P1D' }, 'invalid_request', '/id'],
  ['clock.advance', { id, by: 'P1M' }, 'invalid_request', '/by'],
  ['clock.advance', { id, by: '3 weeks' }, 'invalid_request', '/by'],
  ['clock.advance', { id, to: 'tomorrow' }, 'invalid_request', '/to'],
  ['clock.advance', { id, by: 'P1D', wait: 61 }, 'invalid_request', '/wait'],
  ['clock.advance', { id, by: 'P1D' }, 'clock_not_found'],
  ['clock.delete', { id: 'reminders' }, 'invalid_request', '/id'],
  ['balance.get', { currency: 'IDR' }, 'invalid_request', '/currency'],
  ['invoice.list', { month: '2026-13' }, 'invalid_request', '/month'],
  ['invoice.list', { status: 'settled' }, 'invalid_request', '/status'],
  ['invoice.list', { currency: 'rupiah' }, 'invalid_request', '/currency'],
  ['invoice.list', { cursor: past32Bits }, 'invalid_cursor'],
  ['invoice.get', { id: 'N-0001' }, 'invalid_request', '/id'],
  ['invoice.get', { id }, 'invoice_not_found'],
  ['invoice.lines', { id, limit: 501 }, 'invalid_request', '/limit'],
  ['invoice.lines', { id, cursor: past32Bits }, 'invalid_cursor'],
  ['payment.list', { limit: 0 }, 'invalid_request', '/limit'],
  ['payment.list', { cursor: past32Bits }, 'invalid_cursor'],
  ['payment.get', { id: 'first' }, 'invalid_request', '/id'],
  ['payment.get', { id }, 'payment_not_found'],
  ['payment.create', {}, 'invalid_request', '/due_id'],
  ['payment.create', { due_id: 'first' }, 'invalid_request', '/due_id'],
  ['payment.create', { due_id: id, amount_minor: 1 }, 'invalid_request', '/amount_minor'],
  ['payment.create', { due_id: id }, 'due_not_found'],
  ['payment.card', { number: '4242424242424242' }, 'invalid_request', '/number'],
]

test.each(badMoney)('%s with %j is %s at every door', async (intent, wrong, code, at) => {
  const { key } = payer
  for (const [door, send] of everyDoorTo(intent)) {
    const said = await send(doors, key, wrong)
    expect([door, said.code]).toEqual([door, code])
    expect(said.status ?? errorCatalogue[code].status).toBe(errorCatalogue[code].status)
    if (at) expect(said.body.errors).toMatchObject([{ pointer: at, detail: expect.any(String) }])
  }
  const { rows } = await doors.db.query(
    `select (select count(*) from test_clock) + (select count(*) from payment_customer)
       + (select count(*) from payment) as made`,
  )
  expect(rows).toEqual([{ made: 0 }])
})
