import type { NoticeKind } from './message.ts'
import type { NoticeEnd } from './next-step.ts'

/** The input of a notice's workflow: ids only, because Temporal keeps it. */
export type NoticeStart = {
  noticeId: string
  kind: NoticeKind
  venueSlug: string
  bookingId: string | null
}

/** What an operator can request of a running notice: to use the next channel now, or to end it. */
export const noticeOrders = ['resend', 'stop'] as const
export type NoticeOrder = (typeof noticeOrders)[number]

/** The input of one step. `tries` counts the failures in a row of the channel in use. */
export type NoticeTry = { tries: number; order?: NoticeOrder | undefined }

/** A notice after a step: what each channel did, and when the next step is due (ms). */
export type NoticeProgress = {
  ended: NoticeEnd | 'erased' | null
  nextAt: number
  tries: number
  attempts: readonly string[]
}

/** Signals of a notice's workflow. */
export const STATUS_SIGNAL = 'status'
export const ORDER_SIGNAL = 'order'

/** The workflow that notifies one person of one matter. */
export const noticeWorkflowId = (noticeId: string): string => `notice/${noticeId}`
