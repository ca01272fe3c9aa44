import { z } from 'zod'
import { type Role, roles } from '../../base/roles.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const invitationRow = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(roles),
  created_at: isoTime,
  expires_at: isoTime,
})
export type Invitation = z.infer<typeof invitationRow>

/** An account's unaccepted invitations, oldest first. */
export const selectInvitations = (db: Db, accountId: string) =>
  query.rows(db, invitationRow)`
    select id, email, role, created_at, expires_at from invitation
    where account_id = ${accountId} order by created_at, id`

export type NewInvitation = {
  id: string
  accountId: string
  email: string
  role: Role
  invitedBy: string
  tokenHash: Buffer
  at: Date
  expiresAt: Date
}

/** Adds an invitation, replacing an earlier one to the same address, whose link stops working. */
export const upsertInvitation = (tx: Db, invitation: NewInvitation) =>
  query.execute(tx)`
    insert into invitation (id, account_id, email, role, invited_by, token_hash, created_at,
      expires_at)
    values (${invitation.id}, ${invitation.accountId}, ${invitation.email}, ${invitation.role},
      ${invitation.invitedBy}, ${invitation.tokenHash}, ${invitation.at}, ${invitation.expiresAt})
    on conflict (account_id, lower(email)) do update set id = excluded.id, role = excluded.role,
      invited_by = excluded.invited_by, token_hash = excluded.token_hash,
      created_at = excluded.created_at, expires_at = excluded.expires_at`

const openRow = invitationRow.extend({ account_id: z.uuid(), account_name: z.string() })
export type OpenInvitation = z.infer<typeof openRow>

/** The invitation that a link is for, if the link is still valid and its account not suspended. */
export const selectOptionalOpenInvitation = (db: Db, tokenHash: Buffer, at: Date) =>
  query.optionalRow(db, openRow)`
    select i.id, i.email, i.role, i.created_at, i.expires_at, i.account_id, a.name as account_name
    from invitation i join account a on a.id = i.account_id
    where i.token_hash = ${tokenHash} and i.expires_at > ${at} and a.deleted_at is null
      and a.suspended_at is null`

/** Deletes one of an account's invitations and returns it; undefined if there is none. */
export const deleteInvitation = (tx: Db, accountId: string, id: string) =>
  query.optionalRow(tx, invitationRow)`
    delete from invitation where account_id = ${accountId} and id = ${id}
    returning id, email, role, created_at, expires_at`

/** Deletes and returns the invitations that a member of an account has sent. */
export const deleteInvitationsBy = (tx: Db, accountId: string, developerId: string) =>
  query.rows(tx, invitationRow)`
    delete from invitation where account_id = ${accountId} and invited_by = ${developerId}
    returning id, email, role, created_at, expires_at`

/** Invitations that expired before a time. */
export const endedInvitations = (before: Date) =>
  rowsBefore('invitation', 'expires_at', before, 'id')
