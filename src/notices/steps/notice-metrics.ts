import type { Db } from '../../platform/database/sql.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { withinScrape } from '../../platform/telemetry/within-scrape.ts'
import type { ChannelKind } from '../rules/channel.ts'
import { selectOldestUnsent } from '../store/notices.ts'

/** Counts an attempt: sent, failed for good, or to be retried. */
export type CountAttempt = (channel: ChannelKind, result: 'sent' | 'failed' | 'retried') => void

/** Counts attempts by channel and result. */
export const countNoticeAttempts =
  ({ noticeAttempts }: Pick<Metrics, 'noticeAttempts'>): CountAttempt =>
  (channel, result) =>
    noticeAttempts.inc({ channel, result })

/** At each scrape, reports how late the oldest unsent notice is, unless that takes over 1 s. */
export const showUnsent = ({ beforeScrape, oldestNotice }: Metrics, db: Db): (() => void) =>
  beforeScrape(async () => {
    oldestNotice.remove()
    const since = await withinScrape(selectOldestUnsent(db))
    if (since) oldestNotice.set(Math.max(0, Date.now() - since.getTime()) / 1000)
    else if (since === null) oldestNotice.set(0)
  })
