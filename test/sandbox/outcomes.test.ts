import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishActivity } from '../../src/agents/store/feed-publication.ts'
import { DAY_MS, HOUR_MS } from '../../src/base/durations.ts'
import { errorCatalogue } from '../../src/base/error-catalogue.ts'
import { broughtAbout, outcomes, type SandboxOutcome } from '../../src/base/sandbox.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { testVenues } from '../../src/sandbox/rules/test-venues.ts'
import { deliverReplies } from '../../src/sandbox/steps/deliver-replies.ts'
import { type Agent, openAgent } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { openTestAgent, testSlot } from '../support/sandbox.ts'

let service: Service
let agent: Agent

beforeAll(async () => {
  const minutes = { VENUE_ANSWER_MINUTES: '0.4', REQUEST_ANSWER_MINUTES: '0.75' }
  service = await openService(minutes, { isScheduled: true })
  const { accountId } = await openAgent(service.db, service.url, 'free')
  agent = await openTestAgent(service.db, service.url, accountId)
})
afterAll(() => service?.close())

const book = (venue: string, guest_ref?: string, more: object = {}, by = agent) =>
  by.post('/api/bookings', { ...testSlot(venue), guest_ref, wait: 50, ...more })

const refOf = (outcome: SandboxOutcome, unique = '') => `sandbox:${outcome}/${unique}`

const statusOf = async (id: string, by = agent) => {
  const { body } = await by.get(`/api/bookings/${id}`)
  return body.booking
}

const until = (id: string, what: string, holds: (booking: any) => boolean, by = agent) =>
  eventually(what, async () => holds(await statusOf(id, by)))

const responsesOf = async (id: string) => {
  const { rows } = await service.db.query(
    'select status, effect from venue_response where booking_id = $1 order by received_at, status',
    [id],
  )
  return rows
}

/** A separate sandbox whose venues can say at once what they would say within two weeks. */
async function openFuture() {
  const { accountId } = await openAgent(service.db, service.url, 'free')
  const by = await openTestAgent(service.db, service.url, accountId)
  const engine = createEngine(service.client)
  const deps = { db: service.db, engine, log: createLog('silent') }
  const laterOn = () => deliverReplies(deps, new Date(Date.now() + 14 * DAY_MS), by.accountId)
  return { by, laterOn }
}

