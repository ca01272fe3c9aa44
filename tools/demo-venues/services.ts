import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import type { NewResource, NewService } from '../../src/venues/store/new-venues.ts'
import { privateRoom, terrace } from './areas.ts'
import { gymOf } from './classes.ts'
import {
  common,
  type Hours,
  JOINABLE,
  joinable,
  numbered,
  openLateAtWeekends,
  type Plan,
  SATURDAY,
  type Style,
  service,
  tableFor,
  tablesOf,
  weekly,
} from './parts.ts'

type Offer = { services: NewService[]; resources?: NewResource[] }

/** What a venue offers; a spa's treatments and a gym's classes share its people. */
export function servicesFor(plan: Plan): Offer {
  if (plan.style === 'classes') return gymOf(plan)
  if (plan.style === 'floor') return gymOf(plan, floor(plan))
  const main = build[plan.style](plan)
  if (plan.style === 'treatments') return spaOf(plan, main)
  return {
    services: [
      main,
      ...(plan.hasTerrace ? [terrace(plan, main)] : []),
      ...(plan.hasPrivateRoom ? [privateRoom(plan)] : []),
    ],
  }
}

/** Treatments by share of the usual spend, for an hour; in this order on the menu. */
const treatments = [
  ['Traditional massage', 1, 'Long strokes and acupressure with coconut oil.', [60, 90, 120]],
  ['Hot stone massage', 1.3, 'Warm basalt stones along the back and legs.', [90]],
  ['Herbal compress massage', 1.2, 'Steamed bundles of lemongrass and ginger.', [90, 120]],
  ['Foot reflexology', 0.6, 'Pressure points of the feet and calves.', [45, 60]],
  ['Body scrub', 0.8, 'A scrub of rice and turmeric, rinsed with yogurt.', [60]],
  ['Facial', 0.9, 'Cleansing, mask and a massage of the face.', [60]],
  ['Aromatherapy massage', 1.1, 'A light massage with an oil of your choice.', [60, 90]],
] as const
const people = ['Ayu', 'Dewi', 'Kadek', 'Made', 'Putu', 'Sari']

/** Prices of menus have at most two or three digits that are not zero. */
const menuStep = (spend: number) => 10 ** Math.max(0, Math.floor(Math.log10(spend)) - 1)

/** The spa's usual treatment, and three to six more of the menu. */
function spaOf({ slug, spend, draws }: Plan, main: NewService): Offer {
  const step = menuStep(spend)
  const price = (share: number) => Math.max(step, Math.round((spend * share) / step) * step)
  const menu = treatments.slice(1, 4 + draws.between('menu', 0, 3))
  const others = menu.map(([name, share, description, minutes]): NewService => {
    const lengths = minutes.map((length) => ({
      minutes: length,
      amount_minor: price((share * length) / 60),
    }))
    const [usual] = lengths
    const { party_max } = main.rules
    return service(slug, name, 'exclusive', [], {
      ...main.rules,
      durations: [{ party_max, minutes: usual?.minutes ?? 60 }],
      kind: 'treatment',
      description,
      leader: 'therapist',
      price: { amount_minor: usual?.amount_minor ?? spend, per: 'guest', taxes: 'excluded' },
      ...(lengths.length > 1 && { lengths }),
    })
  })
  const { resources = [], ...usual } = main
  const named = { kind: 'treatment', description: 'Massage as the house does it.' } as const
  const paid = { leader: 'therapist', price: { amount_minor: spend, per: 'guest' } } as const
  return {
    services: [{ ...usual, rules: { ...main.rules, ...named, ...paid } }, ...others],
    resources: resources.map((one, index) => ({
      ...one,
      ...(one.kind === 'therapist' && { name: people[index] ?? one.name }),
    })),
  }
}

const build: Record<Exclude<Style, 'classes' | 'floor'>, (plan: Plan) => NewService> = {
  tables: ({ slug, late, spend, draws }) => {
    const seats = tablesOf(draws)
    const hours: readonly Hours[] = late
      ? [['18:00', '24:00']]
      : draws.pick('hours', [
          [
            ['11:30', '15:00'],
            ['17:30', '22:30'],
          ],
          [['12:00', '22:00']],
          [['17:00', '23:00']],
        ])
    const windows = weekly(hours, draws)
    const together = late ? 1 : draws.pick('joined tables', [1, 1, 2, 3])
    const max_joined = Math.min(together, seats.filter((one) => one === JOINABLE).length)
    const largest = Math.max(...seats, max_joined * JOINABLE)
    const tables = seats.map(tableFor).map((table) => (max_joined > 1 ? joinable(table) : table))
    return service(slug, 'Tables', 'exclusive', tables, {
      ...common(draws, spend),
      windows: late ? windows.map(openLateAtWeekends) : windows,
      grid_minutes: 30,
      durations: late
        ? [{ party_max: 8, minutes: 120 }]
        : [
            { party_max: 2, minutes: 90 },
            { party_max: 8, minutes: 120 },
            ...(largest > 8 ? [{ party_max: largest, minutes: 150 }] : []),
          ],
      buffer_minutes: 15,
      party_max: largest,
      requires: [{ kind: 'table', per: 'party', ...(max_joined > 1 && { max_joined }) }],
    })
  },
  'day-beds': ({ slug, spend, draws }) =>
    service(slug, 'Day beds', 'pooled', [], {
      ...common(draws, spend),
      windows: weekly([['10:00', '20:00']], draws),
      grid_minutes: 60,
      durations: [{ party_max: 6, minutes: 180 }],
      party_max: 6,
      places: draws.between('places', 10, 24),
    }),
  treatments: ({ slug, spend, draws }) => {
    const therapists = draws.between('therapists', 3, 6)
    const staff = numbered('Therapist', therapists, 'therapist', 1, 1)
    const rooms = [
      ...numbered('Single room', 2, 'room', 1, 1),
      ...numbered('Couple room', draws.between('couple rooms', 1, 2), 'room', 1, 2),
      ...numbered('Suite', draws.between('suites', 0, 1), 'room', 2, 4),
    ]
    const largestRoom = Math.max(...rooms.map(({ party_max }) => party_max))
    return service(slug, 'House massage', 'exclusive', [...staff, ...rooms], {
      ...common(draws, spend),
      windows: weekly(
        [
          draws.pick('hours', [
            ['10:00', '21:00'],
            ['09:00', '22:00'],
          ]),
        ],
        draws,
      ),
      grid_minutes: 30,
      durations: [
        { party_max: 1, minutes: 60 },
        { party_max: 4, minutes: 90 },
      ],
      buffer_minutes: 15,
      party_max: Math.min(largestRoom, therapists),
      requires: [
        { kind: 'therapist', per: 'guest' },
        { kind: 'room', per: 'party' },
      ],
      ...(draws.pick('guarantee', [false, false, false, false, true]) && {
        deposits: [weekendGuarantee(spend)],
      }),
    })
  },
}

const floor = ({ slug, spend, draws }: Plan): NewService =>
  service(slug, 'Floor', 'pooled', [], {
    ...common(draws, spend),
    windows: weekly(
      [
        draws.pick('hours', [
          ['06:00', '22:00'],
          ['07:00', '21:00'],
        ]),
      ],
      draws,
    ),
    grid_minutes: 60,
    durations: [{ party_max: 4, minutes: 60 }],
    party_max: 4,
    places: draws.between('places', 20, 45),
  })

/** Some spas require a deposit at weekends. */
const weekendGuarantee = (spend: number): DepositRule => ({
  kind: 'guarantee',
  amount_minor: spend,
  per: 'guest',
  days: [SATURDAY, SATURDAY + 1],
})
