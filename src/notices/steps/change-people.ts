import { randomUUID } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { revokeLinks } from '../../confirmation/store/venue-links.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { endChannel, moveChannelFirst } from '../store/channels.ts'
import { updateInvitation } from '../store/invitations.ts'
import { type NoticeSettings, updateNoticeSettings } from '../store/notice-settings.ts'
import * as people from '../store/people.ts'
import { insertChange } from '../store/person-changes.ts'

/** At a venue, including those who are invited. */
const MAX_PEOPLE = 50

/** Who changes a venue's people: one of them, or an operator's command. */
export type Changer = { venueId: string; personId: string | 'operator' }

/**
 * Locks the venue's people and returns them and who acts. Throws `person_required` if a person was
 * removed or has no PIN any longer, and `owner_required` for what only owners may do.
 */
async function lockAs(tx: Db, { venueId, personId }: Changer, need: 'owner' | 'anyone') {
  const all = await people.lockPeople(tx, venueId)
  const actor = all.find(({ id }) => id === personId)
  if (personId !== 'operator' && !actor?.pin_hash) throw refuse('person_required')
  if (need === 'owner' && actor && actor.role !== 'owner') throw refuse('owner_required')
  return { all, actor }
}

const required = <T>(row: T | undefined): T => {
  if (row === undefined) throw refuse('page_not_found', 'This was changed meanwhile.')
  return row
}

/** A person by id; one that does not exist yet has a name and a role. */
export type Invitee = { id: string; name?: string; role?: people.Person['role'] }

/**
 * Invites a person, new or known by `id`, and returns the invitation's id. It replaces an earlier
 * invitation, and the person's PIN. Throws `person_limit`, and as `lockAs` does.
 */
export const invitePerson = (db: Pool, by: Changer, invitee: Invitee, at: Date): Promise<string> =>
  transaction(db, async (tx) => {
    const { all, actor } = await lockAs(tx, by, 'owner')
    const { venueId } = by
    const { id: personId, name, role } = invitee
    if (!all.some(({ id }) => id === personId)) {
      if (await people.selectOptionalPerson(tx, personId)) throw refuse('page_not_found')
      if (all.length >= MAX_PEOPLE) throw refuse('person_limit')
      const person = { id: personId, name: required(name), role: required(role) }
      await people.insertPerson(tx, { ...person, venueId, language: null, at })
    }
    const invitationId = randomUUID()
    await updateInvitation(tx, personId, invitationId, at)
    const change = { venueId, actorId: actor?.id ?? null, personId, action: 'invited', at } as const
    await insertChange(tx, change)
    return invitationId
  })

/**
 * Removes a person at once, everywhere; their answers keep their name. The last owner can be
 * removed only by an operator (`last_venue_owner`). When nobody who has joined is left, the
 * links to the page end, because they would open it for anyone again.
 */
export const removeFromVenue = (db: Pool, by: Changer, personId: string, at: Date) =>
  transaction(db, async (tx) => {
    const { all, actor } = await lockAs(tx, by, 'owner')
    const { name, joined_at } = required(all.find(({ id }) => id === personId))
    const others = all.filter(({ id, joined_at }) => id !== personId && joined_at !== null)
    const isOwner = ({ role, pin_hash }: people.Person) => role === 'owner' && pin_hash !== null
    if (actor && !others.some(isOwner)) throw refuse('last_venue_owner')
    await people.removePerson(tx, personId, at)
    const { venueId } = by
    const isOpenAgain = joined_at !== null && others.length === 0
    if (isOpenAgain) await revokeLinks(tx, venueId, at)
    await insertChange(tx, { venueId, actorId: actor?.id ?? null, personId, action: 'removed', at })
    return { name, isOpenAgain }
  })

/** Ends a channel, or makes it its person's first. Staff change their own; owners change all. */
export const changeChannel = (
  db: Pool,
  by: Changer,
  { channelId, change }: { channelId: string; change: 'end' | 'first' },
  at: Date,
) =>
  transaction(db, async (tx) => {
    const { all, actor } = await lockAs(tx, by, 'anyone')
    const mayAll = !actor || actor.role === 'owner'
    const ofPeople = all.filter(({ id }) => mayAll || id === actor.id).map(({ id }) => id)
    const personId = required(await people.selectOptionalOwnerOf(tx, channelId, ofPeople))
    if (change === 'end') await endChannel(tx, channelId, 'removed', at)
    else await moveChannelFirst(tx, channelId)
    const action = change === 'end' ? 'channel_ended' : 'channel_moved'
    const { venueId } = by
    await insertChange(tx, { venueId, actorId: actor?.id ?? null, personId, action, at })
  })

/** Changes when and in which language a venue's people are notified. */
export const changeNoticeSettings = (db: Pool, by: Changer, settings: NoticeSettings, at: Date) =>
  transaction(db, async (tx) => {
    const { actor } = await lockAs(tx, by, 'owner')
    await updateNoticeSettings(tx, by.venueId, settings)
    const action = 'settings_changed'
    const actorId = actor?.id ?? null
    await insertChange(tx, { venueId: by.venueId, actorId, personId: null, action, at })
  })
