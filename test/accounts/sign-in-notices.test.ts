import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceAndPruneAccounts } from '../../src/accounts/steps/invoice-and-prune.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { mailsTo, openVisitor, tokenIn } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const log = createLog('silent')

let doors: Doors
beforeAll(async () => {
  doors = await openDoors({ TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => doors?.close())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) AppleWebKit/605 Version/19 Safari/604'

const from = (agent: string, address: string) => ({
  'user-agent': agent,
  'x-forwarded-for': address,
})
const email = 'traveller@example.com'
const credentials = { email, password: 'correct horse' }
const signIn = (headers: Record<string, string>) =>
  openVisitor(doors.url).post('/sign-in', credentials, headers)

test('an email reports a sign-in from a new device or address, but no other', async () => {
  const home = from(firefox, '203.0.113.7')
  await openVisitor(doors.url).post('/sign-up', credentials, home)
  await signIn(home)
  await signIn(from(safari, '203.0.113.7'))
  const [, device] = await mailsTo(doors.db, email, 2)
  expect(device).toContain('New sign-in')
  expect(device).toContain('Device: Safari on iPhone')
  await signIn(home)
  await signIn(from(firefox, '198.51.100.9'))
  const mails = await mailsTo(doors.db, email, 3)
  expect(mails).toHaveLength(3)
  expect(mails[2]).toContain('Address: 198.51.100.9')
})

test('signing in through the sign-up form is reported, too', async () => {
  await openVisitor(doors.url).post('/sign-up', credentials, from(safari, '198.51.100.77'))
  const mails = await mailsTo(doors.db, email, 4)
  expect(mails[3]).toContain('Address: 198.51.100.77')
})

test('a wrong password is not a sign-in, and places are forgotten after a while', async () => {
  await doors.db.query(`update sign_in_place set seen_at = seen_at - interval '91 days'`)
  const wrong = { ...credentials, password: 'wrong horse' }
  await openVisitor(doors.url).post('/sign-in', wrong, from(safari, '192.0.2.1'))
  await invoiceAndPruneAccounts({ db: doors.db, log }, 4900, new Date())
  const { rows } = await doors.db.query('select count(*)::int as places from sign_in_place')
  expect(rows).toEqual([{ places: 0 }])
  expect(await mailsTo(doors.db, email, 4)).toHaveLength(4)
})

test('a sign-in after all places were forgotten is reported', async () => {
  await signIn(from(safari, '192.0.2.1'))
  const mails = await mailsTo(doors.db, email, 5)
  expect(mails[4]).toContain('Address: 192.0.2.1')
})

test('a reset password is reported like a changed one', async () => {
  await openVisitor(doors.url).post('/forgot-password', { email })
  const token = tokenIn((await mailsTo(doors.db, email, 6)).at(-1))
  await openVisitor(doors.url).post('/reset-password', { token, password: 'another horse' })
  expect((await mailsTo(doors.db, email, 7))[6]).toContain('was changed')
})
