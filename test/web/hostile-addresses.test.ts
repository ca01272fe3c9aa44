import { afterAll, beforeAll, expect, test } from 'vitest'
import { redactText } from '../../src/accounts/rules/redact.ts'
import { type Owner, openOwner } from '../support/belongings.ts'
import { fields, openListedDoors, type Route } from '../support/listed-doors.ts'
import { daily } from '../support/nightly.ts'
import { bearer, type Doors } from '../support/open-doors.ts'

let routes: Route[]
let doors: Doors
let owner: Owner
beforeAll(async () => {
  ;({ doors, routes } = await openListedDoors())
  owner = await openOwner(doors)
})
afterAll(() => doors?.close())

const withParameter = () => routes.filter(({ path }) => path.includes(':'))

test('NUL or half a surrogate pair in an address or a form is the caller’s error', async () => {
  const faults: string[] = []
  const gets = routes.filter(({ method }) => method === 'GET')
  const origin = { origin: 'http://127.0.0.1:3000' }
  for (const text of ['a%00b', 'a%ED%A0%80b']) {
    const query = ['q', 'action', 'object', 'search', 'cursor', 'token', 'next', 'code', 'booking']
      .map((name) => `${name}=${text}`)
      .join('&')
    const fill = (path: string) => path.replace('*', text).replaceAll(/:\w+/g, text)
    for (const { path } of gets) {
      for (const address of daily([`${fill(path)}?${query}`, fill(path)])) {
        const { status } = await fetch(doors.url + address, {
          headers: { cookie: owner.browser.cookie, ...bearer(owner.key) },
          redirect: 'manual',
        })
        if (status >= 500) faults.push(`GET ${address}: ${status}`)
      }
    }
    for (const { method, path } of withParameter()) {
      if (method !== 'POST') continue
      const answer = await fetch(doors.url + fill(path), {
        method,
        headers: {
          ...{ ...origin, 'content-type': 'application/x-www-form-urlencoded' },
          ...{ cookie: owner.browser.cookie },
        },
        body: Object.keys(fields)
          .map((name) => `${name}=${text}`)
          .concat('card=works')
          .join('&'),
        redirect: 'manual',
      })
      if (answer.status >= 500) faults.push(`POST ${fill(path)}: ${answer.status}`)
    }
  }
  expect(faults).toEqual([])
})

test('the address of a page with a token is recorded without it', () => {
  const secret = new Set(withParameter().map(({ path }) => path))
  const token = 'a-token-of-32-bytes_which-is-the-secret-part'
  const pages = [...secret].filter((path) => path.includes(':token'))
  expect(pages).toEqual(
    expect.arrayContaining([
      '/pay/:token',
      '/guest/:token',
      '/guest/mails/:token',
      '/venue/:token',
    ]),
  )
  for (const path of pages) {
    const address = `https://book.example${path.replace(':token', token)}`
    expect(redactText(`paid at ${address}, or`), path).not.toContain(token)
  }
})
