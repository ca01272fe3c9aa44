import { z } from 'zod'
import { visibleText } from '../../contract/fields.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import type { Clock } from '../store/clocks.ts'

export const clockId = z.uuid().toLowerCase().describe('Test clock id')
export const clockName = visibleText(100)
  .refine((value) => !/\p{C}/u.test(value), 'expected text without control characters')
  .describe('A name for your own use, such as what you test with it')

export const testClock = named('TestClock', {
  id: z.uuid().describe('Also the id of the sandbox that runs on it'),
  name: z.string(),
  now: instant.describe('What the clock shows. Between moves it runs in real time'),
  status: z.enum(['ready', 'advancing']),
  advancing_to: instant.nullable().describe('Where it is moving to; null when it is `ready`'),
  created_at: instant.describe('In real time'),
})
export type TestClock = z.infer<typeof testClock>

/** A clock as its account sees it at a given moment in real time. */
export const shownClock = ({ id, name, ...clock }: Clock, at: Date): TestClock => ({
  id,
  name,
  now: new Date(at.getTime() + clock.ahead_ms).toISOString(),
  status: clock.advancing_to ? 'advancing' : 'ready',
  advancing_to: clock.advancing_to?.toISOString() ?? null,
  created_at: clock.created_at.toISOString(),
})
