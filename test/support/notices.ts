import { randomUUID } from 'node:crypto'
import { type ChannelKind, channelDigests } from '../../src/notices/rules/channel.ts'
import { noticeUrl } from '../../src/notices/rules/notice-link.ts'
import { channelContext, insertChannel } from '../../src/notices/store/channels.ts'
import { insertPerson } from '../../src/notices/store/people.ts'
import type { Doors } from './open-doors.ts'

type About = {
  venueId: string
  bookingId: string
  name?: string
  channel?: ChannelKind
  address?: string
  language?: string | null
}

/** A new person at a venue, who was told of a booking's request; `url` is in the message. */
export async function notify(
  { db, sealer, url }: Pick<Doors, 'db' | 'sealer' | 'url'>,
  { venueId, bookingId, name = 'Ketut', channel = 'mail', language = null, ...more }: About,
) {
  const { address = `${randomUUID()}@venue.example` } = more
  const at = new Date()
  const [personId, channelId] = [randomUUID(), randomUUID()]
  const [noticeId, attemptId] = [randomUUID(), randomUUID()]
  await insertPerson(db, { id: personId, venueId, name, role: 'staff', language, at })
  const [digest = Buffer.of()] = channelDigests(sealer, channel, address)
  await insertChannel(db, {
    ...{ id: channelId, personId, kind: channel, digest, optedInBy: 'person', at },
    address: sealer.seal(address, channelContext(channelId)),
  })
  await db.query(
    `insert into notice
       (id, person_id, kind, booking_id, revision, created_at, not_before, next_at,
         answer_by)
     select $1, $2, 'request.waiting', id, coalesce(change_revision, asked_revision, 0),
       now(), now(), now(), answer_by
     from booking where id = $3`,
    [noticeId, personId, bookingId],
  )
  await db.query(
    `insert into notice_attempt (id, notice_id, channel_id, started_at, status, status_at)
     values ($1, $2, $3, now(), 'sent', now())`,
    [attemptId, noticeId, channelId],
  )
  return { personId, channelId, noticeId, attemptId, url: noticeUrl(sealer, url, attemptId) }
}
