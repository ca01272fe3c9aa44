import { afterAll, beforeAll, describe } from 'vitest'
import { openSite, testPages } from '../support/visit-pages.ts'

let site: Awaited<ReturnType<typeof openSite>>
beforeAll(async () => {
  site = await openSite()
}, 120_000)
afterAll(() => site?.close())

describe('the pages for everybody', () => {
  testPages(() => site, {
    isSignedIn: false,
    mostBytes: 100_000,
    starts: ['/', '/sign-up', '/sign-in', '/forgot-password', '/dev/mail', '/docs/find?q=webhook'],
    isOurs: (path) => !path.startsWith('/dashboard'),
  })
})
