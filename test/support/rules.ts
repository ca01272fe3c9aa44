import type { Rules } from '../../src/availability/rules/rules.ts'

const everyDay = [1, 2, 3, 4, 5, 6, 7]

/** Rules with these changes for a venue open every day from 10:00 to 22:00. */
export function rulesWith(changes: Partial<Rules> = {}): Rules {
  return {
    windows: everyDay.map((day) => ({ day, open: '10:00', close: '22:00' })),
    grid_minutes: 30,
    durations: [{ party_max: 8, minutes: 90 }],
    buffer_minutes: 15,
    party_min: 1,
    party_max: 8,
    lead_minutes: 60,
    horizon_days: 30,
    cancel_cutoff_minutes: 120,
    spend_per_guest_minor: 25_000_000,
    requires: [{ kind: 'table', per: 'party' }],
    places: 0,
    ...changes,
  }
}
