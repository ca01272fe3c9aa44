import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { mailEndpointOwners } from '../../src/accounts/steps/mail-endpoint-owners.ts'
import { updateVerified } from '../../src/accounts/store/developers.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/base/durations.ts'
import { AddressRefused, type Mail } from '../../src/platform/mail/send-mail.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { clearFailures } from '../../src/webhooks/store/endpoint-health.ts'
import { reopenEndpoint, requireProof } from '../../src/webhooks/store/endpoint-states.ts'
import { insertEndpointRow } from '../support/deliveries.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let owner: Browser
let mails: Mail[]
let isDown = false

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())
beforeEach(async () => {
  owner = await openBrowser(doors)
  await updateVerified(doors.db, owner.developerId, start)
  mails = []
  isDown = false
})

const publicUrl = 'https://venues.example'
const sendMail = async (mail: Mail) => {
  if (isDown) throw new Error('the server is away')
  if (mail.to === owner.email) mails.push(mail)
}
const start = new Date()
const after = (minutes: number) => new Date(start.getTime() + minutes * MINUTE_MS)
const pass = (minutes: number) =>
  mailEndpointOwners(
    { db: doors.db, publicUrl, sendMail, log: createLog('silent') },
    after(minutes),
  )

/** An endpoint whose attempts have failed since `start`. */
async function failing(since = start) {
  const id = await insertEndpointRow(doors.db, owner.accountId)
  await failAgain(id, since)
  return id
}
const failAgain = (id: string, since: Date) =>
  doors.db.query('update endpoint set failing_since = $2 where id = $1', [id, since])
const disable = (id: string, reason: string) =>
  doors.db.query(`update endpoint set status = 'disabled', status_reason = $2 where id = $1`, [
    id,
    reason,
  ])

test('one email is sent about an endpoint that has failed for an hour', async () => {
  const id = await failing()
  await pass(59)
  expect(mails).toEqual([])
  for (const minutes of [61, 62, 600]) await pass(minutes)
  expect(mails).toHaveLength(1)
  expect(mails[0]).toMatchObject({
    to: owner.email,
    subject: 'Webhook endpoint failing: receiver.example/hooks',
  })
  expect(mails[0]?.text).toContain(`${publicUrl}/dashboard/webhooks/${id}`)
  expect(mails[0]?.text).toContain('Every delivery has failed since 20')
})

test('two concurrent passes send one email', async () => {
  await failing()
  await Promise.all([pass(61), pass(61), pass(61)])
  expect(mails).toHaveLength(1)
})

test('a later incident or disabling is reported again, but not a pause by the owner', async () => {
  const id = await failing()
  await pass(61)
  await failAgain(id, after(120))
  await pass(130)
  expect(mails).toHaveLength(1)
  await pass(181)
  expect(mails).toHaveLength(2)
  await disable(id, 'failing')
  for (const minutes of [200, 300]) await pass(minutes)
  expect(mails.map(({ subject }) => subject.split(':')[0])).toEqual([
    'Webhook endpoint failing',
    'Webhook endpoint failing',
    'Webhook endpoint disabled',
  ])
  const other = await insertEndpointRow(doors.db, owner.accountId)
  await disable(other, 'owner')
  await pass(400)
  expect(mails).toHaveLength(3)
})

test('an endpoint that is disabled, enabled and disabled again is reported twice', async () => {
  const id = await insertEndpointRow(doors.db, owner.accountId)
  for (const minutes of [1, 10]) {
    await disable(id, 'operator')
    await pass(minutes)
    await reopenEndpoint(doors.db, id, { from: 'disabled', at: after(minutes) })
    await pass(minutes + 1)
  }
  expect(mails).toHaveLength(2)
})

test('a disabling is not reported again after a retry or with another URL', async () => {
  const id = await failing()
  await disable(id, 'failing')
  await pass(1)
  const { rows } = await doors.db.query('select proved_at from endpoint where id = $1', [id])
  await clearFailures(doors.db, { endpointId: id, provedAt: rows[0].proved_at })
  await pass(2)
  await requireProof(doors.db, id, 'another challenge')
  await pass(3)
  expect(mails).toHaveLength(1)
})

test('one email reports several endpoints', async () => {
  await failing()
  const gone = await insertEndpointRow(doors.db, owner.accountId)
  await disable(gone, 'gone')
  await pass(61)
  expect(mails.map(({ subject }) => subject)).toEqual(['2 webhook endpoints need attention'])
  expect(mails[0]?.text).toContain('it answered 410')
})

test('an account gets five emails in 24 hours; what still fails is reported later', async () => {
  const id = await failing()
  for (let hours = 1; hours <= 10; hours += 1) {
    await failAgain(id, after((hours - 1) * 60))
    await pass(hours * 60 + 1)
  }
  expect(mails).toHaveLength(5)
  await pass((25 * HOUR_MS) / MINUTE_MS + 1)
  expect(mails).toHaveLength(6)
})

test('an email that no server accepted is sent later', async () => {
  await failing()
  isDown = true
  expect(await pass(61)).toMatchObject({ failed: 1 })
  isDown = false
  await pass(76)
  await pass(91)
  expect(mails).toHaveLength(1)
})

const verify = (emails: readonly string[]) =>
  doors.db.query('update developer set verified_at = now() where email = any($1)', [emails])

test('a failing email to one owner affects no other owner, and nobody gets two', async () => {
  const first = await openMember(doors, owner.accountId, 'owner')
  const last = await openMember(doors, owner.accountId, 'owner')
  const emails = [owner.email, first.email, last.email]
  await verify(emails)
  await failing()
  const got: string[] = []
  const refused = new Map<string, Error>([[first.email, new Error('the mailbox is full')]])
  const send = (minutes: number) => {
    const sendMail = async ({ to, id }: Mail) => {
      const error = refused.get(to)
      if (error) throw error
      if (emails.includes(to)) got.push(`${to} ${id}`)
    }
    return mailEndpointOwners(
      { db: doors.db, publicUrl, sendMail, log: createLog('silent') },
      after(minutes),
    )
  }
  const emailsOf = () => got.map((mail) => mail.split(' ')[0])
  expect(await send(61)).toMatchObject({ failed: 1 })
  expect(await send(76)).toMatchObject({ failed: 1 })
  expect(emailsOf()).toEqual([owner.email, last.email])
  refused.clear()
  await send(91)
  expect(emailsOf()).toEqual([owner.email, last.email, first.email])
  expect(new Set(got).size).toBe(3)
  await send(106)
  expect(got).toHaveLength(3)
  expect((await doors.db.query('select from sent_mail')).rowCount).toBe(0)
})

test('an address that its server refuses permanently is not tried again', async () => {
  const gone = await openMember(doors, owner.accountId, 'owner')
  await verify([gone.email])
  await failing()
  let tries = 0
  const sendMail = async ({ to }: Mail) => {
    if (to !== gone.email) return
    tries += 1
    throw new AddressRefused('RCPT TO 550')
  }
  const deps = { db: doors.db, publicUrl, sendMail, log: createLog('silent') }
  expect(await mailEndpointOwners(deps, after(61))).toMatchObject({ failed: 1 })
  expect(await mailEndpointOwners(deps, after(76))).toMatchObject({ failed: 0 })
  await mailEndpointOwners(deps, after(91))
  expect(tries).toBe(1)
})

test('an unverified address gets no email', async () => {
  await doors.db.query('update developer set verified_at = null where id = $1', [owner.developerId])
  await failing()
  await pass(61)
  expect(mails).toEqual([])
})
