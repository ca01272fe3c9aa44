import type { NoticeTry } from '../src/notices/rules/notice-run.ts'
import { type NoticeDeps, tryChannel } from '../src/notices/steps/try-channel.ts'
import { whileBeating } from './while-beating.ts'

export type NoticeActivities = ReturnType<typeof createNoticeActivities>

/** Messages to the people at venues, sent only by the `venues` queue's worker. */
export const createNoticeActivities = (deps: NoticeDeps) => ({
  tryChannel: (noticeId: string, input: NoticeTry) =>
    whileBeating((signal) => tryChannel(deps, noticeId, input, new Date(), signal)),
})
