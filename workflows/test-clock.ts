import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setWorkflowOptions,
  sleep,
} from '@temporalio/workflow'
import type { ClockActivities } from '../activities/clocks.ts'
import { ADVANCE_UPDATE, type ClockStart } from '../src/clocks/rules/test-clocks.ts'
import { onUpdate, outlive, showDetails } from './messages.ts'
import { toAnyWorker } from './rounds.ts'
import { stayPinned } from './stay-pinned.ts'

const { advanceClock } = proxyActivities<ClockActivities>({
  ...toAnyWorker,
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'move through everything that is due',
})

const advance = {
  name: ADVANCE_UPDATE,
  about: 'For the network: waits until the clock is where its row says. No input.',
}
const HOW_TO_STOP = 'The clock moves on. Its account deletes it, with its bookings.'

const BUSY_MS = 1_000

/**
 * Moves a test clock to the target in its row. A caller waits for the end; the row says how far it
 * is, so a lost run is made up for by another.
 */
export const testClock = (start: ClockStart): Promise<string> =>
  outlive(HOW_TO_STOP, () => runClock(start))

async function runClock({ accountId, name }: ClockStart): Promise<string> {
  let isAsked = true
  let isMoving = true
  onUpdate(advance, async () => {
    isAsked = true
    await condition(() => !isAsked && !isMoving)
    return 'ready' as const
  })
  showDetails([`Test clock **${name}** of account \`${accountId}\``], HOW_TO_STOP)
  for (;;) {
    isMoving = true
    while (isAsked) {
      isAsked = false
      if ((await advanceClock(accountId)) === 'busy') {
        isAsked = true
        await sleep(BUSY_MS, { summary: 'until other clocks have moved' })
      }
    }
    isMoving = false
    await condition(() => allHandlersFinished() || isAsked)
    if (!isAsked) return 'ready'
  }
}
setWorkflowOptions(stayPinned, testClock)
