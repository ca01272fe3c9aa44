import { BOOKINGS_QUEUE } from '../base/task-queues.ts'
import type { EngineParts } from '../contract/room.ts'
import { announce } from '../platform/temporal/announce.ts'
import type { Resumed } from '../platform/temporal/runs.ts'
import { summarized } from '../platform/temporal/summarized.ts'
import { type NoticeStart, noticeWorkflowId, STATUS_SIGNAL } from './rules/notice-run.ts'

/** The client for the workflows of notices. */
export const createNoticeEngine = ({ client, runs }: EngineParts) => ({
  /** Starts a notice's workflow unless it is running. */
  beginNotice: (start: NoticeStart): Promise<boolean> => runs.start(runOf(start)),
  /** Restarts a notice's workflow if it is lost or its run cannot continue. */
  resumeNotice: (start: NoticeStart): Promise<Resumed> => runs.resume(runOf(start)),
  /**
   * Reports that the status of an attempt has changed. Repeating an `id` costs the running workflow
   * nothing.
   */
  wakeNotice: (start: NoticeStart, id: string): Promise<void> => {
    const { type: workflowType, options: workflow } = runOf(start)
    return announce(client, { workflowType, workflow, signalName: STATUS_SIGNAL, id })
  },
})
export type NoticeEngine = ReturnType<typeof createNoticeEngine>

const runOf = (start: NoticeStart) => ({
  type: 'notice',
  options: {
    taskQueue: BOOKINGS_QUEUE,
    workflowId: noticeWorkflowId(start.noticeId),
    args: [start],
    ...summarized(`${start.kind} to a person at ${start.venueSlug}`),
  },
})
