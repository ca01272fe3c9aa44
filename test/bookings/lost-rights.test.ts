import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { movePlan } from '../../src/accounts/store/plans.ts'
import { scopes } from '../../src/base/scopes.ts'
import { agentWith, inThreeDays, makeKey } from '../support/agent.ts'
import { everyDoor } from '../support/every-door.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { addVenue } from '../support/test-venues.ts'
import { traces } from '../support/traces.ts'
import { openWallet, posting } from '../x402/pay.ts'

// Between a hold and its confirmation, the key can be revoked or the plan downgraded.

describe.each([
  ['are not taken', 'none'],
  ['are taken', 'local'],
])('where payments by x402 %s', (_, facilitator) => {
  let service: Service
  beforeAll(async () => {
    service = await openService({ X402_FACILITATOR: facilitator })
  })
  afterAll(() => service?.close())

  const once = () => ({ 'idempotency-key': randomUUID() })

  /** A new pro account that holds all places in a slot. */
  async function openHold() {
    const { accountId, key } = await makeKey(service.db, 'pro', scopes)
    const agent = agentWith(service.url, accountId, key)
    const { id: venue_id } = await addVenue(service.db, [
      { strategy: 'pooled', rules: { places: 2 } },
    ])
    const slot = { venue_id, slot_time: `${inThreeDays()}T19:00:00`, party_size: 2 }
    const { status, body } = await agent.post('/api/holds', slot, once())
    expect([status, body.status]).toEqual([201, 'held'])
    return { agent, slot, id: body.booking.id as string }
  }
  type Hold = Awaited<ReturnType<typeof openHold>>

  const moveToFree = async ({ agent }: Hold) =>
    expect((await agent.post('/api/plan', { tier: 'free' })).body.changed).toBe(true)

  /** Expects the hold to expire without a fee, and another account to book its slot. */
  async function expectExpired({ id, slot }: Hold) {
    expect(await traces(service.db, id)).toMatchObject({ fees: [], events: ['booking.held'] })
    await service.db.query(
      `update booking set hold_until = now() - interval '1 second',
         next_action_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    const booked = await eventually('the slot to be free', async () => {
      const answer = await service.agent.post('/api/bookings', slot, once())
      if (answer.status !== 201) expect(answer.body.code).toBe('slot_held')
      return answer.status === 201 && answer
    })
    expect(booked.body.status).toBe('confirmed')
    expect(await traces(service.db, id)).toMatchObject({
      booking: [{ status: 'expired', fee_status: 'none', live: false }],
      fees: [],
      events: ['booking.held', 'booking.expired'],
      places: [{ active: false }],
    })
  }

  test('a hold whose key is revoked cannot be confirmed with it, and ends by itself', async () => {
    const held = await openHold()
    const { agent, id } = held
    const [own] = (await agent.get('/api/keys')).body.keys
    expect((await agent.post(`/api/keys/${own.id}/revoke`, {})).status).toBe(200)
    for (const [door, send] of everyDoor) {
      if (door === 'MCP') await expect(openMcpClient(service.url, agent.key)).rejects.toThrow('401')
      else {
        const said = await send(service, agent.key, { hold_id: id })
        expect([door, said.status, said.code]).toEqual([door, 401, 'unauthenticated'])
      }
    }
    for (const change of ['extend', 'release']) {
      expect((await agent.post(`/api/holds/${id}/${change}`, {})).status).toBe(401)
    }
    await expectExpired(held)
  })

  test('a hold of an account that leaves pro cannot be confirmed, and ends by itself', async () => {
    const held = await openHold()
    await moveToFree(held)
    const { agent, id } = held
    for (const [door, send] of everyDoor) {
      const said = await send(service, agent.key, { hold_id: id })
      expect([door, said.code]).toEqual([door, 'plan_required'])
    }
    const wallet = await openWallet(service.db)
    const before = await wallet.balance()
    const request = posting({ hold_id: id }, { authorization: `Bearer ${agent.key}` })
    const { status } = await wallet.fetch(`${service.url}/api/bookings`, request)
    expect([status, await wallet.balance()]).toEqual([403, before])
    const extended = await agent.post(`/api/holds/${id}/extend`, {})
    expect(extended).toMatchObject({ status: 403, body: { code: 'plan_required' } })
    await expectExpired(held)
  })

  test('an account that leaves pro can give its hold back, free of charge', async () => {
    const held = await openHold()
    await moveToFree(held)
    const { agent, id } = held
    const released = await agent.post(`/api/holds/${id}/release`, {})
    expect(released).toMatchObject({ status: 200, body: { booking: { status: 'released' } } })
    expect(await traces(service.db, id)).toMatchObject({
      booking: [{ status: 'released', fee_status: 'none' }],
      fees: [],
      places: [{ active: false }],
    })
  })

  test('a hold is confirmed, for one fee, once its account is on pro again', async () => {
    const held = await openHold()
    await moveToFree(held)
    const { agent, id } = held
    const key = once()
    const confirm = () => agent.post('/api/bookings', { hold_id: id }, key)
    expect((await confirm()).body.code).toBe('plan_required')
    const { accountId } = agent
    const move = { accountId, to: 'pro', by: 'operator', proMonthlyMinor: 4900 } as const
    await movePlan(service.db, { ...move, at: new Date() })
    expect(await confirm()).toMatchObject({ status: 201, body: { booking: { id } } })
    expect((await confirm()).body).toMatchObject({ booking: { id }, replayed: true })
    expect((await traces(service.db, id)).fees).toMatchObject([{ kind: 'accrual' }])
  })
})
