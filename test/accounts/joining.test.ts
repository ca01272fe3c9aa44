import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinAccount } from '../../src/accounts/operations/join-account.ts'
import { updateVerified } from '../../src/accounts/store/developers.ts'
import { mailsTo, openBrowser, openVisitor, tokenIn } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

/** An account with an invitation to this address. */
async function invited(email: string) {
  const owner = await openBrowser(doors)
  await updateVerified(doors.db, owner.developerId, new Date())
  await owner.post('/dashboard/members/invitations', { email, role: 'developer' })
  return { owner, token: tokenIn((await mailsTo(doors.db, email)).at(-1)) }
}

test('nobody joins a suspended account', async () => {
  const { owner, token } = await invited('late@example.com')
  const account = [owner.accountId]
  await doors.db.query(
    `update account set suspended_at = now(), suspended_reason = 'unpaid' where id = $1`,
    account,
  )
  const join = () =>
    openVisitor(doors.url).post('/join/sign-up', { token, password: 'battery staple' })
  expect((await join()).status).toBe(410)
  await doors.db.query(
    'update account set suspended_at = null, suspended_reason = null where id = $1',
    account,
  )
  expect((await join()).status).toBe(303)
})

test('invented links do not keep others at the same address from joining', async () => {
  const { token } = await invited('neighbour@example.com')
  const join = (given: string) =>
    openVisitor(doors.url).post('/join/sign-up', { token: given, password: 'battery staple' })
  for (let n = 0; n < 25; n += 1) expect((await join('A'.repeat(43))).status).toBe(410)
  expect((await join(token)).status).toBe(303)
})

test('a developer who was deleted while joining is refused', async () => {
  const email = 'gone@example.com'
  const { token } = await invited(email)
  const who = { id: randomUUID(), account_id: randomUUID(), session_id: randomUUID(), email }
  const visit = { address: '127.0.0.1', device: 'Firefox on Linux', at: new Date() }
  const joining = joinAccount({ db: doors.db }, token, who, visit)
  await expect(joining).rejects.toMatchObject({ data: { code: 'link_already_used' } })
})
