import type { OpeningWindow, Rules } from '../../src/availability/rules/rules.ts'
import { uuidOf } from '../../src/platform/database/uuid-of.ts'
import type { NewResource, NewService } from '../../src/venues/store/new-venues.ts'
import type { Draws } from './draws.ts'

export type Hours = readonly [open: string, close: string]
export type Unnamed = Omit<NewResource, 'id'>

export const WEEK = [1, 2, 3, 4, 5, 6, 7]
export const FRIDAY = 5
export const SATURDAY = 6

/** The same hours all week, except for a rest day at some venues. */
export function weekly(hours: readonly Hours[], draws: Draws): OpeningWindow[] {
  const restDay = draws.pick('rest day', [0, 0, 1, 1, 2, 3])
  return WEEK.filter((day) => day !== restDay).flatMap((day) =>
    hours.map(([open, close]) => ({ day, open, close })),
  )
}

export const openLateAtWeekends = (window: OpeningWindow): OpeningWindow =>
  window.day === FRIDAY || window.day === SATURDAY ? { ...window, close: '26:00' } : window

export const tablesOf = (draws: Draws): number[] => [
  ...Array<number>(draws.between('tables for 2', 2, 6)).fill(2),
  ...Array<number>(draws.between('tables for 4', 2, 5)).fill(4),
  ...Array<number>(draws.between('tables for 6', 0, 2)).fill(6),
  ...Array<number>(draws.between('tables for 8', 0, 1)).fill(8),
]

/** A couple can sit at a table for four; a table for eight is kept for parties of at least five. */
export const tableFor = (seats: number, index: number): Unnamed => ({
  kind: 'table',
  name: `Table ${index + 1}`,
  party_min: Math.max(1, seats - 3),
  party_max: seats,
})

/** Tables of this size can be pushed together at some venues. */
export const JOINABLE = 4
export const joinable = (table: Unnamed): Unnamed =>
  table.party_max === JOINABLE ? { ...table, joins: 'dining room' } : table

export const numbered = (
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

/** How a venue sells its time: `tables` and `treatments` are exclusive, the others pooled. */
export type Style = 'tables' | 'day-beds' | 'classes' | 'floor' | 'treatments'

/** A kind of class that a gym gives. */
export type GymClass = readonly [name: string, minutes: number, description: string]

export type Plan = {
  slug: string
  style: Style
  /** open past midnight at weekends */
  late: boolean
  spend: number
  hasPrivateRoom: boolean
  /** has tables in the open air that can be asked for */
  hasTerrace: boolean
  classes: readonly GymClass[]
  draws: Draws
}

export function service(
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

export const common = (draws: Draws, spend: number) => ({
  buffer_minutes: 0,
  party_min: 1,
  lead_minutes: draws.pick('lead', [15, 30, 60, 120]),
  horizon_days: draws.pick('horizon', [60, 75, 90]),
  cancel_cutoff_minutes: draws.pick('cutoff', [60, 120, 240, 1440]),
  spend_per_guest_minor: spend,
  requires: [],
  places: 0,
})
