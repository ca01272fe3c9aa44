import { selectNoticeLog } from '../notices/store/notice-log.ts'
import { plainTable } from '../platform/command-line/plain-table.ts'
import type { Pool } from '../platform/database/sql.ts'
import { venueOf } from './connect-venue.ts'
import { defineOperatorCommand } from './operator-program.ts'

const MAX_SHOWN = 100

export const listNotices = defineOperatorCommand({
  words: 'notices',
  summary: 'List what the people of the venue were told, with each attempt.',
  details: `The latest ${MAX_SHOWN}, newest first. Neither names nor addresses are shown.`,
  args: { slug: { about: 'Slug of the venue, as search shows it' } },
  examples: ['notices senja-table-ubud'],
  run: ({ args, onDatabase }) => onDatabase((db) => noticeTable(db, args.slug)),
})

/** The latest notices of a venue as text. */
export async function noticeTable(db: Pool, slug: string): Promise<string> {
  const venue = await venueOf(db, slug)
  const attempts = await selectNoticeLog(db, venue.id, MAX_SHOWN)
  if (attempts.length === 0) return `Nobody at ${venue.name} has been told anything yet.`
  const rows = attempts.map(({ created_at, kind, subject, channel, status, failure, ...row }) => [
    created_at.toISOString(),
    kind,
    subject,
    channel ?? '-',
    [status ?? 'not begun', failure].filter(Boolean).join(': '),
    row.status_at?.toISOString() ?? '-',
    row.ended_reason ?? 'open',
  ])
  return plainTable(['OPENED', 'KIND', 'ABOUT', 'CHANNEL', 'STATUS', 'SINCE', 'NOTICE'], rows)
}
