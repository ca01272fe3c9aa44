import type { Browser, Locator } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, agentWith, findSlot } from '../support/agent.ts'
import { openChromium } from '../support/chromium.ts'
import { looksOf, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import {
  answers,
  openReceiver,
  proving,
  type Received,
  type Receiver,
} from '../support/receiver.ts'

const SOON = { timeout: 20_000, interval: 200 }

let service: Service
let chromium: Browser
beforeAll(async () => {
  service = await openService()
  chromium = await openChromium()
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** Throws if the signature does not verify. */
const verify = (secret: string, { raw, headers }: Received) =>
  new Webhook(secret).verify(raw, headers as Record<string, string>)

describe.each(looksOf('phone'))('a developer (%s)', (look) => {
  let view: View
  let receiver: Receiver
  let agent: Agent
  let secret: string
  /** A receiver that signs challenges, as in the guide. */
  const proved = proving(() => secret)

  beforeAll(async () => {
    receiver = await openReceiver(proved)
    view = await openView(chromium, { url: service.url, look })
  })
  afterAll(async () => {
    await view?.close()
    await receiver?.close()
  })

  /** A value that the page shows only once, with a button to copy it. */
  const shownOnce = async () =>
    (await view.page.locator('main copy-button.copyable code').first().textContent()) ?? ''
  const firstInList = () => view.page.locator('main tbody a').first()

  /** Appears without a reload if scripts run, otherwise after one. */
  const comes = (what: Locator) =>
    view.runsScripts ? what.first().waitFor() : comesWhenLoadedAgain(what)
  const comesWhenLoadedAgain = (what: Locator) =>
    expect
      .poll(async () => {
        await view.page.reload()
        return what.count()
      }, SOON)
      .toBeGreaterThan(0)

  test('opens an account and is shown a key, once', async () => {
    const { page } = view
    await page.goto('/sign-up')
    await view.see('sign-up')
    await page.getByLabel('Email').fill(`${look}@example.com`)
    await page.getByLabel('Password').fill('correct horse battery')
    await view.button('Create account')
    const key = await shownOnce()
    expect(key).toMatch(/^service_live_[\w-]{43}$/)
    agent = agentWith(service.url, '', key)
    await view.see('key-shown')
  })

  test('makes the documented first call, and sees it arrive beside the key', async () => {
    const { page } = view
    const frame = view.runsScripts ? page : page.frameLocator('iframe.first-call')
    await frame.getByText('Waiting for your first request').waitFor()
    const curl = await page.locator('pre[aria-label="curl"]').textContent()
    const [, address = ''] = /curl "([^"]+)"/.exec(curl ?? '') ?? []
    const call = await fetch(address, { headers: { authorization: `Bearer ${agent.key}` } })
    expect(call.status).toBe(200)
    await frame.getByText('We received your first request').waitFor()
    expect(await frame.locator('.badge.good').textContent()).toBe('received')
    expect(await shownOnce()).toBe(agent.key)
    await view.see('first-call')
  })

  test('moves to pro at once', async () => {
    await view.go('Plan')
    await view.see('plan-free')
    await view.link('Upgrade to pro')
    await view.see('plan-change')
    await view.button('Upgrade to pro')
    await view.shows('You are on pro')
    await view.see('plan-pro')
    expect((await agent.get('/api/plan')).body.plan).toMatchObject({ tier: 'pro' })
  })

  test('creates a webhook endpoint, which is verified', async () => {
    await view.go('Endpoints')
    await view.see('endpoints-none')
    await view.page.getByLabel('URL', { exact: true }).fill(receiver.url)
    await view.button('Create endpoint')
    secret = await shownOnce()
    expect(secret).toMatch(/^whsec_/)
    await view.see('endpoint-made')
    await view.button('Verify URL')
    await view.shows('URL verified')
    await view.see('endpoint-proved')
  })

  test('sees why a delivery fails, fixes the receiver and resends it', async () => {
    receiver.answer = answers(500, { 'content-type': 'text/plain' }, 'no table left')
    await view.page.getByLabel('Message').fill('hello')
    await view.button('Send a test event')
    // No reload: the page updates itself until the delivery is final.
    await view.page.getByText('HTTP 500').first().waitFor()
    await view.shows('no table left')
    await view.shows('failing')
    await expect.poll(() => view.page.getByText('Test event queued.').count(), SOON).toBe(0)
    await view.see('delivery-failed')
    receiver.answer = proved
    await view.button('Retry now')
    await view.shows('Sent and delivered.')
    await view.see('delivery-retried')
    const [failed, arrived] = receiver.received.slice(-2)
    expect(arrived?.headers['webhook-id']).toBe(failed?.headers['webhook-id'])
    expect(arrived?.body).toMatchObject({ type: 'endpoint.test', data: { note: 'hello' } })
  })

  test('books through the API, and the live list soon shows the delivery', async () => {
    const { page } = view
    await view.go('Deliveries')
    const rows = page.locator('tr', { hasText: 'booking.confirmed' })
    const ids: string[] = []
    let quickestMs = Number.POSITIVE_INFINITY
    // The quickest of several, as other tests keep the machine busy.
    do {
      const slot = await findSlot(agent, 'dinner in Canggu')
      const asked = { ...slot, guest_ref: `guest ${ids.length}` }
      const { status, body } = await agent.post('/api/bookings', asked)
      const booked = performance.now()
      expect([status, body.status]).toEqual([201, 'confirmed'])
      await comes(rows.nth(ids.length))
      ids.push(body.booking.id)
      quickestMs = Math.min(quickestMs, performance.now() - booked)
    } while (view.runsScripts && quickestMs >= 2_000 && ids.length < 4)
    if (view.runsScripts) expect(quickestMs).toBeLessThan(2_000)
    await comes(rows.getByText('delivered'))
    await view.see('deliveries')
    const event = receiver.received.find((one) => one.body.type === 'booking.confirmed')
    expect(ids).toContain(event?.body.data.booking.id)
    verify(secret, event as Received)
  })

  test('reads the outcome on every page', async () => {
    for (const name of ['Bookings', 'Events']) {
      await view.go(name)
      await view.see(name.toLowerCase())
      await view.follow(firstInList())
      await view.see(name.toLowerCase().slice(0, -1))
    }
    await view.go('Requests')
    await comesWhenLoadedAgain(view.page.locator('.calls a', { hasText: 'first key' }))
    await view.see('requests')
    for (const name of ['Usage and fees', 'Agents', 'Account', 'Quickstart', 'Overview']) {
      await view.go(name)
      await view.see(name.toLowerCase().replaceAll(' ', '-'))
    }
  })

  test('replays events, after a count', async () => {
    const { page } = view
    await view.go('Endpoints')
    await view.see('endpoints')
    await view.follow(firstInList())
    await view.see('endpoint')
    await view.link('Replays')
    await view.link('Replay events')
    await view.see('replay-choose')
    await page.getByLabel('A range of event numbers').check()
    await page.getByLabel('From number', { exact: true }).fill('1')
    const before = receiver.received.length
    await view.button('Count events')
    const count = parseInt((await page.locator('.facts dd').first().textContent()) ?? '', 10)
    expect(count).toBeGreaterThan(1)
    await view.see('replay-count')
    expect(receiver.received).toHaveLength(before)
    await view.button(/^Replay/)
    await view.shows('completed')
    await expect.poll(() => receiver.received.length, SOON).toBe(before + count)
    await comesWhenLoadedAgain(page.locator('main:not(:has-text("refreshes every"))'))
    await view.see('replay')
  })

  test('rotates the signing secret: old and new verify side by side', async () => {
    await view.go('Endpoints')
    await view.follow(firstInList())
    await view.link('Secrets')
    await view.button('Rotate')
    const next = await shownOnce()
    expect(next).not.toBe(secret)
    await view.see('secret-rotated')
    await view.link('Go to the endpoint')
    const before = receiver.received.length
    await view.button('Send a test event')
    await expect.poll(() => receiver.received.length, SOON).toBe(before + 1)
    for (const one of [secret, next]) verify(one, receiver.received.at(-1) as Received)
  })

  test('revokes the key, which is then refused', async () => {
    await view.go('Keys')
    await view.see('keys')
    await view.link('first key')
    await view.see('key')
    await view.link('Revoke this key')
    await view.see('key-revoke')
    await view.button('Revoke key')
    await view.shows('Key revoked')
    await view.see('key-revoked')
    expect((await agent.get('/api/ping')).status).toBe(401)
    await view.button('Sign out')
    await view.shows('You are signed out.')
    await view.see('signed-out')
  })

  test('meets only accessible pages that fit the screen and log no console error', () => {
    expect(view.faults).toEqual([])
  })
})
