import { answers, byId, capability } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { createClockEngine } from './engine.ts'
import { advanceClock } from './operations/advance-clock.ts'
import { createClock } from './operations/create-clock.ts'
import { deleteClock } from './operations/delete-clock.ts'
import { getClock, listClocks } from './operations/read-clocks.ts'
import type { ClockDeps } from './steps/advance-clock.ts'
import { openClocks } from './steps/open-clocks.ts'
import { resumeClocks } from './steps/resume-clocks.ts'

type Answer = { status?: string; test_clock: { id: string } }

const pathOf = ({ test_clock }: Answer) => `/api/test_clocks/${test_clock.id}`

const capabilities = [
  capability(
    createClock,
    'POST /api/test_clocks',
    'clock.create',
    { name: 'reminders' },
    answers({ 200: 'The clock of an earlier request, without its key', 201: 'Created' }, pathOf),
  ),
  capability(listClocks, 'GET /api/test_clocks', 'clock.list', {}),
  capability(getClock, 'GET /api/test_clocks/{id}', 'clock.get', byId),
  capability(
    advanceClock,
    'POST /api/test_clocks/{id}/advance',
    'clock.advance',
    { ...byId, by: 'P3W' },
    answers(
      { 200: 'The clock has arrived, and everything due has happened', 202: 'Still moving' },
      pathOf,
    ),
  ),
  capability(deleteClock, 'DELETE /api/test_clocks/{id}', 'clock.delete', byId),
]

/** Clocks that a developer can move, each with a sandbox that follows its time. */
export const clocks = {
  name: 'clocks',
  inRealTime: true,
  capabilities,
  engine: createClockEngine,
  openWork: openClocks,
  sweep: (deps: ClockDeps) => ({ 'test-clocks': (at: Date) => resumeClocks(deps, at) }),
  activities: {
    bookings: async () => (await import('../../activities/clocks.ts')).createClockActivities,
  },
} as const satisfies Room
