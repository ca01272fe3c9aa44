import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertAccount, insertKey } from '../../src/accounts/store/accounts.ts'
import { hashKey, newRawKey } from '../../src/accounts/store/key-secret.ts'
import { openService, type Service } from '../support/network.ts'

const path = '/venues/angin-laut-sushi-canggu'
const key = newRawKey()
let service: Service
let slots: string[]
beforeAll(async () => {
  service = await openService({
    BOOKING_FORM_KEY: key,
    BOOKING_FORM_PER_ADDRESS: '10',
    BOOKING_FORM_PER_GUEST: '3',
    BOOKING_FORM_PER_VENUE: '9',
  })
  const [accountId, id, at] = [randomUUIDv7(), randomUUIDv7(), new Date()]
  await insertAccount(service.db, { id: accountId, name: 'form', tier: 'pro', at })
  const hint = key.slice(-4)
  await insertKey(service.db, { id, accountId, name: 'form', hash: hashKey(key), hint, at })
  const page = await (await fetch(service.url + path)).text()
  slots = [...page.matchAll(/href="([^"]*)#book"/g)].map(([, href = '']) => href)
})
afterAll(() => service?.close())

type Fields = Record<string, string>

/** The fields of the form at the nth free time, as a browser has them. */
async function formAt(nth: number): Promise<Fields> {
  const href = slots[nth]?.replaceAll('&amp;', '&') ?? ''
  const page = await (await fetch(service.url + href)).text()
  const [, form = ''] = /<form class="stack" method="post"(.*?)<\/form>/s.exec(page) ?? []
  const inputs = [...form.matchAll(/<input [^>]*>/g)].map(([input]) => [
    /name="(\w+)"/.exec(input)?.[1] ?? '',
    /value="([^"]*)"/.exec(input)?.[1] ?? '',
  ])
  return Object.fromEntries(inputs)
}

async function send(fields: Fields, headers: Fields = {}) {
  const response = await fetch(`${service.url}${path}/book`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: {
      'sec-fetch-site': 'same-origin',
      'accept-language': 'id-ID,id;q=0.9,en;q=0.8',
      ...headers,
    },
    redirect: 'manual',
  })
  const html = await response.text()
  const [, alert] = /<section id="book".*?role="alert">(.*?)<\/p>/s.exec(html) ?? []
  return { status: response.status, to: response.headers.get('location'), alert, html }
}
const bookings = async () =>
  (
    await service.db.query(`select g.name, g.email, g.notify, g.language from booking b
     join booking_guest g on g.booking_id = b.id where b.status = 'confirmed'`)
  ).rows

test('books once with the operator’s key, and leads to the guest’s page', async () => {
  const blank = await formAt(0)
  expect(blank).toMatchObject({ party_size: '2', website: '', name: '' })
  const fields = { ...blank, name: 'Dewi', email: 'dewi@example.com', notes: 'No shrimp' }
  const twice = await Promise.all([send(fields), send(fields)])
  const again = await send(fields)
  expect(new Set([...twice, again].map(({ status }) => status))).toEqual(new Set([303]))
  expect(new Set([...twice, again].map(({ to }) => to)).size).toBe(1)
  const page = await fetch(service.url + again.to)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Dewi')
  const guest = { name: 'Dewi', email: 'dewi@example.com', notify: true, language: 'id' }
  expect(await bookings()).toEqual([expect.objectContaining(guest)])
})

test('says what is missing, keeps what was entered, and books nothing', async () => {
  const fields = { ...(await formAt(1)), name: 'Wayan "<b>' }
  const before = await bookings()
  const wrong: [Fields, RegExp][] = [
    [{}, /^Give an email address or a phone number\.$/],
    [{ email: 'nobody' }, /^Check the email address\.$/],
    [{ phone: 'call me' }, /^Check the phone number\.$/],
    [{ phone: '- - - - - -' }, /^Check the phone number\.$/],
    [{ phone: '+62 812 1234', name: 'x'.repeat(201) }, /^Give a shorter name\.$/],
    [
      { phone: '+62 812 1234', party_size: '99' },
      /^Parties of .*Call the venue about a larger party/,
    ],
    [{ name: '  ', phone: '+62 812 1234' }, /^Give your name\.$/],
    [{ phone: '+62 812 1234', website: 'https://spam.example' }, /^Turn off automatic filling/],
    [{ phone: '+62 812 1234', form: 'x' }, /^Open the page again/],
  ]
  for (const [change, words] of wrong) {
    const { alert, html, status } = await send({ ...fields, ...change })
    expect([status, alert]).toEqual([
      'party_size' in change ? 422 : 400,
      expect.stringMatching(words),
    ])
    if (!('name' in change || 'party_size' in change))
      expect(html).toContain('value="Wayan &quot;&lt;b&gt;"')
  }
  const other = await send({ ...fields, phone: '+62 8' }, { 'sec-fetch-site': 'cross-site' })
  expect(other.status).toBe(403)
  const notes = '\u4f60'.repeat(1_000)
  const late = await send({ ...fields, phone: '+62 812 1234', time: '03:17', notes })
  expect(late.html).toContain('Choose another time.')
  expect(late.html).toMatch(/<select id="time[^>]*>.*value="Wayan &quot;&lt;b&gt;"/s)
  expect(await bookings()).toEqual(before)
})

test('is limited per guest, address and venue, and says so', async () => {
  const phone = async (nth: number, phone: string) =>
    send({ ...(await formAt(nth)), name: 'Made', phone })
  const same = ['+62 811 1111', '+62811-1111', '0811 1111', '+62 8111111']
  const results = []
  for (const [nth, one] of same.entries()) results.push(await phone(nth + 2, one))
  expect(results.map(({ status }) => status)).toEqual([303, 303, 303, 429])
  expect(results[3]?.alert).toBe('Too many attempts. Try again in 24 hours.')
  // A refused form stays refused when it is sent again.
  const again = []
  for (const nth of [6, 6, 6]) again.push(await phone(nth, '+62 822 0000'))
  expect(again.map(({ status }) => status)).toEqual([303, 429, 429])
})

test('sends people elsewhere when its key is refused', async () => {
  await service.db.query('delete from throttle_window')
  await service.db.query('update api_key set revoked_at = now()')
  const fields = { ...(await formAt(8)), name: 'Putu', phone: '+62 833 1111' }
  const { status, alert } = await send({ ...fields, form: randomUUID() })
  expect([status, alert]).toEqual([503, expect.stringMatching(/^This form cannot book/)])
})
