import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const logRow = z.object({
  created_at: z.date(),
  kind: z.string(),
  /** the booking or the day */
  subject: z.string(),
  ended_reason: z.string().nullable(),
  channel: z.string().nullable(),
  status: z.string().nullable(),
  status_at: z.date().nullable(),
  failure: z.string().nullable(),
})

/** The latest notices of a venue with their attempts, newest first, for operators. */
export const selectNoticeLog = (db: Db, venueId: string, limit: number) =>
  query.rows(db, logRow)`
    select n.created_at, n.kind, coalesce(n.booking_id::text, n.day::text) as subject,
      n.ended_reason, c.kind as channel, t.status, t.status_at, t.failure
    from notice n join venue_person p on p.id = n.person_id
      left join notice_attempt t on t.notice_id = n.id
      left join notice_channel c on c.id = t.channel_id
    where p.venue_id = ${venueId} order by n.created_at desc, n.id, t.started_at desc
    limit ${limit}`
