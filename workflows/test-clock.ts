import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
} from '@temporalio/workflow'
import type { ClockActivities } from '../activities/clocks.ts'
import { ADVANCE_UPDATE, type ClockStart } from '../src/clocks/rules/test-clocks.ts'
import { toAnyWorker } from './rounds.ts'
import { stayPinned } from './stay-pinned.ts'

const { advanceClock } = proxyActivities<ClockActivities>({
  ...toAnyWorker,
  startToCloseTimeout: '1h',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'move through everything that is due',
})

const advance = defineUpdate<'ready'>(ADVANCE_UPDATE)

const BUSY_MS = 1_000

/**
 * Moves a test clock to the target in its row. A caller waits for the end; the row says how far it
 * is, so a lost run is made up for by another.
 */
export async function testClock({ accountId, name }: ClockStart): Promise<string> {
  let isAsked = true
  let isMoving = true
  setHandler(advance, async () => {
    isAsked = true
    await condition(() => !isAsked && !isMoving)
    return 'ready' as const
  })
  setCurrentDetails(`Test clock **${name}** of account \`${accountId}\``)
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
