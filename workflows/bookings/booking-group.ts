import { getExternalWorkflowHandle } from '@temporalio/workflow'
import { groupWorkflowId } from '../../src/base/ids.ts'
import { MEMBER_MOVED_SIGNAL } from '../../src/bookings/rules/booking.ts'
import type { BookingStart, Decision } from '../../src/bookings/rules/booking-messages.ts'

/** Statuses that a booking reaches only after its group is over. */
const later: readonly string[] = ['completed', 'no_show']

/** Notifies the booking's group, if any, whenever the booking's status has changed. */
export function createGroupNotifier({ group }: BookingStart) {
  let sentStatus: string | null = null
  let telling: Promise<unknown> = Promise.resolve()
  return {
    tell({ answer, state }: Decision): void {
      const status = state?.status ?? (answer && 'refused')
      if (!group || !status || status === sentStatus || later.includes(status)) return
      // What is held but not paid for is no news.
      if (state?.payBy) return
      sentStatus = status
      // A group that is over has no workflow, and the sweep restarts lost ones.
      const signal = getExternalWorkflowHandle(groupWorkflowId(group)).signal(MEMBER_MOVED_SIGNAL)
      telling = Promise.all([telling, signal.catch(() => {})])
    },
    /** Must be awaited before the run ends, or its signals would be dropped. */
    told: () => telling,
  }
}
