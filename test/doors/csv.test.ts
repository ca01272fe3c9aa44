import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonSchemaOf } from '../../src/doors/calls/json-schema.ts'
import { csvRow } from '../../src/doors/csv/csv-export.ts'
import { catalogue } from '../../src/network.ts'
import { insertBareBooking } from '../support/bare-booking.ts'
import { insertEndpointRow, writeLedger } from '../support/deliveries.ts'
import { type Browser, openBrowser } from '../support/developers.ts'
import { addKey, bearer, type Doors, jsonOf, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser
let key: string
beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors, { tier: 'pro' })
  key = (await addKey(doors.db, browser.accountId)).key
})
afterAll(() => doors?.close())

const csvOf = (path: string, accept = 'text/csv') =>
  fetch(doors.url + path, { headers: { ...bearer(key), accept } })
const lines = (text: string) => text.split('\r\n').slice(0, -1)

/** A ledger with a delivery per event, as for a busy account with 50,000 deliveries. */
async function writeDeliveries({ db }: Doors, accountId: string, count: number) {
  const endpoint = await insertEndpointRow(db, accountId)
  await writeLedger(db, accountId, count)
  await db.query(
    `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status,
       give_up_at, created_at, updated_at)
     select gen_random_uuid(), $1, account_id, number, type, 'delivered', now(), now(), now()
     from event where account_id = $2`,
    [endpoint, accountId],
  )
}

