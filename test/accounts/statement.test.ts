import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertBareBooking } from '../support/bare-booking.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser
let key: string
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  browser = await openBrowser(doors, { tier: 'pro' })
  key = (await addKey(doors.db, browser.accountId)).key
})

type Entry = { minor: number; currency?: string; isDemo?: boolean; at?: string; isReversed?: true }

/** An accrual, and its reversal on the next day. */
async function charge({ minor, currency = 'IDR', isDemo = false, at, isReversed }: Entry) {
  const booking = await insertBareBooking(doors.db, browser.accountId)
  const added = await doors.db.query(
    `insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
       currency, is_demo, created_at)
     values (gen_random_uuid(), $1, $2, 'accrual', $3 * 40, 2.5, $3, $4, $5, $6) returning id`,
    [browser.accountId, booking, minor, currency, isDemo, at ?? '2026-10-05T10:00:00Z'],
  )
  if (!isReversed) return
  await doors.db.query(
    `with reversal as (
       insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
         currency, is_demo, reverses, created_at)
       select gen_random_uuid(), account_id, booking_id, 'reversal', base_minor, pct, amount_minor,
         currency, is_demo, id, created_at + interval '1 day' from fee_entry where id = $1
       returning id)
     update fee_entry f set reversed_by = r.id from reversal r where f.id = $1`,
    [added.rows[0].id],
  )
}

const read = async (month: string) =>
  jsonOf(await fetch(`${doors.url}/api/fees/statement?month=${month}`, { headers: bearer(key) }))

describe('the statement of a month', () => {
  test('has its lines, the pro fee and the totals of each currency, which agree', async () => {
    await charge({ minor: 1_000_000 })
    await charge({ minor: 500_000, isReversed: true })
    await charge({ minor: 385, currency: 'SGD' })
    await charge({ minor: 700_000, isDemo: true })
    await charge({ minor: 999, at: '2026-11-01T00:00:00Z' })
    await doors.db.query(
      `insert into invoice (id, account_id, month, kind, amount_minor, currency, created_at)
       values (gen_random_uuid(), $1, '2026-10-01', 'pro', 4900, 'USD', now())`,
      [browser.accountId],
    )
    const found = await read('2026-10')
    expect(found.lines).toHaveLength(5)
    expect(found.lines_left_out).toBe(0)
    expect(found.pro).toMatchObject({ text: 'USD 49' })
    expect(found.totals).toMatchObject([
      { currency: 'IDR', total_text: 'IDR 10,000', demo_text: 'IDR 7,000' },
      { currency: 'SGD', total_text: 'SGD 3.85' },
      { currency: 'USD', total_text: 'USD 49', bookings_minor: 0 },
    ])
    const sum = (currency: string) =>
      found.lines
        .filter((line: any) => line.currency === currency && !line.is_demo)
        .reduce((total: number, { amount_minor }: any) => total + amount_minor, 0)
    expect([sum('IDR'), sum('SGD')]).toEqual([1_000_000, 385])
  })

  test('keeps its number, and has one for each month and account', async () => {
    const number = (await read('2026-10')).number
    expect((await read('2026-10')).number).toBe(number)
    expect((await read('2026-09')).number).not.toBe(number)
    expect(number).toBe(`202610-${browser.accountId.slice(-12).toUpperCase()}`)
  })

  test('says that it is no invoice, and that a month is not over', async () => {
    const month = new Date().toISOString().slice(0, 7)
    const { html } = await browser.get(`/dashboard/usage/statement?month=${month}`)
    expect(html).toContain('neither an invoice nor a receipt')
    expect(html).toContain('is not over: fees may be added')
    expect(html).toContain(browser.email)
    const past = (await browser.get('/dashboard/usage/statement?month=2026-10')).html
    expect(past).toContain('Statement of October 2026')
    expect(past).toContain('1 Oct 2026 to 31 Oct 2026, in UTC')
    expect(past).not.toContain('is not over')
  })

  test('shows 150 lines and says how many more there are', async () => {
    const booking = await insertBareBooking(doors.db, browser.accountId)
    await doors.db.query(
      `insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
         currency, is_demo, reversed_by, created_at)
       select id, $1, $2, 'accrual', 4000, 2.5, 100, 'IDR', false, id, '2026-10-07T10:00:00Z'
       from (select gen_random_uuid() as id from generate_series(1, 230)) made`,
      [browser.accountId, booking],
    )
    const found = await read('2026-10')
    expect([found.lines.length, found.lines_left_out]).toEqual([150, 80])
    const { html } = await browser.get('/dashboard/usage/statement?month=2026-10')
    expect(html).toContain('80 more entries are in the totals')
    expect(html.length).toBeLessThan(100_000)
  })

  test.each(['', '2026-13', 'yesterday', '2026-1'])('refuses the month %j', async (month) => {
    expect(await read(month)).toMatchObject({ code: 'invalid_request' })
  })
})
