import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { channelKinds } from '../rules/channel.ts'
import { type NoticeKind, noticeKinds } from '../rules/message.ts'
import { messageStatuses } from '../rules/message-status.ts'
import { type NoticeEnd, type NoticeState, noticeEnds } from '../rules/next-step.ts'

type NewNotices = {
  venueId: string
  kind: NoticeKind
  bookingId: string | null
  revision: number | null
  /** a local date */
  day: string | null
  answerBy: Date | null
  notBefore: Date
  at: Date
}

/**
 * Opens a notice for each person at a venue who has a channel; nobody gets a second notice of the
 * same matter. Returns how many people there are to notify.
 */
export async function insertNotices(tx: Db, notice: NewNotices): Promise<number> {
  const people = sql`
    select p.id from venue_person p where p.venue_id = ${notice.venueId} and p.removed_at is null
      and exists (select from notice_channel c where c.person_id = p.id and c.ended_at is null)`
  await query.execute(tx)`
    insert into notice (id, person_id, kind, booking_id, revision, day, created_at, not_before,
      next_at, answer_by)
    select gen_random_uuid(), p.id, ${notice.kind}, ${notice.bookingId}::uuid,
      ${notice.revision}::integer, ${notice.day}::date, ${notice.at}, ${notice.notBefore},
      ${notice.notBefore}, ${notice.answerBy}
    from (${people}) p on conflict do nothing`
  return query.execute(tx)`${people}`
}

const startRow = z
  .object({
    id: z.uuid(),
    kind: z.enum(noticeKinds),
    venue_slug: z.string(),
    booking_id: z.uuid().nullable(),
  })
  .transform(({ id, kind, venue_slug, booking_id }) => ({
    noticeId: id,
    kind,
    venueSlug: venue_slug,
    bookingId: booking_id,
  }))

const starts = sql`
  select n.id, n.kind, v.slug as venue_slug, n.booking_id
  from notice n join venue_person p on p.id = n.person_id join venue v on v.id = p.venue_id`

/** How to start the workflow of a notice; undefined if it was erased. */
export const selectOptionalStart = (db: Db, noticeId: string) =>
  query.optionalRow(db, startRow)`${starts} where n.id = ${noticeId}`

/** The notices about a booking, or a venue's lists of a day, that no channel has begun to send. */
export const selectUntried = (
  db: Db,
  about: { bookingId: string } | { venueId: string; day: string },
) =>
  query.rows(db, startRow)`
    ${starts} where n.ended_at is null
      and ${
        'bookingId' in about
          ? sql`n.booking_id = ${about.bookingId}`
          : sql`p.venue_id = ${about.venueId} and n.day = ${about.day}`
      }
      and not exists (select from notice_attempt t where t.notice_id = n.id)`

/** The open notices whose next step was due before an instant, by id. */
export const selectLate = (db: Db, before: Date, { after, limit }: PageOfIds) =>
  query.rows(db, startRow)`
    ${starts} where n.next_at < ${before} and (${after}::uuid is null or n.id > ${after})
    order by n.id limit ${limit}`

const attempt = z
  .object({
    id: z.uuid(),
    channel_id: z.uuid(),
    kind: z.enum(channelKinds),
    status: z.enum(messageStatuses),
    started_at: z.coerce.date(),
    status_at: z.coerce.date(),
    is_temporary: z.boolean(),
  })
  .transform(({ id, kind, status, ...row }) => ({
    ...{ id, kind, status, channelId: row.channel_id },
    ...{ startedAt: row.started_at, statusAt: row.status_at },
    isTemporary: row.is_temporary,
  }))

const stateRow = z
  .object({
    kind: z.enum(noticeKinds),
    created_at: z.date(),
    not_before: z.date(),
    answer_by: z.date().nullable(),
    ended: z.enum(noticeEnds).nullable(),
    is_answered: z.boolean(),
    is_removed: z.boolean(),
    attempts: z.array(attempt),
    channels: z.array(z.object({ id: z.uuid(), kind: z.enum(channelKinds) })),
  })
  .transform(
    ({ kind, ended, attempts, channels, ...row }): NoticeState => ({
      ...{ kind, ended, attempts, channels, createdAt: row.created_at },
      ...{ notBefore: row.not_before, answerBy: row.answer_by },
      ...{ isAnswered: row.is_answered, isRemoved: row.is_removed },
    }),
  )

/** What decides about the next step of a notice; undefined if it was erased. */
export const selectOptionalState = (db: Db, noticeId: string) =>
  query.optionalRow(db, stateRow)`
    select n.kind, n.created_at, n.not_before, n.answer_by, n.ended_reason as ended,
      case when n.kind not like 'request.%'
        then exists (select from notice m where m.person_id = n.person_id
          and m.booking_id = n.booking_id and m.created_at > n.created_at)
        when b.change_phase = 'asked' then b.change_revision is distinct from n.revision
        else coalesce(b.status <> 'pending' or b.asked_revision <> n.revision, false)
      end as is_answered,
      p.removed_at is not null as is_removed,
      coalesce((select json_agg(json_build_object('id', t.id, 'channel_id', t.channel_id,
          'kind', c.kind, 'status', t.status, 'started_at', t.started_at,
          'status_at', t.status_at, 'is_temporary', t.is_temporary) order by t.started_at, t.id)
        from notice_attempt t join notice_channel c on c.id = t.channel_id
        where t.notice_id = n.id), '[]') as attempts,
      coalesce((select json_agg(json_build_object('id', c.id, 'kind', c.kind)
          order by c.position, c.id)
        from notice_channel c where c.person_id = n.person_id and c.ended_at is null),
        '[]') as channels
    from notice n join venue_person p on p.id = n.person_id
      left join booking b on b.id = n.booking_id
    where n.id = ${noticeId}`

/** Stores when the next step is due, so that a lost workflow is missed. */
export const updateNextAt = (db: Db, noticeId: string, at: Date) =>
  query.execute(db)`
    update notice set next_at = ${at} where id = ${noticeId} and ended_at is null`

/** Ends a notice; one that has ended keeps its reason. */
export const endNotice = (db: Db, noticeId: string, reason: NoticeEnd, at: Date) =>
  query.execute(db)`
    update notice set ended_at = ${at}, ended_reason = ${reason}, next_at = null
    where id = ${noticeId} and ended_at is null`

const oldest = z.date().nullable()

/** Since when the oldest notice that nobody has accepted has been due; null without one. */
export const selectOldestUnsent = (db: Db) =>
  query.value(db, oldest)`
    select min(n.not_before) from notice n where n.ended_at is null and not exists (
      select from notice_attempt t
      where t.notice_id = n.id and t.status in ('sent', 'delivered', 'read'))`
