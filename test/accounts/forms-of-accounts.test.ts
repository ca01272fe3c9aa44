import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMember } from '../../src/accounts/store/members.ts'
import { openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

test('a form acts on the account of its page, or on none after a switch', async () => {
  const both = await openBrowser(doors)
  const other = await openBrowser(doors)
  const membership = { accountId: other.accountId, developerId: both.developerId }
  await insertMember(doors.db, { ...membership, role: 'owner', at: new Date() })
  const { html } = await both.get('/dashboard/keys')
  const forms =
    html.match(/<form\b[^>]*method="post"[^>]*action="\/dashboard[^>]*>.*?<\/form>/gs) ?? []
  expect(forms.length).toBeGreaterThan(0)
  const shown = { shown_account: both.accountId }
  for (const form of forms) expect(form).toContain(`name="shown_account" value="${both.accountId}"`)
  expect(
    (await both.post('/dashboard/keys', { name: 'mine', mode: 'live', ...shown })).status,
  ).toBe(200)

  await both.post('/dashboard/accounts', { account: other.accountId, ...shown })
  for (const [path, fields] of [
    ['/dashboard/keys', { name: 'theirs', mode: 'live' }],
    ['/dashboard/account/delete', { password: 'correct horse' }],
    ['/dashboard/test/keys', { name: 'theirs', mode: 'test' }],
  ] as const) {
    const refused = await both.post(path, { ...fields, ...shown })
    expect([refused.status, refused.html.includes('nothing was done')]).toEqual([403, true])
    expect(refused.html).toContain('The page belonged to a different account')
    expect((await both.post(path, fields)).html).toContain('nothing was done')
  }
  const asReader = { ...membership, role: 'read-only' }
  await doors.db.query('update member set role = $3 where account_id = $1 and developer_id = $2', [
    asReader.accountId,
    asReader.developerId,
    asReader.role,
  ])
  const misled = await both.post('/dashboard/keys', { name: 'theirs', mode: 'live', ...shown })
  expect(misled.html).toContain('nothing was done')
  const { rows } = await doors.db.query('select name from api_key where account_id = any($1)', [
    [both.accountId, other.accountId],
  ])
  expect(rows).toEqual([{ name: 'mine' }])
  // The list can open either account, whichever is open at the moment.
  await both.post('/dashboard/accounts', { account: both.accountId, ...shown })
  expect((await both.get('/dashboard/account/delete')).html).toContain('your other accounts')
})
