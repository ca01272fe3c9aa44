import { describe, expect, test } from 'vitest'
import { readWish } from '../../src/availability/operations/wanted-service.ts'
import type { Rules } from '../../src/availability/rules/rules.ts'
import { lengthsByParty, wished } from '../../src/availability/rules/service-terms.ts'
import type { VenueService } from '../../src/availability/store/venue-services.ts'

const rules: Rules = {
  windows: [{ day: 1, open: '09:00', close: '21:00' }],
  grid_minutes: 30,
  durations: [{ party_max: 8, minutes: 60 }],
  buffer_minutes: 0,
  party_min: 1,
  party_max: 8,
  lead_minutes: 0,
  horizon_days: 30,
  cancel_cutoff_minutes: 120,
  spend_per_guest_minor: 0,
  requires: [{ kind: 'therapist', per: 'party' }],
  places: 0,
}
const person = (id: string, name: string) => ({
  ...{ kind: 'therapist', party_min: 1, party_max: 8, joins: null, count: 1 },
  ...{ name, ids: [id], can: null, hours: null, days_off: [] },
})
const service = (name: string, more: Partial<Rules> = {}) =>
  ({
    id: `id-of-${name.toLowerCase()}`,
    name,
    strategy: 'exclusive',
    confirm_mode: 'auto',
    rules: { ...rules, leader: 'therapist', ...more },
    resources: [person('ayu', 'Ayu Dewi')],
  }) as unknown as VenueService

const lengths = [{ minutes: 60 }, { minutes: 90 }]
const spa = [
  service('Massage', { lengths }),
  service('Massage 90 min', { durations: [{ party_max: 8, minutes: 90 }] }),
  service('Facial 45 min', { durations: [{ party_max: 8, minutes: 45 }] }),
  service('Facial 75 min', { durations: [{ party_max: 8, minutes: 75 }] }),
  service('💆'),
  service('🧖'),
  service('60 min'),
]
const idOf = (name: string) => `id-of-${name.toLowerCase()}`

describe('a name', () => {
  test('may be Indonesian where the venue has the English one, and the other way round', () => {
    const bali = [service('Hot stone massage'), service('Body scrub'), service('Totok wajah')]
    const chosen = (text: string) => readWish(bali, { service: text }).serviceId
    expect(chosen('pijat batu panas')).toBe(idOf('hot stone massage'))
    expect(chosen('Pijat')).toBe(idOf('hot stone massage'))
    expect(chosen('luluran')).toBe(idOf('body scrub'))
    expect(chosen('facial')).toBe(idOf('totok wajah'))
  })

  test.each(spa.map(({ name }) => name))('"%s" means the service of that name', (name) => {
    expect(readWish(spa, { service: name })).toMatchObject({ serviceId: idOf(name) })
    expect(readWish(spa, { service: ` ${name.toUpperCase()}` }).serviceId).toBe(idOf(name))
  })

  test('with a length that is not part of it chooses the length', () => {
    const wish = readWish([spa[0] as VenueService], { service: '90 minute massage' })
    expect(wish).toMatchObject({ serviceId: idOf('Massage'), minutes: 90 })
  })

  test('that several services have means the only one of the length', () => {
    const [stone, couple] = [service('Stone massage', { lengths }), service('Couple massage')]
    const wish = readWish([stone, couple], { service: 'massage', minutes: 90 })
    expect(wish).toMatchObject({ serviceId: stone.id, minutes: 90 })
    const either = () => readWish([stone, couple], { service: 'massage', minutes: 60 })
    expect(either).toThrow('Several services')
  })

  test('is also found in the plural', () => {
    const [stone, foot] = [service('Hot stone massage'), service('Foot ritual')]
    expect(readWish([stone, foot], { service: 'hot stones' }).serviceId).toBe(stone.id)
  })

  test('keeps a number before a word that only begins like minutes', () => {
    const [only] = [service('12 Minahasa dishes')]
    expect(readWish([only], { service: '12 minahasa' })).toMatchObject({ minutes: undefined })
  })

  test.each(['facial', 'sauna', '???', ''])('"%s" that fits several or none is refused', (text) => {
    expect(() => readWish(spa, { service: text })).toThrow(/session of that name|Several services/)
  })
})

test.each(['???', '', 'Ratu'])('nobody called "%s" is wished for', (text) => {
  expect(() => readWish(spa, { service: 'Massage', with: text })).toThrow(
    `Nobody called ${text} gives Massage here: choose Ayu Dewi. `,
  )
})

test('nobody called so leads a session, and the session is named', () => {
  const session = {
    day: 1,
    start: '07:00',
    minutes: 60,
    places: 9,
    name: 'Vinyasa',
    with: 'Ayu Dewi',
  }
  const yoga = service('Yoga', { sessions: [session, { ...session, start: '09:00', name: 'Yin' }] })
  expect(() => readWish([yoga], { service: 'vinyasa', with: 'Ratu' })).toThrow(
    'Nobody called Ratu gives Yoga, Vinyasa here: choose Ayu Dewi. ',
  )
})

describe('a length without a choice', () => {
  const byParty = service('Table', {
    durations: [
      { party_max: 2, minutes: 30 },
      { party_max: 8, minutes: 180 },
    ],
  })

  test('is that of the parties that stay so long', () => {
    expect(wished([byParty], { minutes: 30 })[0]?.rules).toMatchObject({
      party_min: 1,
      party_max: 2,
      durations: [{ minutes: 30 }],
    })
    expect(wished([byParty], { minutes: 180 })[0]?.rules).toMatchObject({
      party_min: 3,
      party_max: 8,
    })
    expect(wished([byParty], { minutes: 60 })).toEqual([])
  })

  test('is told by party', () => {
    expect(lengthsByParty('Table', byParty.rules)).toBe(
      'Table lasts 30 minutes for 1 to 2 guests and 180 for 3 to 8.',
    )
  })

  test('that is no longer offered is not replaced in the service that was named', () => {
    expect(wished(spa, { serviceId: idOf('Massage'), keptMinutes: 75 })).toEqual([])
    expect(wished(spa, { keptMinutes: 75 })).toHaveLength(spa.length)
  })

  test('is kept by a change only where there is a choice', () => {
    expect(wished([byParty], { keptMinutes: 30 })).toEqual([byParty])
    const [massage] = wished(spa, { keptMinutes: 90 })
    expect(massage?.rules.durations).toEqual([{ party_max: 8, minutes: 90 }])
  })
})