describe('a row', () => {
  test('quotes what RFC 4180 says must be quoted', () => {
    expect(csvRow(['a', 'b,c', 'say "hi"', 'two\nlines', null, undefined, 3, true])).toBe(
      'a,"b,c","say ""hi""","two\nlines",,,3,true\r\n',
    )
  })

  test.each([
    '=1+1',
    '+62 812',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1+1',
    '＝1+1',
    '＠A',
    '　＋1',
  ])('keeps a spreadsheet from running %j', (text) => {
    expect(csvRow([text])).toMatch(/^"?'/)
  })

  test('is not split where a spreadsheet splits at semicolons or tabs', () => {
    expect(csvRow([';=1+1', 'a\t=1'])).toBe('";=1+1","a\t=1"\r\n')
  })

  test('leaves numbers alone, whatever their sign', () => {
    expect(csvRow([-12.5])).toBe('-12.5\r\n')
  })
})

test('every column is a field of the operation’s output', () => {
  const lists = catalogue.filter(({ rest }) => rest.csv)
  expect(lists).toHaveLength(6)
  const unknown = lists.flatMap(({ operation, rest }) => {
    const { list = '', columns = [] } = rest.csv ?? {}
    const schema = JSON.stringify(jsonSchemaOf(operation.output, 'output'))
    const { properties } = JSON.parse(schema)
    const fieldsOf = (one: any): any =>
      one?.properties ?? one?.anyOf?.map(fieldsOf).find((fields: any) => fields)
    const has = (path: string) =>
      path
        .split('.')
        .reduce<any>(
          (fields, name) => fields && (fieldsOf(fields[name]) ?? fields[name]),
          fieldsOf(properties[list].items),
        ) !== undefined
    return columns.filter((path) => !has(path)).map((path) => `${rest.route} ${path}`)
  })
  expect(unknown).toEqual([])
})

describe('the CSV of a list', () => {
  test('has the API’s names, UTC and the venue’s local time', async () => {
    const id = await insertBareBooking(doors.db, browser.accountId)
    await doors.db.query('update request set guest_ref = $2 where booking_id = $1', [id, '=1+1'])
    const response = await csvOf('/api/bookings?include_failed=true')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="bookings-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const [head = '', row = ''] = lines(await response.text())
    expect(head).toMatch(
      /^id,status,venue\.id,venue\.slug,venue\.name,slot_time,timezone,starts_at/,
    )
    expect(row).toContain(`${id},failed,`)
    expect(row).toContain('2027-01-15T19:00:00,')
    expect(row).toContain(',2027-01-15T11:00:00.000Z,')
    expect(row).toContain(",'=1+1,")
    expect(head).not.toContain('guest_url')
  })

  test('is JSON for a client that accepts both', async () => {
    const response = await csvOf('/api/bookings?include_failed=true', 'text/csv, application/json')
    expect((await jsonOf(response)).bookings).toHaveLength(1)
    expect(response.headers.get('vary')).toContain('accept')
  })

  test('has all pages, each once, of 1,700 deliveries', async () => {
    await writeDeliveries(doors, browser.accountId, 1_700)
    const rows = lines(await (await csvOf('/api/deliveries')).text()).slice(1)
    expect(rows).toHaveLength(1_700)
    expect(new Set(rows.map((row) => row.slice(0, 36))).size).toBe(1_700)
    const none = await csvOf('/api/deliveries?status=failed')
    expect(lines(await none.text())).toHaveLength(1)
  })

  test('breaks off when the process stops, rather than ending as if it were complete', async () => {
    const own = await openDoors()
    const { accountId, key } = await own.openAccount('pro')
    await writeDeliveries(own, accountId, 50_000)
    const headers = { ...bearer(key), accept: 'text/csv' }
    const response = await fetch(`${own.url}/api/deliveries`, { headers })
    expect(response.status).toBe(200)
    // Nobody reads yet, so the export waits, and the account's second export is refused.
    const second = await fetch(`${own.url}/api/deliveries`, { headers })
    expect([second.status, (await jsonOf(second)).code]).toEqual([429, 'too_many_sessions'])
    await own.close()
    await expect(response.text()).rejects.toThrow()
  })

  test('is refused whenever the list is', async () => {
    const anonymous = await fetch(`${doors.url}/api/fees`, { headers: { accept: 'text/csv' } })
    expect(anonymous.status).toBe(401)
    const wrong = await csvOf('/api/deliveries?status=nonsense')
    expect([wrong.status, (await jsonOf(wrong)).code]).toEqual([400, 'invalid_request'])
    await doors.db.query("update api_key set scopes = '{}' where account_id = $1", [
      browser.accountId,
    ])
    expect((await csvOf('/api/requests')).status).toBe(403)
  })

  test('has the reader’s time next to UTC', async () => {
    const cookie = `${browser.cookie}; time_zone=Asia/Makassar`
    for (const name of ['bookings', 'requests', 'deliveries', 'fees']) {
      const { html } = await browser.get(`/dashboard/exports/${name}.csv`, { cookie })
      expect(lines(html)[0]).toMatch(/,(at|created_at) \(Asia\/Makassar\)$/)
    }
    const { html } = await browser.get('/dashboard/exports/bookings.csv?status=failed', {
      cookie,
    })
    const [head = '', first = ''] = lines(html)
    const utc = first.split(',')[head.split(',').indexOf('created_at')] ?? ''
    const local = new Date(Date.parse(utc) + 8 * 3_600_000).toISOString().slice(0, 19)
    expect(first.endsWith(`,${local}`)).toBe(true)
  })

  test('has local times at REST too, in the time zone that the request prefers', async () => {
    const headOf = async (prefer: string) => {
      const headers = { ...bearer(key), accept: 'text/csv', prefer }
      return lines(await (await fetch(`${doors.url}/api/bookings`, { headers })).text())[0]
    }
    expect(await headOf('time-zone=Asia/Makassar')).toMatch(/,created_at \(Asia\/Makassar\)$/)
    expect(await headOf('wait=3, time-zone="America/New_York"')).toContain('(America/New_York)')
    expect(await headOf('time-zone=Atlantis')).not.toContain('(')
  })

  test('is linked from each page, with the filters of the page', async () => {
    const { html } = await browser.get('/dashboard/bookings?status=failed')
    expect(html).toContain('href="/dashboard/exports/bookings.csv?status=failed"')
    const failed = await browser.get('/dashboard/exports/bookings.csv?status=failed')
    expect(lines(failed.html)).toHaveLength(2)
    const held = await browser.get('/dashboard/exports/bookings.csv?status=held')
    expect(lines(held.html)).toHaveLength(1)
    const wrong = await browser.get('/dashboard/exports/bookings.csv?status=nonsense')
    expect(wrong.status).toBe(400)
  })
})
