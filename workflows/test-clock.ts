import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow'
import type { ClockActivities } from '../activities/clocks.ts'
import { ADVANCE_UPDATE, type ClockStart } from '../src/clocks/rules/test-clocks.ts'
import { afterTurn, isPatient, noWait, type Wait } from '../src/clocks/rules/turns.ts'
import { onUpdate, outlive, showDetails } from './messages.ts'
import { stayPinned, toAnyWorker } from './rounds.ts'

const { advanceClock } = proxyActivities<ClockActivities>({
  ...toAnyWorker,
  startToCloseTimeout: '1m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
  summary: 'move through what is due',
})

const advance = {
  name: ADVANCE_UPDATE,
  about: 'For the network: waits until the clock is where its row says. No input.',
}
const HOW_TO_STOP = 'The clock moves on. Its account deletes it, with its bookings.'

const whatFor = { waiting: 'until what is due has happened', busy: 'until other clocks have moved' }
/** A longer run continues as new to keep its history small. */
const MAX_EVENTS = 500

/**
 * Moves a test clock to the target in its row, turn by turn, while a caller waits for the end. The
 * row holds the position, so another run can replace a lost one.
 */
export const testClock = (start: ClockStart, wait = noWait): Promise<string> =>
  outlive(HOW_TO_STOP, () => runClock(start, wait))

function needsNewRun(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo()
  return continueAsNewSuggested || historyLength > MAX_EVENTS
}

async function runClock(start: ClockStart, before: Wait): Promise<string> {
  let isAsked = true
  let isMoving = true
  let isOver = false
  let wait = before
  onUpdate(advance, async () => {
    isAsked = true
    // A caller that is answered early sees in the row that the clock is still moving.
    await condition(() => isOver || (!isAsked && !isMoving))
    return 'ready' as const
  })
  showDetails([`Test clock \`${start.name}\` of account \`${start.accountId}\``], HOW_TO_STOP)
  for (;;) {
    isMoving = true
    while (isAsked) {
      isOver = needsNewRun()
      if (isOver) {
        await condition(allHandlersFinished)
        await continueAsNew<typeof testClock>(start, wait)
      }
      isAsked = false
      const reached = await advanceClock(start.accountId, isPatient(wait))
      if (reached !== 'ready') isAsked = true
      if (reached === 'waiting' || reached === 'busy') {
        await sleep(wait.pauseMs, { summary: whatFor[reached] })
      }
      wait = afterTurn(reached, wait)
    }
    isMoving = false
    await condition(() => allHandlersFinished() || isAsked)
    if (!isAsked) return 'ready'
  }
}
setWorkflowOptions(stayPinned, testClock)
