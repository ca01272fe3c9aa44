import type { Rules } from '../../availability/rules/rules.ts'
import { SANDBOX_AREA, type SandboxOutcome } from '../../base/sandbox.ts'
import type { Category, ConfirmMode } from '../../base/venue-kinds.ts'
import words from './test-venues.json' with { type: 'json' }

/** The area of test venues: at sea, so that no other venue is near. */
export const sandboxArea = {
  slug: SANDBOX_AREA,
  name: 'Sandbox',
  aliases: ['sandbox'],
  city: 'Sandbox',
  country: 'ID',
  timezone: 'Asia/Makassar',
  currency: 'IDR',
  latitude: -14,
  longitude: 105,
}

/** A test venue; `outcome` is what it produces unless a `guest_ref` requests another. */
export type TestVenue = {
  id: string
  slug: string
  name: string
  category: Category
  mode: ConfirmMode
  outcome: SandboxOutcome
  description: string
  rules: Rules
}

const WEEK = [1, 2, 3, 4, 5, 6, 7]

/** Open day and night, with more room than anyone could book. */
const endless: Rules = {
  windows: WEEK.map((day) => ({ day, open: '00:00', close: '24:00' })),
  grid_minutes: 30,
  durations: [{ party_max: 20, minutes: 60 }],
  buffer_minutes: 0,
  party_min: 1,
  party_max: 20,
  lead_minutes: 0,
  horizon_days: 90,
  cancel_cutoff_minutes: 120,
  spend_per_guest_minor: 25_000_000,
  requires: [],
  places: 1_000_000,
}

/** Each venue is named after its outcome; without one, its system confirms. */
type Described = Pick<TestVenue, 'category' | 'description'> &
  Partial<Pick<TestVenue, 'mode' | 'outcome'>> & { rules?: Partial<Rules> }

const described: Readonly<Record<string, Described>> = words as Record<string, Described>

const hex = (nth: number) => nth.toString(16).padStart(12, '0')

/** The venues of every sandbox, identical in each network. */
export const testVenues: readonly TestVenue[] = Object.entries(described).map(
  ([word, { mode = 'http', outcome = 'confirmed', rules, ...venue }], index) => ({
    ...venue,
    mode,
    outcome,
    id: `5a4db0c5-0000-7000-8000-${hex(index + 1)}`,
    slug: `sandbox-${word}`,
    name: `Sandbox ${word.charAt(0).toUpperCase()}${word.slice(1)}`,
    rules: { ...endless, ...rules },
  }),
)

/** The outcome that a venue produces by itself. */
export const outcomeOfVenue = (slug: string): SandboxOutcome =>
  testVenues.find((one) => one.slug === slug)?.outcome ?? 'confirmed'
