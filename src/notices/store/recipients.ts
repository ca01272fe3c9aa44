import { empty, raw } from 'sql-template-tag'
import { z } from 'zod'
import { bookingStatuses } from '../../base/booking-status.ts'
import { languages } from '../../base/languages.ts'
import { confirmModes } from '../../base/venue-kinds.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const row = z.object({
  attempt_id: z.uuid(),
  kind: z.string(),
  booking_id: z.uuid().nullable(),
  revision: z.int().nullable(),
  day: z.string().nullable(),
  created_at: z.date(),
  answer_by: z.date().nullable(),
  person_id: z.uuid(),
  person: z.string(),
  /** the person's, or the venue's, or English */
  language: z.enum(languages).catch('en'),
  is_removed: z.boolean(),
  channel_id: z.uuid(),
  channel_kind: z.string(),
  address_digest: z.instanceof(Buffer),
  is_ended: z.boolean(),
  venue_id: z.uuid(),
  venue: z.string(),
  timezone: z.string(),
  status: z.enum(bookingStatuses).nullable(),
  confirm_mode: z.enum(confirmModes).nullable(),
  /** of the request, or of the change for which the venue is asked */
  asked_revision: z.int().nullable(),
  is_change_asked: z.boolean().nullable(),
})
/** What a person was told by one channel, and how the booking is now. */
export type Recipient = z.infer<typeof row>

/**
 * Whom an attempt told, and what; undefined if its venue was removed. `locked`: until the
 * transaction ends, nobody can remove the person or end the channel.
 */
export const selectOptionalRecipient = (db: Db, attemptId: string, lock: 'locked' | 'unlocked') =>
  query.optionalRow(db, row)`
    select t.id as attempt_id, n.kind, n.booking_id, n.revision, n.day::text, n.created_at,
      n.answer_by, p.id as person_id, p.name as person,
      coalesce(p.language, v.language) as language,
      p.removed_at is not null as is_removed, c.id as channel_id, c.kind as channel_kind,
      c.address_digest, c.ended_at is not null as is_ended, v.id as venue_id, v.name as venue,
      a.timezone, b.status, b.confirm_mode, b.change_phase = 'asked' as is_change_asked,
      coalesce(b.change_revision, b.asked_revision) as asked_revision
    from notice_attempt t
    join notice n on n.id = t.notice_id
    join notice_channel c on c.id = t.channel_id
    join venue_person p on p.id = n.person_id
    join venue v on v.id = p.venue_id and v.is_test is not null
    join area a on a.slug = v.area_slug
    left join booking b on b.id = n.booking_id
    where t.id = ${attemptId} ${lock === 'locked' ? raw('for share of p, c') : empty}`
