import { randomUUID } from 'node:crypto'
import type { Rules, Strategy } from '../../src/availability/rules/rules.ts'
import type { ConfirmMode } from '../../src/base/venue-kinds.ts'
import { type Pool, transaction } from '../../src/platform/database/sql.ts'
import { insertVenues, type NewResource, type NewVenue } from '../../src/venues/store/new-venues.ts'
import { rulesWith } from './rules.ts'

type Table = Partial<Omit<NewResource, 'id' | 'can'>>

/** A resource that the services share, or those at these positions. */
export type SharedTable = Table & { can?: readonly number[] | null }

/** A test's service; by default three tables for eight, open from 10:00 to 22:00. */
export type ServiceOptions = {
  name?: string
  strategy?: Strategy
  rules?: Partial<Rules>
  resources?: readonly Table[]
}

export type TestVenue = { id: string; slug: string; name: string; timezone: string }

/**
 * Adds a venue for one test. By default it is on an island where no other test looks for venues,
 * and where no day of silence is observed.
 */
export async function addVenue(
  db: Pool,
  services: readonly ServiceOptions[] = [{}],
  {
    area = 'gili-meno',
    confirmMode = 'auto' as ConfirmMode,
    shared = [] as readonly SharedTable[],
  } = {},
): Promise<TestVenue> {
  const id = randomUUID()
  const slug = `test-${id}`
  const ids = services.map(() => randomUUID())
  const venue: NewVenue = {
    id,
    slug,
    name: `Test ${id.slice(0, 8)}`,
    category: 'restaurant',
    area_slug: area,
    description: '',
    tags: [],
    price_level: 2,
    latitude: -8.5,
    longitude: 115.26,
    confirm_mode: confirmMode,
    is_demo: false,
    services: services.map(({ name, strategy = 'exclusive', rules = {}, resources }, index) => ({
      id: ids[index] ?? '',
      name: name ?? `Service ${index + 1}`,
      strategy,
      rules: rulesWith(strategy === 'exclusive' ? rules : { requires: [], ...rules }),
      resources: (strategy === 'exclusive' ? (resources ?? [{}, {}, {}]) : []).map(tableOf),
    })),
    resources: shared.map(({ can, ...table }, index) => ({
      ...tableOf(table, 100 + index),
      can: can ? can.flatMap((position) => ids[position] ?? []) : null,
    })),
  }
  await transaction(db, (tx) => insertVenues(tx, [venue], new Date()))
  const { rows } = await db.query('select timezone from area where slug = $1', [area])
  return { id, slug, name: venue.name, timezone: rows[0].timezone }
}

const tableOf = (table: Table, index: number): NewResource => ({
  kind: 'table',
  name: `Table ${index + 1}`,
  party_min: 1,
  party_max: 8,
  ...table,
  // in order of name, because bookings choose between equal resources by id
  id: `${String(index).padStart(8, '0')}${randomUUID().slice(8)}`,
})
