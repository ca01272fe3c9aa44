import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { languages } from '../../base/languages.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { INVITATION_DAYS } from '../rules/person-link.ts'

const since = (at: Date) => new Date(at.getTime() - INVITATION_DAYS * DAY_MS)

/** Replaces a person's invitation; their PIN and devices, if they had any, end with that. */
export const updateInvitation = (tx: Db, personId: string, invitationId: string, at: Date) =>
  query.execute(tx)`
    with devices as (
      update notice_channel set ended_at = ${at}, ended_reason = 'removed'
      where person_id = ${personId} and kind = 'push' and ended_at is null)
    update venue_person set invitation_id = ${invitationId}, invited_at = ${at}, pin_hash = null
    where id = ${personId} and removed_at is null`

const invitedRow = z.object({
  id: z.uuid(),
  name: z.string(),
  venue_id: z.uuid(),
  venue: z.string(),
  language: z.enum(languages).catch('en'),
})

/** Whom an open invitation is for; undefined if it was used, was replaced or is too old. */
export const selectOptionalInvited = (db: Db, invitationId: string, at: Date) =>
  query.optionalRow(db, invitedRow)`
    select p.id, p.name, v.id as venue_id, v.name as venue,
      coalesce(p.language, v.language) as language
    from venue_person p join venue v on v.id = p.venue_id and v.is_test is not null
    where p.invitation_id = ${invitationId} and p.invited_at > ${since(at)}`

type Joining = { invitationId: string; name: string; pinHash: string; at: Date }

/** Uses an invitation up; false if somebody else was faster, or it is too old. */
export const useInvitation = (tx: Db, { invitationId, name, pinHash, at }: Joining) =>
  query.affectsRow(tx)`
    update venue_person set invitation_id = null, invited_at = null, name = ${name},
      pin_hash = ${pinHash}, joined_at = coalesce(joined_at, ${at})
    where invitation_id = ${invitationId} and invited_at > ${since(at)}`
