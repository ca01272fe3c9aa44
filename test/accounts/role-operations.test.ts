import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/operations/delete-account.ts'
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
} from '../../src/accounts/operations/invitations.ts'
import { changeRole, removeMember } from '../../src/accounts/operations/members.ts'
import { upsertInvitation } from '../../src/accounts/store/invitations.ts'
import { hashToken, newToken } from '../../src/accounts/store/token-secret.ts'
import { type AuditAction, auditActions } from '../../src/base/audit-actions.ts'
import { Refusal } from '../../src/base/errors.ts'
import { changedPart, may, type Role, roles } from '../../src/base/roles.ts'
import { scopes } from '../../src/base/scopes.ts'
import { byCommand, operatorActor, recordAudit } from '../../src/contract/audit.ts'
import type { Context, Operation } from '../../src/contract/operation.ts'
import { catalogue, type NetworkServices } from '../../src/network.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { hashPassword } from '../../src/platform/sealing/password-secret.ts'
import { type Browser, openBrowser, openMember } from '../support/developers.ts'
import { untilWaiting } from '../support/lock-waits.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let owner: Browser
const members = {} as Record<Role, Browser>
const invitation = randomUUID()
const password = 'correct horse battery'

beforeAll(async () => {
  doors = await openDoors()
  owner = await openBrowser(doors, { tier: 'pro' })
  for (const role of roles) members[role] = await openMember(doors, owner.accountId, role)
  const hash = await hashPassword(password, 'test')
  const invited = {
    accountId: owner.accountId,
    email: 'invited@example.com',
    role: 'owner',
  } as const
  const expiresAt = new Date(Date.now() + 60_000)
  const tokenHash = hashToken(newToken())
  await upsertInvitation(doors.db, {
    id: invitation,
    ...invited,
    invitedBy: owner.developerId,
    tokenHash,
    at: new Date(),
    expiresAt,
  })
  await doors.db.query('update developer set password_hash = $1', [hash])
})
afterAll(() => doors?.close())

test('developers cannot give a key what their role may not do', async () => {
  const { developer } = members
  const keysOf = async () =>
    (await doors.db.query('select id from api_key where account_id = $1', [owner.accountId]))
      .rowCount
  const { html } = await developer.get('/dashboard/keys')
  expect(html).toContain('value="bookings"')
  expect(html).not.toContain('value="keys"')
  const before = await keysOf()
  const form = { name: 'own', mode: 'live', scopes: 'keys' }
  expect((await developer.post('/dashboard/keys', form)).status).toBe(403)
  expect(await keysOf()).toBe(before)
  expect((await developer.post('/dashboard/keys', { ...form, scopes: 'usage' })).status).toBe(200)
  await owner.post('/dashboard/keys', form)
  const { rows } = await doors.db.query(`select id from api_key where scopes = '{keys}'`)
  const roll = await developer.post(`/dashboard/keys/${rows[0].id}/roll`, { overlap_hours: '24' })
  expect([roll.status, await keysOf()]).toEqual([403, 2])
})

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Refusal ? error.data.code : 'fault'),
  )

/** The context of a member's call, as a page makes it. */
const contextOf = ({ developerId, email }: Browser): Context<NetworkServices> =>
  ({
    db: doors.db,
    settings: { publicUrl: doors.url, proMonthlyUsd: 49, sendsMail: true },
    account: { id: owner.accountId, name: 'x', tier: 'pro', mode: 'live' },
    actor: { kind: 'member', id: developerId, name: email },
    scopes,
    door: 'dashboard',
    address: '127.0.0.1',
    from: null,
    requestId: randomUUID(),
    at: new Date(),
  }) as unknown as Context<NetworkServices>

const needs = (operation: Operation, route: string) => ({
  part: operation.part ?? operation.scope,
  what: route.startsWith('GET') ? ('see' as const) : ('change' as const),
})

