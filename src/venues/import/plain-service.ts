import type { Category } from '../../base/venue-kinds.ts'
import type { PlainFields, ServiceRecord } from './record.ts'
import { readServiceList, type ServiceList } from './service-list.ts'
import type { ReadResult, ServiceContext } from './services.ts'

/** The size assumed, with a note, when a file gives hours only. */
const usualSeats: Record<Category, number> = { restaurant: 20, bar: 20, gym: 10, spa: 2 }

const MAX_RESOURCES = 500
const MAX_SEATS = { restaurant: 4 * MAX_RESOURCES, bar: 4 * MAX_RESOURCES, spa: MAX_RESOURCES }

/** The service that flat fields describe, read like a service in a list. */
export function readPlainService(
  category: Category,
  fields: PlainFields,
  context: ServiceContext,
): ReadResult<ServiceList> {
  const plain = plainService(category, fields)
  if ('problem' in plain) return plain
  const list = readServiceList([plain.service], [], context)
  if ('problem' in list) return { problem: list.problem.replace(/^services\.0\./, '') }
  const notes = list.notes.map((note) => note.replace(/^services\.0\./, ''))
  return { ...list, notes: [...(plain.note ? [plain.note] : []), ...notes] }
}

/** The service that flat fields describe (tables, gym places or spa rooms), or a problem. */
function plainService(
  category: Category,
  fields: PlainFields,
): { service: ServiceRecord; note?: string } | { problem: string } {
  const { hours, seats, tables, stay_minutes: stay, spend_per_guest_minor } = fields
  if (category !== 'gym' && (seats ?? 0) > MAX_SEATS[category]) {
    return { problem: `seats: ${seats} would be over ${MAX_RESOURCES} tables or rooms` }
  }
  const common = { hours, spend_per_guest_minor }
  const size = seats ?? usualSeats[category]
  if (tables !== undefined) return givenTables(category, fields, common)
  const note = seats === undefined ? { note: `seats: not given, ${size} assumed` } : {}
  return {
    service: { ...common, ...offeredTo(category, size, stay) },
    ...note,
  }
}

function offeredTo(category: Category, size: number, stay: number | undefined) {
  if (category === 'gym') return pool(size, stay)
  return category === 'spa' ? rooms(size, stay) : tablesOf(category, tablesFor(size), stay)
}

function givenTables(
  category: Category,
  { seats, tables = '', stay_minutes: stay }: PlainFields,
  common: Pick<ServiceRecord, 'hours' | 'spend_per_guest_minor'>,
) {
  if (category === 'gym' || category === 'spa') {
    return { problem: `tables: a ${category} has none; give seats` }
  }
  if (seats !== undefined) return { problem: 'give seats or tables, not both' }
  const sizes = readTables(tables)
  if (!sizes) return { problem: 'tables: must be like 6x2;4x4, six tables for 2 and four for 4' }
  return { service: { ...common, ...tablesOf(category, sizes, stay) } }
}

function tablesOf(category: Category, sizes: readonly number[], stay: number | undefined) {
  const largest = Math.max(...sizes)
  const usual = category === 'restaurant' ? [{ party_max: 2, minutes: 90 }] : []
  const durations = [
    ...usual.filter(({ party_max }) => party_max < largest),
    { party_max: largest, minutes: 120 },
  ]
  return {
    name: 'Tables',
    strategy: 'exclusive' as const,
    durations: stay ? [{ party_max: largest, minutes: stay }] : durations,
    resources: sizes.map((seats, index) => ({
      kind: 'table',
      name: `Table ${index + 1}`,
      party_min: Math.max(1, seats - 3),
      party_max: seats,
      joins: null,
      days_off: [],
    })),
  }
}

const pool = (places: number, stay = 60) => ({
  name: 'Places',
  strategy: 'pooled' as const,
  grid_minutes: Math.max(stay, 5),
  durations: [{ party_max: Math.min(places, 4), minutes: stay }],
  party_max: Math.min(places, 4),
  places,
  resources: [],
})

const rooms = (count: number, stay = 60) => ({
  name: 'Treatments',
  strategy: 'exclusive' as const,
  durations: [{ party_max: 2, minutes: stay }],
  resources: Array.from({ length: count }, (_, index) => ({
    kind: 'room',
    name: `Room ${index + 1}`,
    party_min: 1,
    party_max: 2,
    joins: null,
    days_off: [],
  })),
})

/** Tables for four, and a smaller one for the remainder. */
const tablesFor = (seats: number): number[] => {
  const fours = Array<number>(Math.floor(seats / 4)).fill(4)
  return seats % 4 === 0 ? fours : [...fours, seats % 4]
}

function readTables(text: string): number[] | undefined {
  const groups = text.split(';').map((group) => /^\s*(\d{1,3})\s*x\s*(\d{1,3})\s*$/.exec(group))
  const sizes = groups.flatMap((group) =>
    group ? Array<number>(Number(group[1])).fill(Number(group[2])) : [0],
  )
  const isValid = sizes.length <= MAX_RESOURCES && sizes.every((size) => size > 0)
  return isValid && sizes.length > 0 ? sizes : undefined
}
