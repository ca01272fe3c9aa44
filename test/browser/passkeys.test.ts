import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openChromium } from '../support/chromium.ts'
import { browse, openBrowser } from '../support/developers.ts'
import { looksOf, openView } from '../support/looks.ts'
import { openService, type Service } from '../support/network.ts'
import { ownPort } from '../support/ports.ts'

let service: Service
let chromium: Browser
beforeAll(async () => {
  const PORT = String(await ownPort())
  // A domain: browsers have no passkeys for an IP address.
  service = await openService({ PORT, PUBLIC_URL: `http://localhost:${PORT}` })
  chromium = await openChromium()
}, 120_000)
afterAll(async () => {
  await chromium?.close()
  await service?.close()
})

/** A security key that answers by itself. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    ...({ protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const),
    ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  }
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    isVerified: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

test.each(looksOf('phone').filter((look) => look !== 'scriptless'))(
  'a passkey signs in, alone or after the password (%s)',
  async (look) => {
    const url = `http://localhost:${service.config.PORT}`
    const email = `passkey-${look}@example.com`
    const password = 'correct horse battery'
    const view = await openView(chromium, { url, look })
    const { page } = view
    const fill = (label: string, text: string) => page.getByLabel(label).fill(text)
    const key = await plugIn(page)
    await page.goto('/sign-up')
    await fill('Email', email)
    await fill('Password', password)
    await view.button('Create account')
    await service.db.query('update developer set verified_at = now() where email = $1', [email])

    await page.goto('/dashboard/account')
    await view.link('Set up passkeys or an authenticator app')
    await view.see('security-empty')
    await view.button('Add a passkey')
    await view.shows('Each code signs you in once')
    await view.see('recovery-codes')
    await view.link('I have kept them')
    await view.link('Add an authenticator app')
    await view.see('authenticator-app')
    await page.goto('/dashboard/security')
    await view.see('security')

    await page.context().clearCookies()
    await page.goto('/dashboard/webhooks?x=1')
    await view.see('sign-in-passkey')
    const sent = page.waitForRequest((request) => request.url().endsWith('/sign-in/passkey'))
    await view.button('Sign in with a passkey')
    expect(page.url()).toBe(`${url}/dashboard/webhooks?x=1`)

    // What was signed once signs nobody in again.
    const body = new URLSearchParams((await sent).postData() ?? '')
    const answer = await browse(url, '').post('/sign-in/passkey', Object.fromEntries(body))
    expect([answer.status, answer.html.includes('was used before')]).toEqual([403, true])
    const other = await openBrowser(service)
    const stolen = await browse(url, other.cookie).post('/sign-in/passkey/options')
    expect(JSON.parse(stolen.html)).toMatchObject({ rpId: 'localhost', allowCredentials: [] })

    await page.context().clearCookies()
    await page.goto('/sign-in?next=/dashboard/keys')
    await fill('Email', email)
    await fill('Password', password)
    await view.button('Sign in')
    await view.shows('Confirm that it is you')
    await view.see('confirm')
    // A touch is not enough: the owner must be verified.
    await key.isVerified(false)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await view.shows('That did not work.')
    await key.isVerified(true)
    await view.button('Use a passkey')
    expect(page.url()).toBe(`${url}/dashboard/keys`)

    // A copy of the key that lags behind is refused (WebAuthn, 6.1.1).
    await service.db.query(`update second_factor set counter = 1000 where kind = 'passkey'`)
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await view.button('Sign in with a passkey')
    await view.shows('The code or passkey is not right')
    view.faults.splice(0, view.faults.length, ...view.faults.filter((one) => !/403/.test(one)))
    expect(view.faults).toEqual([])
    await view.close()
  },
)
