import { defineSearchAttributeKey } from '@temporalio/common'
import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import type { Activities } from '../../activities/index.ts'
import { searchAttributeTypes as types } from '../../src/contract/rules/task-queues.ts'
import {
  WATCH_CHANGED_SIGNAL,
  type WatchStart,
  type WatchState,
} from '../../src/waitlist/rules/watch.ts'

const { lookAtWatch } = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  summary: 'see where the watch stands',
})

const watchChanged = defineSignal(WATCH_CHANGED_SIGNAL)

/**
 * One watch from its beginning until it is fulfilled, cancelled or over. Places are handed on in the database, by whoever gives
 * them back; this only shows what happens to the watch and ends it when its time is over.
 */
export async function watch(start: WatchStart): Promise<string> {
  let changed = false
  setHandler(watchChanged, () => {
    changed = true
  })
  describe(start)
  for (;;) {
    changed = false
    const state = await lookAtWatch(start.watchId, Date.now())
    show(start, state)
    if (state.nextActionAt === null) return state.status
    const wait = Math.max(0, Date.parse(state.nextActionAt) - Date.now())
    await condition(() => changed, wait, { summary: 'until the watch is over' })
  }
}

const keyOf = <N extends keyof typeof types>(name: N) => defineSearchAttributeKey(name, types[name])
const accountId = keyOf('AccountId')
const slotTime = keyOf('SlotTime')
const venueSlug = keyOf('VenueSlug')

function describe(start: WatchStart): void {
  upsertSearchAttributes([
    { key: accountId, value: start.accountId },
    { key: slotTime, value: new Date(start.startsAt) },
    { key: venueSlug, value: start.venueSlug },
  ])
}

function show(start: WatchStart, { status, nextActionAt, holdId }: WatchState): void {
  const next = {
    watching: `Waits for a place until ${nextActionAt}.`,
    offered: `Has the hold \`${holdId}\`, to be confirmed.`,
    fulfilled: `Confirmed as booking \`${holdId}\`.`,
    cancelled: 'Its agent no longer wants it.',
    expired: 'Its time is over, or it let its holds go.',
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