const seen: Record<SandboxOutcome, () => Promise<void>> = {
  async confirmed() {
    const { status, body } = await book('sandbox-table', refOf('confirmed'))
    expect(status).toBe(201)
    expect(body.booking).toMatchObject({ status: 'confirmed', fee: { status: 'accrued' } })
    const charged_to = 'nobody: test account, no real money'
    const list = await agent.get('/api/venues/sandbox-table/availability?days=3')
    expect([body.booking.fee, list.body.fee ?? list.body.days[0].slots[0].fee]).toMatchObject([
      ...[{ charged_to }, { charged_to }],
    ])
    expect(await responsesOf(body.booking.id)).toEqual([{ status: 'confirmed', effect: 'confirm' }])
  },
  async slow() {
    const { body } = await book('sandbox-bar', refOf('slow'), { wait: 0 })
    expect(body.booking.status).toBe('pending')
    await until(body.booking.id, 'the slow yes', ({ status }) => status === 'confirmed')
  },
  async declined() {
    const { status, body } = await book('sandbox-gym', refOf('declined'))
    expect(status).toBe(409)
    expect(body.code).toBe('venue_declined')
    expect(body.alternatives.length).toBeGreaterThan(0)
    const slugs = body.alternatives.map(({ venue }: any) => venue.slug)
    expect(slugs.every((slug: string) => slug.startsWith('sandbox-'))).toBe(true)
  },
  ...Object.fromEntries(
    ['full', 'closed', 'party_size', 'short_notice', 'other'].map((reason) => [
      `declined_${reason}`,
      async () => {
        const { body } = await book('sandbox-people', `sandbox:declined_${reason}`)
        expect(body).toMatchObject({ code: 'venue_declined', reason })
      },
    ]),
  ),
  async offer() {
    const { body } = await book('sandbox-people', refOf('offer'), { wait: 0 })
    const { id, slot_time } = body.booking
    await until(id, 'the offer', ({ status }) => status === 'offered')
    const offered = await book('sandbox-people', refOf('offer'), { wait: 0 })
    expect(offered).toMatchObject({ status: 202, body: { status: 'offered', booking: { id } } })
    expect(offered.body.next).toContain(`\`POST /api/bookings/${id}/offer/accept\``)
    const accepted = await agent.post(`/api/bookings/${id}/offer/accept`, {})
    expect(accepted.body.booking.status).toBe('confirmed')
    expect(accepted.body.booking.slot_time).not.toBe(slot_time)
  },
  async silent() {
    const { body } = await book('sandbox-table', refOf('silent'))
    expect(body.code).toBe('venue_no_answer')
  },
  async down() {
    const { status, body } = await book('sandbox-spa', refOf('down'))
    expect({ status, to: body.booking?.status }).toEqual({ status: 201, to: 'confirmed' })
    const { rows } = await service.db.query(
      'select calls from sandbox_call where booking_id = $1 and not is_cancel',
      [body.booking.id],
    )
    expect(rows[0].calls).toBeGreaterThan(3)
  },
  async late_yes() {
    const { body } = await book('sandbox-table', refOf('late_yes'))
    expect(body.code).toBe('venue_no_answer')
    await eventually('the late yes to be withdrawn', async () => {
      const effects = (await responsesOf(body.booking_id)).map(({ effect }) => effect)
      return effects.includes('withdraw') && effects.includes('withdrawn')
    })
  },
  async cancelled() {
    const { body } = await book('sandbox-table', refOf('cancelled'))
    const { id, status } = body.booking
    expect(status).toBe('confirmed')
    await until(id, 'the cancellation', (booking) => booking.status === 'cancelled')
    expect(await statusOf(id)).toMatchObject({ fee: { status: 'reversed' } })
  },
  async no_show() {
    const { by, laterOn } = await openFuture()
    const { body } = await book('sandbox-table', refOf('no_show'), {}, by)
    await laterOn()
    await until(body.booking.id, 'the no-show', ({ status }) => status === 'no_show', by)
  },
  async attended() {
    const { by, laterOn } = await openFuture()
    const { body } = await book('sandbox-table', refOf('attended'), {}, by)
    await laterOn()
    await until(body.booking.id, 'the no-show', ({ status }) => status === 'no_show', by)
    await laterOn()
    await until(body.booking.id, 'the correction', ({ status }) => status === 'completed', by)
  },
  async amend_declined() {
    const { body } = await book('sandbox-table', refOf('amend_declined'))
    const change = await agent.patch(`/api/bookings/${body.booking.id}`, {
      party_size: 4,
      wait: 50,
    })
    expect(change.body.code).toBe('venue_declined')
    expect(await statusOf(body.booking.id)).toMatchObject({ status: 'confirmed', party_size: 2 })
  },
  async amend_silent() {
    const { body } = await book('sandbox-bar', refOf('amend_silent'))
    const change = await agent.patch(`/api/bookings/${body.booking.id}`, {
      party_size: 4,
      wait: 50,
    })
    expect(change.body.code).toBe('venue_no_answer')
    expect(await statusOf(body.booking.id)).toMatchObject({ status: 'confirmed', party_size: 2 })
  },
  async hold_expires() {
    const slot = testSlot('sandbox-table')
    const held = await agent.post('/api/holds', { ...slot, guest_ref: refOf('hold_expires') })
    const { id } = held.body.booking
    await until(id, 'the hold to end', ({ status }) => status === 'expired')
    const late = await agent.post('/api/bookings', { hold_id: id })
    expect(late.body.code).toBe('hold_expired')
  },
} as Record<SandboxOutcome, () => Promise<void>>

describe.concurrent('the outcome of a guest_ref', () => {
  test.each(Object.keys(outcomes) as SandboxOutcome[])('sandbox:%s takes effect', (name) =>
    seen[name](),
  )
})

describe.concurrent('the outcome of a venue', () => {
  const refused = { full: 'slot_unavailable', closed: 'venue_closed', declines: 'venue_declined' }
  test.each(Object.entries(refused))('sandbox-%s refuses with %s', async (venue, code) => {
    const { status, body } = await book(`sandbox-${venue}`, venue)
    expect({ status, code: body.code }).toMatchObject({ code })
    expect(body.alternatives.length).toBeGreaterThan(0)
  })

  test.each(['instant', 'people', 'down', 'slow', 'table'])(
    'sandbox-%s confirms',
    async (venue) => {
      const { body } = await book(`sandbox-${venue}`, `at ${venue}`)
      expect(body.booking?.status).toBe('confirmed')
    },
  )

  test('sandbox-silent never answers', async () => {
    expect((await book('sandbox-silent', 'quiet')).body.code).toBe('venue_no_answer')
  })
})