test.each(roles)(
  'called as %s, exactly the operations of other parts are refused',
  async (role) => {
    const wrong: string[] = []
    for (const { operation, rest } of catalogue) {
      const { part, what } = needs(operation, rest.route)
      if (!part) continue
      // Without input, an operation that the role allows fails later.
      const code = await codeOf(operation.run(contextOf(members[role]), {} as never))
      if ((code === 'role_required') === may(role, what, part)) {
        wrong.push(`${operation.name}: ${code}`)
      }
    }
    expect(wrong).toEqual([])
  },
)

test('whatever needs a key or changes something is about a part of the account', () => {
  const open = ['availability', 'search venues', 'list venues', 'one venue', 'public agents']
  const without = catalogue
    .filter(({ operation, rest }) => !needs(operation, rest.route).part)
    .map(({ operation }) => operation.name)
  expect(without).toEqual([...open, 'feed', 'ping'])
})

describe.each(roles)('as %s', (role) => {
  const actions = Object.keys(auditActions) as AuditAction[]

  test('exactly the changes that the role allows are made and recorded', async () => {
    const wrong: string[] = []
    for (const action of actions) {
      const part = changedPart(action)
      const code = await codeOf(
        transaction(doors.db, async (tx) => {
          await recordAudit(tx, contextOf(members[role]), action, {})
          await tx.query(`select 1 / 0`)
        }),
      )
      const expected = !part || may(role, 'change', part) ? 'fault' : 'role_required'
      if (code !== expected) wrong.push(`${action}: ${code}`)
    }
    expect(wrong).toEqual([])
  })

  test('the account, its members and its invitations are changed by owners only', async () => {
    const { developerId: id, email } = members[role]
    const who = { id, account_id: owner.accountId, session_id: id, email, password }
    const inviting = { ...who, account_name: 'x', is_verified: true }
    const visit = { at: new Date(), address: '127.0.0.1', device: 'Test' }
    const nobody = randomUUID()
    const invitee = { email: `${randomUUID()}@example.com`, role: 'owner' } as const
    const services = contextOf(members[role])
    const acts = [
      changeRole(services, who, { id: nobody, role: 'owner' }, visit),
      removeMember(services, who, nobody, visit),
      revokeInvitation(services, who, nobody, visit),
    ]
    const codes = await Promise.all(acts.map(codeOf))
    const expected = role === 'owner' ? 'page_not_found' : 'role_required'
    expect(codes).toEqual(acts.map(() => expected))
    if (role === 'owner') return
    expect(await codeOf(resendInvitation(services, inviting, invitation, visit))).toBe(
      'role_required',
    )
    const more = { endElsewhere: async () => {} }
    expect(await codeOf(inviteMember(services, inviting, invitee, visit))).toBe('role_required')
    expect(await codeOf(deleteAccount(services, who, { ...visit, ...more }))).toBe('role_required')
  })
})

test('an action that waits is not performed if its role is withdrawn in the meantime', async () => {
  const { db } = doors
  const developer = await openMember(doors, owner.accountId, 'developer')
  const ctx = contextOf(developer)
  const client = await db.connect()
  try {
    await client.query('begin')
    await client.query(`update member set role = 'read-only' where developer_id = $1`, [
      developer.developerId,
    ])
    const acting = codeOf(transaction(db, (tx) => recordAudit(tx, ctx, 'key.created', {})))
    await untilWaiting(db, 1)
    await client.query('commit')
    expect(await acting).toBe('role_required')
  } finally {
    client.release()
  }
})

test('a former operator can no longer act as one', async () => {
  const operator = await openBrowser(doors, { isOperator: true })
  const act = {
    ...byCommand(owner.accountId, new Date()),
    actor: operatorActor(operator.developerId),
  }
  await recordAudit(doors.db, act, 'account.suspended')
  await doors.db.query('update developer set is_operator = false')
  expect(await codeOf(recordAudit(doors.db, act, 'account.resumed'))).toBe('page_not_found')
})

test('no member’s action is recorded as one reserved for operators', async () => {
  const ctx = contextOf(members.owner)
  expect(await codeOf(recordAudit(doors.db, ctx, 'ledger.corrected'))).toBe('fault')
  const { accountId } = owner
  await recordAudit(doors.db, byCommand(accountId, new Date()), 'ledger.corrected')
})
