import { z } from 'zod'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const personRow = z.object({
  id: z.uuid(),
  venue_id: z.uuid(),
  name: z.string(),
  role: z.enum(['owner', 'staff']),
  language: z.string().nullable(),
  pin_hash: z.string().nullable(),
  created_at: z.date(),
  joined_at: z.date().nullable(),
  removed_at: z.date().nullable(),
})
/** A person at a venue; `language` is null if it is the venue's. */
export type Person = z.infer<typeof personRow>

type NewPerson = {
  id: string
  venueId: string
  name: string
  role: Person['role']
  language: string | null
  at: Date
}

/** Inserts a person, who joins by accepting an invitation. */
export const insertPerson = (db: Db, { id, venueId, name, role, language, at }: NewPerson) =>
  query.execute(db)`
    insert into venue_person (id, venue_id, name, role, language, created_at)
    values (${id}, ${venueId}, ${name}, ${role}, ${language}, ${at})`

/** The people at a venue, in the order in which they were added. */
export const selectPeople = (db: Db, venueId: string) =>
  query.rows(db, personRow)`
    select id, venue_id, name, role, language, pin_hash, created_at, joined_at, removed_at
    from venue_person where venue_id = ${venueId} and removed_at is null order by created_at, id`

/** Like `selectPeople`; nobody else can change them until the transaction ends. */
export const lockPeople = (tx: Db, venueId: string) =>
  query.rows(tx, personRow)`
    select id, venue_id, name, role, language, pin_hash, created_at, joined_at, removed_at
    from venue_person where venue_id = ${venueId} and removed_at is null order by created_at, id
    for update`

/** Whose channel this is, if it has not ended and is one of these people's. */
export const selectOptionalOwnerOf = (db: Db, channelId: string, people: readonly string[]) =>
  query.optionalValue(db, uuid)`
    select person_id from notice_channel
    where id = ${channelId} and person_id = any(${people}::uuid[]) and ended_at is null`

/** A person, even one who was removed. */
export const selectOptionalPerson = (db: Db, id: string) =>
  query.optionalRow(db, personRow)`
    select id, venue_id, name, role, language, pin_hash, created_at, joined_at, removed_at
    from venue_person where id = ${id}`

/** The venue of a person. */
export const selectVenueOfPerson = (db: Db, id: string) =>
  query.value(db, uuid)`select venue_id from venue_person where id = ${id}`

/** Removes a person and ends all their channels; returns how many people were removed. */
export async function removePerson(tx: Db, id: string, at: Date): Promise<number> {
  await query.execute(tx)`
    update notice_channel set ended_at = ${at}, ended_reason = 'removed'
    where person_id = ${id} and ended_at is null`
  return query.execute(tx)`
    update venue_person
    set removed_at = ${at}, pin_hash = null, invitation_id = null, invited_at = null
    where id = ${id} and removed_at is null`
}
