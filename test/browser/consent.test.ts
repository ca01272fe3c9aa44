import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openChromium } from '../support/chromium.ts'
import { looksOf, openView, type View } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { type OAuthClient, openOAuthClient } from '../support/oauth.ts'
import { bearer } from '../support/open-doors.ts'

let service: Service
let server: { url: string; publicUrl: string }
let chromium: Browser
let program: Server
let redirect: string
beforeAll(async () => {
  service = await openService()
  server = { url: service.url, publicUrl: service.url }
  chromium = await openChromium()
  program = createServer((_, response) => response.end('You can go back to the program.'))
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
  redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/back`
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
  program?.close()
})

describe.each(looksOf('phone'))('a person whom an assistant sends (%s)', (look) => {
  let view: View
  let client: OAuthClient
  beforeAll(async () => {
    client = await openOAuthClient(server, { redirect, name: 'Inspector' })
    view = await openView(chromium, { url: service.url, look })
  })
  afterAll(() => view?.close())

  const tokenFrom = async (address: string) =>
    (await client.exchange(new URL(address))).access_token
  const ping = async (token: string) =>
    (await fetch(`${service.url}/api/ping`, { headers: bearer(token) })).status

  let token = ''
  test('signs up, allows it, and is back in the program with two clicks', async () => {
    const { page } = view
    await page.goto(client.authorize)
    await view.shows('A program on this computer wants to book for you.')
    await view.see('sign-up-for-assistant')
    await page.getByLabel('Email').fill(`consent-${look}@example.com`)
    await page.getByLabel('Password').fill('correct horse battery')
    await view.button('Create account')
    await view.shows('We cannot tell which program this is.')
    await view.see('consent')
    await view.button('Allow')
    expect(page.url()).toContain(`${redirect}?code=`)
    token = await tokenFrom(page.url())
    expect(await ping(token)).toBe(200)
  })

  test('sees that the request is closed after going back', async () => {
    await view.page.goBack()
    await view.shows('This request is closed')
    await view.see('consent-closed')
    // the browser reports the status of that page
    expect(view.faults.splice(0)).toEqual([expect.stringContaining('410 (Gone)')])
  })

  test('answers two tabs and a double click, each with a short page', async () => {
    const { page } = view
    const other = await page.context().newPage()
    await page.goto(client.authorize)
    await other.goto(client.authorize)
    await view.shows('We cannot tell which program this is.')
    await view.see('consent-again')
    await page.getByRole('button', { name: 'Allow' }).dblclick()
    await page.waitForURL(`${redirect}?code=*`)
    expect(await ping(await tokenFrom(page.url()))).toBe(200)
    await other.getByRole('button', { name: 'Cancel' }).click()
    await other.waitForURL(`${redirect}?error=access_denied*`)
    await other.close()
  })

  test('is sent to the host of the program only, and to its scheme', async () => {
    for (const redirect of ['https://assistant.invalid/back', 'cursor://assistant/back']) {
      const { authorize } = await openOAuthClient(server, { redirect })
      const page = await view.page.context().newPage()
      await page.goto(authorize)
      const left = page.waitForEvent('requestfailed', (one) => one.url().startsWith(redirect))
      await page.getByRole('button', { name: 'Allow' }).click()
      expect((await left).failure()?.errorText).not.toContain('CSP')
      await page.close()
    }
  })

  test('disconnects the program, which ends at once', async () => {
    const { page } = view
    await page.goto('/dashboard/connections')
    await view.see('assistants')
    const row = page.getByRole('row', { name: /Inspector/ }).last()
    await view.follow(row.getByRole('link', { name: 'Disconnect Inspector' }))
    await view.see('assistant-disconnect')
    expect(await ping(token)).toBe(200)
    await view.button('Disconnect')
    await view.shows('Disconnected.')
    expect(await ping(token)).toBe(401)
  })

  test('meets only accessible pages that fit the screen and log no console error', () => {
    expect(view.faults).toEqual([])
  })
})
