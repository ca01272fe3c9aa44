import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonthsOf } from '../../src/ledger/steps/close-months.ts'
import { insertEndpointRow, settle, writeEvents } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { accrueFee } from '../support/fees.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { askedBy } from '../support/questions.ts'
import { makeReplay } from '../support/replays.ts'

let doors: Doors
let browser: Browser
let operator: Browser
let endpoint: string

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors, { tier: 'pro' })
  operator = await openBrowser(doors, { isOperator: true })
  endpoint = await insertEndpointRow(doors.db, browser.accountId)
})
afterAll(() => doors?.close())

type Act = {
  by?: Browser
  path: string
  fields?: Record<string, string>
  /** what would be lost, to be compared before and after */
  state: string
  id: string
}

const acts: Record<string, () => Promise<Act>> = {
  'removes a member': async () => {
    const { developerId: id } = await openMember(doors, browser.accountId, 'developer')
    const state = 'select count(*) from member where developer_id = $1'
    return { path: `/dashboard/members/${id}/remove`, state, id }
  },
  'stops recording and erases bodies': async () => {
    await browser.post('/dashboard/requests/recording', { bodies: 'on' })
    const state = 'select records_bodies from account where id = $1'
    const path = '/dashboard/requests/recording'
    return { path, fields: { bodies: 'off' }, state, id: browser.accountId }
  },
  'rolls a key without an overlap': async () => {
    await browser.post('/dashboard/keys', { name: 'old', mode: 'live' })
    const { rows } = await doors.db.query('select id from api_key where account_id = $1', [
      browser.accountId,
    ])
    const state = 'select expires_at is null as lasts, replaced_by from api_key where id = $1'
    const [{ id }] = rows
    return { path: `/dashboard/keys/${id}/roll`, fields: { overlap: '0' }, state, id }
  },
  'rotates a secret without an overlap': async () => {
    const state = 'select count(*) from signing_key where endpoint_id = $1'
    const path = `/dashboard/webhooks/${endpoint}/rotate`
    return { path, fields: { overlap: '0' }, state, id: endpoint }
  },
  'discards held events': async () => {
    const id = await insertEndpointRow(doors.db, browser.accountId)
    await browser.post(`/dashboard/webhooks/${id}/pause`)
    const state = 'select status from endpoint where id = $1'
    return { path: `/dashboard/webhooks/${id}/resume`, fields: { held: 'discard' }, state, id }
  },
  'cancels a replay': async () => {
    await writeEvents(doors.db, browser.accountId, 1)
    await settle(doors.db, endpoint, 'delivered')
    const { id } = await makeReplay(doors.db, { endpointId: endpoint }, { last: 1 })
    const state = 'select status from replay where id = $1'
    return { path: `/dashboard/replays/${id}/cancel`, state, id }
  },
  'corrects a ledger': async () => {
    const path = `/dashboard/operators/accounts/${browser.accountId}/ledger/correct`
    const amount = { correction: 'credit', amount: '25', currency: 'USD' }
    const fields = { ...amount, reason: 'Sorry', form: randomUUID() }
    const state = 'select count(*) from ledger_entry where account_id = $1'
    return { by: operator, path, fields, state, id: browser.accountId }
  },
  'takes an invoice back': async () => {
    const { accountId } = browser
    await accrueFee(doors.db, { accountId, minor: 500 })
    await closeMonthsOf(doors.db, accountId, new Date(Date.now() + 40 * DAY_MS))
    const state = 'select status from invoice where account_id = $1'
    const { rows } = await doors.db.query('select id from invoice where account_id = $1', [
      accountId,
    ])
    const path = `/dashboard/operators/accounts/${accountId}/ledger/void`
    const fields = { invoice: rows[0].id, reason: 'Wrong rate' }
    return { by: operator, path, fields, state, id: accountId }
  },
}

describe('a form that', () => {
  test.each(Object.keys(acts))('%s asks before it does', async (name) => {
    const { by = browser, path, fields, state, id } = await (acts[name] as () => Promise<Act>)()
    const read = async () => (await doors.db.query(state, [id])).rows
    const before = await read()
    const { question, action, answer } = await askedBy(by, path, fields)
    expect([question.status, question.headers.get('location')]).toEqual([200, null])
    await browser.get('/dashboard/account')
    expect(await read()).toEqual(before)
    expect(action).toBe(path)
    const { form, ...given } = fields ?? {}
    expect(answer).toMatchObject({ sure: 'yes', ...given })
    const done = await by.post(path, answer)
    expect([200, 303]).toContain(done.status)
    expect(await read()).not.toEqual(before)
  })
})

test('deliveries still being attempted are not replayed; an empty replay is refused', async () => {
  await writeEvents(doors.db, browser.accountId, 1)
  const { rows } = await doors.db.query(
    `select id from delivery where endpoint_id = $1 and status = 'pending' limit 1`,
    [endpoint],
  )
  const page = await browser.get(`/dashboard/deliveries/${rows[0].id}`)
  expect(page.html).toContain('Retry now')
  expect(page.html).not.toContain('>Replay</button>')
  const fields = { way: 'numbers', from_number: '100000' }
  const refused = await browser.post(`/dashboard/webhooks/${endpoint}/replays`, fields)
  expect(refused.status).toBe(409)
  expect(refused.html).toContain('Pending deliveries are tried automatically.')
  expect(refused.html).not.toContain('`')
})
