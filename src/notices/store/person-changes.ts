import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

/** What can be changed about the people of a venue. */
const personActions = [
  'invited',
  'joined',
  'removed',
  'channel_added',
  'channel_ended',
  'channel_moved',
  'settings_changed',
] as const

type PersonChange = {
  venueId: string
  /** null: an operator's command */
  actorId: string | null
  /** null: the settings of the venue */
  personId: string | null
  action: (typeof personActions)[number]
  at: Date
}

/** Records a change, in its transaction. */
export const insertChange = (tx: Db, { venueId, actorId, personId, action, at }: PersonChange) =>
  query.execute(tx)`
    insert into venue_person_change (id, venue_id, at, actor_id, person_id, action)
    values (${randomUUIDv7()}, ${venueId}, ${at}, ${actorId}, ${personId}, ${action})`

const changeRow = z.object({
  at: z.date(),
  action: z.enum(personActions),
  actor: z.string().nullable(),
  person: z.string().nullable(),
})

const MAX_CHANGES = 50

/** The latest changes at a venue, newest first. */
export const selectChanges = (db: Db, venueId: string) =>
  query.rows(db, changeRow)`
    select c.at, c.action, a.name as actor, p.name as person from venue_person_change c
    left join venue_person a on a.id = c.actor_id left join venue_person p on p.id = c.person_id
    where c.venue_id = ${venueId} order by c.at desc, c.id desc limit ${MAX_CHANGES}`
