import type { PromiseName } from './tariff.ts'

/** What a query can find; `seconds` is what it measured. */
const findings = {
  unanswered: ['answer', (s: number) => `The request had no answer after ${s} s.`],
  answered_late: ['answer', (s: number) => `The request was answered after ${s} s.`],
  venue_overdue: [
    'answer',
    (s: number) => `The venue’s time to answer was over, and ${s} s later nothing was decided.`,
  ],
  decided_late: [
    'answer',
    (s: number) => `The booking was decided ${s} s after the venue’s time to answer was over.`,
  ],
  no_alternatives: [
    'recovery',
    () => 'The venue cancelled the booking, and no alternative was found.',
  ],
  silent_venue: [
    'recovery',
    () => 'The venue did not answer the request, and no alternative was found.',
  ],
  recovered_late: [
    'recovery',
    (s: number) => `The venue cancelled the booking, and alternatives came ${s} s later.`,
  ],
  not_recovered: [
    'recovery',
    (s: number) => `The venue cancelled the booking, and ${s} s later nothing had been done.`,
  ],
  unsent: ['webhook', (s: number) => `An event was not sent for ${s} s.`],
  sent_late: ['webhook', (s: number) => `An event was first sent after ${s} s.`],
  overlap: ['one_sale', () => 'Another confirmed booking has the same table or room.'],
  oversold: ['one_sale', () => 'More guests were confirmed than there are places.'],
} as const satisfies Record<string, readonly [PromiseName, (seconds: number) => string]>

export type Finding = keyof typeof findings
export const findingNames = Object.keys(findings) as [Finding, ...Finding[]]

/** The promise that a finding breaks. */
export const promiseOf = (finding: Finding): PromiseName => findings[finding][0]

/** A finding in a sentence for the account and for operators. */
export const whyOf = (finding: Finding, seconds: number): string => findings[finding][1](seconds)
