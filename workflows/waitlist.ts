import { defineSearchAttributeKey } from '@temporalio/common'
import {
  condition,
  continueAsNew,
  defineSignal,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { WaitlistActivities } from '../activities/waitlist.ts'
import { searchAttributeTypes as types } from '../src/contract/rules/task-queues.ts'
import {
  ENTRY_CHANGED_SIGNAL,
  type EntryStart,
  type EntryState,
  type WaitlistScan,
} from '../src/waitlist/rules/entry.ts'
import { openClock } from './account-clock.ts'
import { inShards, once, roundsOptions } from './rounds.ts'
import { stayPinned } from './stay-pinned.ts'

const { readEntry } = proxyActivities<WaitlistActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'read the entry',
})

const entryChanged = defineSignal(ENTRY_CHANGED_SIGNAL)

/** Between two looks, when what an entry waits for is late. */
const MIN_PAUSE_MS = 1_000

/**
 * One waitlist entry until it is fulfilled, cancelled or expired. Released slots are offered in the
 * database, by the step that releases them; this only shows the entry and ends it in time.
 */
export async function waitlistEntry(start: EntryStart): Promise<string> {
  let changed = false
  setHandler(entryChanged, () => {
    changed = true
  })
  const clock = openClock(start, () => {
    changed = true
  })
  describe(start)
  for (;;) {
    changed = false
    const state = await readEntry(start.watchId, clock.now(), clock.withTime(start))
    show(start, state)
    if (state.nextActionAt === null) return state.status
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof waitlistEntry>(clock.withTime(start))
    }
    const wait = Math.max(0, Date.parse(state.nextActionAt) - clock.now())
    const pause = wait < MIN_PAUSE_MS && patched('entry-pause') ? MIN_PAUSE_MS : wait
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
  setCurrentDetails(
    [
      `**${status}**: ${next}`,
      `Party of ${start.partySize} at ${start.venueName} (\`${start.venueSlug}\`)`,
      `${start.slotTime.replace('T', ' ')} at the venue (${start.timezone}), ${start.startsAt}`,
      `Account \`${start.accountId}\``,
    ].join('\n\n'),
  )
}

const { scanInRounds } = proxyActivities<WaitlistActivities>({
  ...roundsOptions,
  summary: 'offer slots that nobody released',
})

/**
 * The guarantee behind every waitlist entry, every 30 s: offers slots that became available without
 * a booking's end, and makes up for lost messages.
 */
export const waitlistScan = (rounds = once, shards = 1): Promise<WaitlistScan[]> =>
  inShards(shards, (shard) => scanInRounds(rounds, shard))
setWorkflowOptions(stayPinned, waitlistScan)