test('a second booking of the same slot for the same guest is similar', async () => {
  const first = await book('sandbox-instant', 'twin')
  const second = await book('sandbox-instant', 'twin', { notes: 'window', also: false })
  expect(second.body).toMatchObject({
    code: 'similar_booking',
    booking_id: first.body.booking.id,
  })
})

describe('an error can be triggered as its entry in the list of errors says', () => {
  test('party_too_large and beyond_horizon', async () => {
    const big = await book('sandbox-table', 'big', { party_size: 21 })
    expect(big.body.code).toBe('party_too_large')
    const far = await book('sandbox-table', 'far', testSlot('sandbox-table', { days: 93 }))
    expect(far.body.code).toBe('beyond_horizon')
  })

  test('amend_not_supported', async () => {
    const { body } = await book('sandbox-people', 'to be changed')
    const change = { party_size: 3, wait: 20 }
    const { body: refused } = await agent.patch(`/api/bookings/${body.booking.id}`, change)
    expect(refused.code).toBe('amend_not_supported')
  })

  test('no_offer', async () => {
    const { body } = await book('sandbox-gym', refOf('slow', 'unasked'), { wait: 0 })
    const accepted = await agent.post(`/api/bookings/${body.booking.id}/offer/accept`, {})
    expect(accepted.body.code).toBe('no_offer')
    const plain = (await book('sandbox-instant', 'without an offer')).body.booking
    const none = await agent.post(`/api/bookings/${plain.id}/offer/accept`, {})
    expect([plain.status, none.body.code]).toEqual(['confirmed', 'no_offer'])
  })

  test('and the list names a way to trigger each one', async () => {
    const text = await (await fetch(`${service.url}/errors.md`)).text()
    for (const how of Object.values(broughtAbout)) expect(text).toContain(`/docs/sandbox): ${how}.`)
    const codes = Object.keys(errorCatalogue)
    expect(codes).toEqual(expect.arrayContaining(Object.keys(broughtAbout)))
    const named = [...JSON.stringify(broughtAbout).matchAll(/sandbox:(\w+)/g)].map(
      ([, name]) => name,
    )
    expect(Object.keys(outcomes)).toEqual(expect.arrayContaining(named))
  })
})

test('nothing from a sandbox appears in the public feed', async () => {
  await publishActivity(service.db, new Date(Date.now() + 2 * HOUR_MS))
  const { rows } = await service.db.query(
    `select from activity f join venue v on v.id = f.venue_id where v.is_test`,
  )
  expect(rows).toEqual([])
})

test('a guest who wants emails gets none, and the timeline says which were left out', async () => {
  const guest = { name: 'Ayu', email: 'ayu@example.com', notify: true }
  const { body } = await book('sandbox-table', 'with mail', { guest })
  await eventually('the mail to be dropped', async () => {
    const { body: told } = await agent.get(`/api/bookings/${body.booking.id}/timeline`)
    return JSON.stringify(told).includes('A sandbox sends no emails.')
  })
  const { rows } = await service.db.query(`select from mail where recipient = $1`, [guest.email])
  expect(rows).toEqual([])
})

test('an unknown outcome is refused, and every one is named', async () => {
  const { status, body } = await book('sandbox-table', 'sandbox:explodes')
  expect(status).toBe(400)
  expect(body.errors[0]).toMatchObject({ pointer: '/guest_ref' })
  for (const name of Object.keys(outcomes)) expect(body.errors[0].detail).toContain(`:${name}`)
})

const guide = () =>
  readFileSync(resolve(import.meta.dirname, '../../docs/guides/sandbox.md'), 'utf8')

test('the guide lists the outcomes and the venues, and no others', () => {
  const rows = guide()
    .split('\n')
    .filter((line) => line.startsWith('| `sandbox'))
  const named = rows.map((row) => /`(sandbox[:-]\w+)`/.exec(row)?.[1])
  const refs = Object.keys(outcomes).map((name) => `sandbox:${name}`)
  expect(named.toSorted()).toEqual([...refs, ...testVenues.map(({ slug }) => slug)].toSorted())
})
