import type { Room } from '../contract/room.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { createNoticeEngine } from './engine.ts'
import { showUnsent } from './steps/notice-metrics.ts'
import { openNoticeRuns } from './steps/open-notice-runs.ts'
import {
  eraseOldChannels,
  eraseOldNotices,
  eraseOldPeople,
  type NoticeSweepDeps,
  openDayLists,
  resumeLostNotices,
} from './steps/sweep.ts'
import { channelContext } from './store/channels.ts'

/** The people at venues, and how they are notified of requests, changes and the next day. */
export const notices = {
  name: 'notices',
  engine: createNoticeEngine,
  openWork: openNoticeRuns,
  gauges: showUnsent,
  sweep: (deps: NoticeSweepDeps) => ({
    notices: (at: Date) => resumeLostNotices(deps, at),
    'day-lists': (at: Date) => openDayLists(deps, at),
    'old-notices': (at: Date) => eraseOldNotices(deps, at),
    'old-channels': (at: Date) => eraseOldChannels(deps, at),
    'old-people': (at: Date) => eraseOldPeople(deps, at),
  }),
  activities: {
    venues: async () => (await import('../../activities/notices.ts')).createNoticeActivities,
  },
  sealed: [
    sealedColumn('addresses of people at venues', 'notice_channel.id', 'address', channelContext),
  ],
} as const satisfies Room
