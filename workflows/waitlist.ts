import { defineSearchAttributeKey } from '@temporalio/common'
import {
  condition,
  continueAsNew,
  proxyActivities,
  setWorkflowOptions,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { WaitlistActivities } from '../activities/waitlist.ts'
import { searchAttributeTypes as types } from '../src/base/task-queues.ts'
import {
  ENTRY_CHANGED_SIGNAL,
  type EntryStart,
  type EntryState,
  type WaitlistScan,
} from '../src/waitlist/rules/entry.ts'
import { openClock } from './account-clock.ts'
import { retryUntilSuccess } from './bookings/booking-interface.ts'
import { onSignal, outlive, showDetails } from './messages.ts'
import { once, roundsOptions, scheduled, stayPinned } from './rounds.ts'

const { readEntry } = proxyActivities<WaitlistActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'read the entry',
})

const entryChanged = {
  name: ENTRY_CHANGED_SIGNAL,
  about: 'Looks at the entry again. Harmless at any time. No input.',
}

const HOW_TO_CANCEL = 'The entry continues. Its agent cancels it.'

/** The pause between two checks for an entry's late work. */
const MIN_PAUSE_MS = 1_000

/**
 * A waitlist entry until it is fulfilled, cancelled or expired. The database step that releases a
 * slot also offers it; this workflow only shows the entry and ends it on time.
 */
export const waitlistEntry = (start: EntryStart): Promise<string> =>
  outlive(HOW_TO_CANCEL, () => runEntry(start))

async function runEntry(start: EntryStart): Promise<string> {
  let changed = false
  let messages = 0
  const wake = () => {
    messages += 1
    changed = true
  }
  onSignal(entryChanged, wake)
  const clock = openClock(start, wake)
  describe(start)
  for (;;) {
    changed = false
    const state = await retryUntilSuccess(() => readEntry(clock.withTime(start), clock.now()), {
      messages: () => messages,
      summary: 'before trying again to read the entry',
    })
    show(start, state)
    if (state.nextActionAt === null) return state.status
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof waitlistEntry>(clock.withTime(start))
    }
    const pause = Math.max(MIN_PAUSE_MS, Date.parse(state.nextActionAt) - clock.now())
    await condition(() => changed, pause, { summary: 'until the entry expires' })
  }
}

const keyOf = <N extends keyof typeof types>(name: N) => defineSearchAttributeKey(name, types[name])
const accountId = keyOf('AccountId')
const slotTime = keyOf('SlotTime')
const venueSlug = keyOf('VenueSlug')

function describe(start: EntryStart): void {
  upsertSearchAttributes([
    { key: accountId, value: start.accountId },
    { key: slotTime, value: new Date(start.startsAt) },
    { key: venueSlug, value: start.venueSlug },
  ])
}

function show(start: EntryStart, { status, nextActionAt, holdId }: EntryState): void {
  const next = {
    watching: `Waits for a slot until ${nextActionAt}.`,
    offered: `Has the hold \`${holdId}\` to confirm.`,
    fulfilled: `Confirmed as booking \`${holdId}\`.`,
    cancelled: 'Its agent cancelled it.',
    expired: 'Its time is over, or it let too many holds lapse.',
  }[status]
  showDetails(
    [
      `**${status}**: ${next}`,
      `Party of ${start.partySize} at ${start.venueName} (\`${start.venueSlug}\`)`,
      `${start.slotTime.replace('T', ' ')} at the venue (${start.timezone}), ${start.startsAt}`,
      `Account \`${start.accountId}\``,
    ],
    HOW_TO_CANCEL,
  )
}

const { scanInRounds } = proxyActivities<WaitlistActivities>({
  ...roundsOptions,
  summary: 'offer slots that nobody released',
})

/**
 * The guarantee behind every waitlist entry. Every 30 s, offers slots that became available without
 * a booking ending, and repeats lost messages.
 */
export const waitlistScan = (rounds = once): Promise<WaitlistScan> =>
  scheduled(() => scanInRounds(rounds))
setWorkflowOptions(stayPinned, waitlistScan)
