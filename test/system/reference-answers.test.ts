import { expect } from 'vitest'
import { catalogue } from '../../src/catalogue.ts'
import { scopes } from '../../src/contract/rules/scopes.ts'
import type { RecordedAnswers } from '../../src/doors/web/docs/recorded-answers.ts'
import { makeKey } from '../support/agent.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { recordedAt, shapeOf } from '../support/recorded.ts'
import { test } from '../support/service.ts'

const FILE = new URL('../../src/doors/web/docs/recorded-answers.json', import.meta.url)
const outputs = new Map(catalogue.map(({ a2a, operation }) => [a2a, operation.output]))

test('the answers in the reference are those of the service, for one story', async ({
  service: { url, db },
}) => {
  const agent = await makeKey(db, 'pro', scopes)
  const told: Record<string, { input: Record<string, unknown>; answer: any }> = {}
  const tell = async (intent: string, input: Record<string, unknown>): Promise<any> => {
    const message = { protocol: 'service/a2a/v1', from: 'agent://my-agent', intent, payload: input }
    const { body } = await postEnvelope(url, agent.key, message)
    expect([intent, body.error]).toEqual([intent, undefined])
    const text = JSON.stringify({ input, answer: body.payload })
    told[intent] = JSON.parse(
      text
        .replaceAll(url, '$URL')
        .replaceAll(/(service_live_|whsec_|\/guest\/)[\w+/=-]{9,}/g, '$1…')
        .replaceAll(agent.accountId, '0197a1f0-0000-7000-8000-000000000000'),
    )
    return body.payload
  }
  const venue = 'angin-laut-sushi-canggu'
  await tell('venue.list', { area: 'canggu', limit: 1 })
  await tell('venue.get', { slug: venue })
  await tell('booking.search', { query: 'sushi in Canggu for 2', limit: 1 })
  const { days } = await tell('venue.availability', { slug: venue, party_size: 2, days: 7 })
  const { date, times } = days.findLast((day: any) => day.times.length > 2)
  const slot = (nth: number) => ({
    venue_id: venue,
    slot_time: `${date}T${times[nth]}:00`,
    party_size: 2,
  })
  const released = await tell('booking.hold', slot(1))
  await tell('booking.extend', { id: released.booking.id })
  await tell('booking.release', { id: released.booking.id })
  const { booking } = await tell('booking.confirm', { ...slot(0), guest: { name: 'Ayu' } })
  const one = { id: booking.id }
  await tell('booking.get', one)
  await tell('booking.list', { status: 'confirmed', limit: 1 })
  await tell('booking.amend', { ...one, party_size: 3, dry_run: true })
  await tell('booking.timeline', one)
  await tell('booking.events', one)
  const { events } = await tell('event.recent', { types: 'booking.*', limit: 1 })
  await tell('event.get', { id: events[0].id })
  await tell('fee.list', { month: date.slice(0, 7), limit: 1 })
  await tell('booking.cancel', { ...one, by: 'guest' })
  const { key } = await tell('key.create', { name: 'booking agent', scopes: ['bookings'] })
  await tell('key.get', { id: key.id })
  await tell('key.revoke', { id: key.id })
  await tell('webhook.create', { url: 'https://agent.example/hooks', event_types: ['booking.*'] })
  await tell('webhook.list', {})
  await tell('plan.get', {})
  await tell('network.ping', {})

  const recorded: RecordedAnswers = recordedAt(FILE, told)
  expect(shapeOf(told)).toEqual(shapeOf(recorded))
  for (const [intent, { answer }] of Object.entries(recorded)) {
    const parsed = outputs.get(intent)?.safeParse(JSON.parse(withUrl(answer, url)))
    expect([intent, parsed?.error]).toEqual([intent, undefined])
  }
})

const withUrl = (answer: unknown, url: string) => JSON.stringify(answer).replaceAll('$URL', url)
