import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import type { OpeningWindow, Rules } from '../../src/availability/rules/rules.ts'
import { uuidOf } from '../../src/platform/database/uuid-of.ts'
import type { NewResource, NewService } from '../../src/venues/store/new-venues.ts'
import type { Draws } from './draws.ts'

/** How a venue sells its time: `tables` and `treatments` are exclusive, the others pooled. */
export type Style = 'tables' | 'day-beds' | 'classes' | 'floor' | 'treatments'

type Plan = {
  slug: string
  style: Style
  /** open past midnight at weekends */
  late: boolean
  spend: number
  hasPrivateRoom: boolean
  draws: Draws
}

type Hours = readonly [open: string, close: string]

const WEEK = [1, 2, 3, 4, 5, 6, 7]
const FRIDAY = 5
const SATURDAY = 6

export function servicesFor(plan: Plan): NewService[] {
  const main = build[plan.style](plan)
  return plan.hasPrivateRoom ? [main, privateRoom(plan)] : [main]
}

const build: Record<Style, (plan: Plan) => NewService> = {
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
  classes: ({ slug, spend, draws }) => {
    const minutes = draws.pick('class', [50, 60, 75])
    const starts = draws.pick('times', [
      ['06:30', '08:00', '17:00', '18:30'],
      ['07:00', '09:00', '16:30', '18:00', '19:30'],
      ['08:00', '10:00', '17:30'],
    ])
    const hours = starts.map((open): Hours => [open, later(open, minutes)])
    return service(slug, 'Classes', 'pooled', [], {
      ...common(draws, spend),
      windows: weekly(hours, draws),
      grid_minutes: minutes,
      durations: [{ party_max: 4, minutes }],
      party_max: 4,
      places: draws.between('places', 8, 24),
    })
  },
  floor: ({ slug, spend, draws }) =>
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
    return service(slug, 'Treatments', 'exclusive', [...staff, ...rooms], {
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

/** Some spas require a deposit at weekends. */
const weekendGuarantee = (spend: number): DepositRule => ({
  kind: 'guarantee',
  amount_minor: spend,
  per: 'guest',
  days: [SATURDAY, SATURDAY + 1],
})

const privateRoom = ({ slug, spend, draws }: Plan): NewService =>
  service(slug, 'Private dining room', 'exclusive', numbered('Private room', 1, 'room', 6, 12), {
    ...common(draws, spend + Math.round(spend / 2)),
    windows: weekly([['18:00', '23:00']], draws),
    grid_minutes: 60,
    durations: [{ party_max: 12, minutes: 180 }],
    buffer_minutes: 30,
    party_min: 6,
    party_max: 12,
    lead_minutes: 1440,
    requires: [{ kind: 'room', per: 'party' }],
    deposits: [{ kind: 'deposit', amount_minor: Math.round(spend / 2), per: 'guest' }],
  })

type Unnamed = Omit<NewResource, 'id'>

function service(
  slug: string,
  name: string,
  strategy: NewService['strategy'],
  resources: readonly Unnamed[],
  rules: Rules,
): NewService {
  const id = (what: string) => uuidOf(`${slug}/${name}${what}`)
  return {
    id: id(''),
    name,
    strategy,
    rules,
    resources: resources.map((one) => ({ ...one, id: id(`/${one.name}`) })),
  }
}

const common = (draws: Draws, spend: number) => ({
  buffer_minutes: 0,
  party_min: 1,
  lead_minutes: draws.pick('lead', [15, 30, 60, 120]),
  horizon_days: draws.pick('horizon', [60, 75, 90]),
  cancel_cutoff_minutes: draws.pick('cutoff', [60, 120, 240, 1440]),
  spend_per_guest_minor: spend,
  requires: [],
  places: 0,
})

/** The same hours all week, except for a rest day at some venues. */
function weekly(hours: readonly Hours[], draws: Draws): OpeningWindow[] {
  const restDay = draws.pick('rest day', [0, 0, 1, 1, 2, 3])
  return WEEK.filter((day) => day !== restDay).flatMap((day) =>
    hours.map(([open, close]) => ({ day, open, close })),
  )
}

const openLateAtWeekends = (window: OpeningWindow): OpeningWindow =>
  window.day === FRIDAY || window.day === SATURDAY ? { ...window, close: '26:00' } : window

const tablesOf = (draws: Draws): number[] => [
  ...Array<number>(draws.between('tables for 2', 2, 6)).fill(2),
  ...Array<number>(draws.between('tables for 4', 2, 5)).fill(4),
  ...Array<number>(draws.between('tables for 6', 0, 2)).fill(6),
  ...Array<number>(draws.between('tables for 8', 0, 1)).fill(8),
]

/** A couple can sit at a table for four; a table for eight is kept for parties of at least five. */
const tableFor = (seats: number, index: number): Unnamed => ({
  kind: 'table',
  name: `Table ${index + 1}`,
  party_min: Math.max(1, seats - 3),
  party_max: seats,
})

/** Tables of this size can be pushed together at some venues. */
const JOINABLE = 4
const joinable = (table: Unnamed): Unnamed =>
  table.party_max === JOINABLE ? { ...table, joins: 'dining room' } : table

const numbered = (
  name: string,
  count: number,
  kind: string,
  party_min: number,
  party_max: number,
) =>
  Array.from({ length: count }, (_, index) => ({
    kind,
    name: `${name} ${index + 1}`,
    party_min,
    party_max,
  }))

function later(clock: string, minutes: number): string {
  const total = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) + minutes
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${digits(Math.floor(total / 60))}:${digits(total % 60)}`
}
