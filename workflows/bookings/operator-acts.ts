import { proxyActivities } from '@temporalio/workflow'
import type { BookingActivities } from '../../activities/bookings.ts'
import {
  type BookingStart,
  type CommandAnswer,
  type OperatorAct,
  operatorActNames,
} from '../../src/bookings/rules/booking-messages.ts'
import { onUpdate } from '../messages.ts'
import type { Inbox } from './booking-interface.ts'
import { operatorActs } from './booking-messages.ts'

/** How long an operator waits for the outcome. */
const WAIT_MS = 30_000

/** Handles operators' messages, storing each as a command that then runs like an agent's. */
export function handleOperatorActs(start: BookingStart, inbox: Inbox): void {
  for (const name of operatorActNames) {
    onUpdate(
      { name, ...operatorActs[name] },
      async (act: Omit<OperatorAct, 'name'>): Promise<string> => {
        const { storeOperatorAct } = proxyActivities<BookingActivities>({
          startToCloseTimeout: '10s',
          // A longer wait would prevent the run from continuing as new.
          scheduleToCloseTimeout: '1m',
          retry: { initialInterval: '200ms', maximumInterval: '10s' },
          summary: `${name} ${act.id}`,
        })
        const command = await storeOperatorAct(start, { name, ...act }, inbox.now())
        return outcomeOf(await inbox.awaitAnswer(command, WAIT_MS))
      },
    )
  }
}

function outcomeOf(answer: CommandAnswer | 'pending'): string {
  if (answer === 'pending') return 'The act is stored, and runs as soon as the booking can take it.'
  if ('refusal' in answer) return `Refused: ${answer.refusal.message}`
  const policy = answer.cancellation ? ` ${answer.cancellation.policy}` : ''
  return `Done: the booking is ${answer.booking.status}.${policy}`
}
