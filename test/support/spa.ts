import type { Rules } from '../../src/availability/rules/rules.ts'
import type { ConfirmMode } from '../../src/base/venue-kinds.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { addVenue, type SharedTable } from './test-venues.ts'

const requires: Rules['requires'] = [{ kind: 'therapist', per: 'guest' }]
/** A treatment with a therapist per guest, who can be wished for. */
export const treatment = (name: string, rules: Partial<Rules>) => ({
  name,
  resources: [],
  rules: { kind: 'treatment' as const, leader: 'therapist', party_max: 2, requires, ...rules },
})
/** A therapist, for the services at these positions or all. */
export const therapist = (name: string, can?: readonly number[]): SharedTable => ({
  kind: 'therapist',
  name,
  party_max: 1,
  can: can ?? null,
})

/** A spa where Ayu gives every treatment, and Made all but the hot stones. */
export const addSpa = (db: Pool, confirmMode: ConfirmMode = 'auto') =>
  addVenue(
    db,
    [
      treatment('Balinese massage', {
        price: { amount_minor: 25_000_000, per: 'guest', taxes: 'excluded' },
        durations: [{ party_max: 2, minutes: 60 }],
        lengths: [{ minutes: 60 }, { minutes: 90, amount_minor: 35_000_000 }],
      }),
      treatment('Hot stone massage', {
        buffer_minutes: 30,
        durations: [{ party_max: 2, minutes: 90 }],
        price: { amount_minor: 40_000_000, per: 'booking' },
      }),
      treatment('Foot ritual', { durations: [{ party_max: 2, minutes: 30 }] }),
    ],
    { confirmMode, shared: [therapist('Ayu'), therapist('Made', [0, 2])] },
  )
