import { z } from 'zod'
import { type Role, roles } from '../../base/roles.ts'
import { int, isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

const memberRow = z.object({
  id: z.uuid(),
  email: z.string(),
  role: z.enum(roles),
  joined_at: isoTime,
})
export type Member = z.infer<typeof memberRow>

/** An account's members, in the order in which they joined. */
export const selectMembers = (db: Db, accountId: string) =>
  query.rows(db, memberRow)`
    select d.id, d.email, m.role, m.created_at as joined_at
    from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} order by m.created_at, d.id`

/** Locks an account's members and invitations until the transaction ends. */
export const lockMembers = (tx: Db, accountId: string) =>
  query.execute(tx)`
    select from account where id = ${accountId} and deleted_at is null for no key update`

/** Adds a member; false if the developer already is one. */
export const insertMember = (tx: Db, { accountId, developerId, role, at }: NewMember) =>
  query.affectsRow(tx)`
    insert into member (account_id, developer_id, role, created_at)
    values (${accountId}, ${developerId}, ${role}, ${at}) on conflict do nothing`

/** Whether a developer has joined an account since then. */
export const hasJoinedSince = (db: Db, developerId: string, since: Date) =>
  query.affectsRow(db)`
    select from member m join account a on a.id = m.account_id
    where m.developer_id = ${developerId}
      and m.created_at > greatest(${since}, a.created_at)`

export type NewMember = { accountId: string; developerId: string; role: Role; at: Date }

export const updateMemberRole = (tx: Db, accountId: string, developerId: string, role: Role) =>
  query.execute(tx)`
    update member set role = ${role}
    where account_id = ${accountId} and developer_id = ${developerId}`

/** Ends an account's open page for a card: a card saved there is not recorded. */
export const endCardPage = (tx: Db, accountId: string) =>
  query.execute(tx)`
    update payment_customer set setup_id = null, setup_page_id = null
    where account_id = ${accountId}`

/** Ends a membership and the developer's sessions in this account or without an account. */
export const deleteMember = (tx: Db, accountId: string, developerId: string) =>
  query.execute(tx)`
    with old as (
      delete from developer_session where developer_id = ${developerId} and account_id is null
    )
    delete from member where account_id = ${accountId} and developer_id = ${developerId}`

const grantRow = z.object({ id: z.uuid(), account_id: z.uuid(), client: z.string() })

/** Ends all connections of assistants that a developer has allowed, with their tokens. */
export const deleteGrantsOf = (tx: Db, developerId: string) =>
  query.rows(tx, grantRow)`
    with ended as (
      delete from oauth_grant where developer_id = ${developerId}
      returning id, member_account_id, client_id
    )
    select e.id, e.member_account_id as account_id,
      coalesce(c.metadata->>'client_name', c.client_id) as client
    from ended e join oauth_client c on c.id = e.client_id`

const membershipRow = z.object({
  account_id: z.uuid(),
  account_name: z.string(),
  role: z.enum(roles),
  suspended_reason: z.string().nullable(),
})
export type Membership = z.infer<typeof membershipRow>

/** A developer's accounts, most recently chosen first. */
export const selectMemberships = (db: Db, developerId: string) =>
  query.rows(db, membershipRow)`
    select a.id as account_id, a.name as account_name, m.role, a.suspended_reason
    from member m join account a on a.id = m.account_id
    where m.developer_id = ${developerId}
    order by m.chosen_at desc nulls last, m.created_at, a.id`

/** Sets the account for this session and the next; false if the developer is not a member. */
export const chooseAccount = (tx: Db, { sessionId, developerId, accountId, at }: Choice) =>
  query.affectsRow(tx)`
    with chosen as (
      update member set chosen_at = ${at}
      where account_id = ${accountId} and developer_id = ${developerId} returning account_id
    )
    update developer_session s set account_id = c.account_id from chosen c
    where s.id = ${sessionId} and s.developer_id = ${developerId}`
type Choice = { sessionId: string; developerId: string; accountId: string; at: Date }

/** An account's members and open invitations. */
export const countTeam = (db: Db, accountId: string, at: Date) =>
  query.value(db, int)`
    select (select count(*) from member where account_id = ${accountId})
      + (select count(*) from invitation
        where account_id = ${accountId} and expires_at > ${at}) as size`

/** Whether the developer with this address (case-insensitive) is a member. */
export const selectOptionalMember = (db: Db, accountId: string, email: string) =>
  query.optionalRow(db, memberRow)`
    select d.id, d.email, m.role, m.created_at as joined_at
    from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} and lower(d.email) = lower(${email})`

/** Opens a free account for a developer, named after their address. */
export const insertOwnAccount = (tx: Db, { accountId, developerId, at }: Omit<NewMember, 'role'>) =>
  query.execute(tx)`
    with opened as (
      insert into account (id, name, tier, created_at)
      select ${accountId}, left(split_part(email, '@', 1), 100), 'free', ${at}
      from developer where id = ${developerId} returning id
    )
    insert into member (account_id, developer_id, role, created_at)
    select id, ${developerId}, 'owner', ${at} from opened`
