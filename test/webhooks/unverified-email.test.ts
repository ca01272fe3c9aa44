import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateVerifiedByEmail } from '../../src/accounts/store/developers.ts'
import { openBrowser } from '../support/developers.ts'
import { callsAt, webhookDoors } from '../support/endpoint-calls.ts'
import { addKey, type Doors, openDoors } from '../support/open-doors.ts'

let production: Doors

beforeAll(async () => {
  production = await openDoors({ NODE_ENV: 'production' })
})
afterAll(() => production?.close())

const url = 'https://agent.example/hooks'
const form = { url, event_types: '*' }

/** A developer who has signed up, with a browser and a key. */
async function openDeveloper(doors: Doors) {
  const browser = await openBrowser(doors)
  return { browser, key: (await addKey(doors.db, browser.accountId)).key }
}
const endpointsOf = async (doors: Doors, accountId: string) =>
  (await doors.db.query('select id from endpoint where account_id = $1', [accountId])).rows

describe.each(webhookDoors)('in production, at %s,', (door) => {
  test('an account without a verified address creates no endpoint', async () => {
    const { browser, key } = await openDeveloper(production)
    const { accountId, email } = browser
    const call = callsAt(
      door,
      () => production,
      () => ({ key }),
    )
    const refused = await call('webhook.create', { url })
    expect(refused).toMatchObject({ code: 'email_unverified', body: { account_id: accountId } })
    expect(refused.message).toContain('/dashboard/account')
    expect(await endpointsOf(production, accountId)).toEqual([])

    await updateVerifiedByEmail(production.db, email, new Date())
    expect((await call('webhook.create', { url })).code).toBe('ok')
  })

  test('an account created by an operator creates endpoints without an address', async () => {
    const { key } = await production.openAccount('free')
    const call = callsAt(
      door,
      () => production,
      () => ({ key }),
    )
    expect((await call('webhook.create', { url })).code).toBe('ok')
  })
})

test('in production, the page says so too, and keeps the input', async () => {
  const { browser } = await openDeveloper(production)
  const { html, status } = await browser.post('/dashboard/webhooks', form)
  expect(status).toBe(403)
  expect(html).toContain('Endpoints need a verified email address')
  expect(html).toContain(url)
  await updateVerifiedByEmail(production.db, browser.email, new Date())
  expect((await browser.post('/dashboard/webhooks', form)).html).toContain('whsec_')
})

test('in development, an endpoint needs no verified address', async () => {
  const doors = await openDoors()
  try {
    const { browser } = await openDeveloper(doors)
    expect((await browser.post('/dashboard/webhooks', form)).html).toContain('whsec_')
  } finally {
    await doors.close()
  }
})
