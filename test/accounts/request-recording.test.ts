import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentWith, findSlot } from '../support/agent.ts'
import { dumpRows } from '../support/dump-rows.ts'
import {
  addKey,
  bearer,
  type Doors,
  jsonOf,
  openDoors,
  postEnvelope,
} from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'
import { loggedRequest, openDeveloper, readRequest, requestIdOf } from '../support/request-log.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const pingWith = async (key: string) =>
  requestIdOf(await fetch(`${doors.url}/api/ping`, { headers: bearer(key) }))

describe('the switch', () => {
  test('stops the recording of bodies, erases them, and starts it again', async () => {
    const { developer, key } = await openDeveloper(doors)
    const headers = bearer(key)
    const before = await pingWith(key)
    expect((await loggedRequest(doors, key, before)).answer).not.toBeNull()
    const setting = `${doors.url}/api/requests/recording`
    const change = (bodies: boolean) =>
      fetch(setting, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ bodies }),
      })
    expect(await jsonOf(await change(false))).toMatchObject({ bodies: false })
    expect(await jsonOf(await fetch(setting, { headers }))).toMatchObject({ bodies: false })
    const off = await loggedRequest(doors, key, await pingWith(key))
    expect(off).toMatchObject({ sent: null, answer: null, request: { status: 200 } })
    expect((await readRequest(doors, key, before)).answer).toBeNull()
    const bodies = 'select from request_body where account_id = $1'
    expect((await doors.db.query(bodies, [developer.accountId])).rows).toEqual([])

    const page = await developer.get('/dashboard/requests')
    expect(page.html).toContain('Bodies are not recorded')
    await developer.post('/dashboard/requests/recording', { bodies: 'on' })
    expect((await loggedRequest(doors, key, await pingWith(key))).answer).not.toBeNull()
  })

  test('needs the scope `keys` with a key', async () => {
    const { developer } = await openDeveloper(doors)
    const reading = await addKey(doors.db, developer.accountId)
    const { body } = await postEnvelope(doors.url, reading.key, {
      ...{ intent: 'request.record', payload: { bodies: false } },
    })
    expect(body.error).toMatchObject({ code: 'scope_required', required_scope: 'keys' })
  })
})

test('bodies are erased with their request after a week', async () => {
  const { developer, key } = await openDeveloper(doors)
  await loggedRequest(
    doors,
    key,
    requestIdOf(await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })),
  )
  const { accountId } = developer
  await doors.db.query('delete from request_log where account_id = $1', [accountId])
  expect(await dumpRows(doors.db)).not.toMatch(new RegExp(`request_body: .*${accountId}`))
})

test('a list is filtered by class of status and by booking', async () => {
  const { developer, key } = await openDeveloper(doors)
  const list = async (query: string) => {
    const path = `${doors.url}/api/requests?${query}`
    const { requests } = await jsonOf(await fetch(path, { headers: bearer(key) }))
    return requests.map(({ target, code }: any) => `${target} ${code}`)
  }
  const other = agentWith(doors.url, developer.accountId, key)
  const slot = await findSlot(other, 'gym')
  const { body } = await other.post('/api/holds', slot)
  await other.get(`/api/bookings/${body.booking.id}`)
  await other.get(`/api/bookings/${randomUUID()}`)
  await eventually('the requests', async () => (await list('code=refused')).length > 0)
  expect(await list('status=4xx')).toEqual(['/api/bookings/{id} booking_not_found'])
  expect(await list(`booking=${body.booking.id}`)).toEqual([
    '/api/bookings/{id} ok',
    '/api/holds ok',
  ])
  expect(await list('status=5xx')).toEqual([])
})
