import { DAY_MS, HOUR_MS, SECOND_MS } from '../../base/durations.ts'
import { addDays, clockOn, dateOf, toInstantPastGap, toLocal } from '../../base/local-time.ts'
import { continuePass, eraseThrough, rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Pool, together } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import type { NoticeEngine } from '../engine.ts'
import { notBefore } from '../rules/quiet-hours.ts'
import { insertNotices, selectLate, selectUntried } from '../store/notices.ts'
import { type ListingVenue, selectListingVenues } from '../store/venue-settings.ts'

/** What the sweep of notices needs. */
export type NoticeSweepDeps = { db: Pool; engine: NoticeEngine; log: Log }

/** Longer than a healthy workflow can lag. */
const LOST_AFTER_MS = 90 * SECOND_MS

/** Gives new runs to notices that have lost theirs, or whose run cannot continue. */
export function resumeLostNotices(deps: NoticeSweepDeps, at: Date): Promise<Pass> {
  const before = new Date(at.getTime() - LOST_AFTER_MS)
  return continuePass(deps, 'notices', {
    select: (page) => selectLate(deps.db, before, page),
    idOf: ({ noticeId }) => noticeId,
    help: (start) => deps.engine.resumeNotice(start),
  })
}

/** A list that could not be opened within this time is no longer opened. */
const LIST_WITHIN_MS = 3 * HOUR_MS

/** Opens the lists of tomorrow at the venues where it is time, once a day. */
export function openDayLists(deps: NoticeSweepDeps, at: Date): Promise<Pass> {
  return continuePass(deps, 'day-lists', {
    select: (page) => selectListingVenues(deps.db, { at, within: LIST_WITHIN_MS }, page),
    idOf: ({ id }) => id,
    help: (venue) => openDayList(deps, venue, at),
  })
}

async function openDayList(
  { db, engine }: NoticeSweepDeps,
  { id: venueId, ...venue }: ListingVenue,
  at: Date,
): Promise<boolean> {
  const { timezone } = venue
  const day = addDays(dateOf(toLocal(timezone, at)), 1)
  const startsAt = toInstantPastGap(timezone, clockOn(day, '00:00'))
  await insertNotices(db, {
    ...{ venueId, day, at, kind: 'day.list', bookingId: null, revision: null, answerBy: null },
    notBefore: notBefore('day.list', venue, { at, startsAt }),
  })
  const starts = await selectUntried(db, { venueId, day })
  const begun = await together(...starts.map((start) => engine.beginNotice(start)))
  return begun.includes(true)
}

const NOTICES_KEPT_MS = 90 * DAY_MS
const ENDED_KEPT_MS = 30 * DAY_MS

/** Erases notices after 90 days, with their attempts. */
export const eraseOldNotices = (deps: NoticeSweepDeps, at: Date): Promise<Pass> =>
  eraseThrough(
    deps,
    'old-notices',
    rowsBefore('notice', 'created_at', new Date(at.getTime() - NOTICES_KEPT_MS), 'id'),
  )

/** Erases channels, with their addresses, 30 days after their end. */
export const eraseOldChannels = (deps: NoticeSweepDeps, at: Date): Promise<Pass> =>
  eraseThrough(deps, 'old-channels', endedBefore('notice_channel', 'ended_at', at))

/** Erases people, with their names and channels, 30 days after they were removed. */
export const eraseOldPeople = (deps: NoticeSweepDeps, at: Date): Promise<Pass> =>
  eraseThrough(deps, 'old-people', endedBefore('venue_person', 'removed_at', at))

const endedBefore = (from: string, time: string, at: Date) =>
  rowsBefore(from, time, new Date(at.getTime() - ENDED_KEPT_MS), 'id')
