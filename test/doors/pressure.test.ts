import { expect, test } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { everyDoor } from '../support/every-door.ts'
import { openStream } from '../support/mcp-stream.ts'
import { openNetwork } from '../support/network.ts'
import { bearer, jsonOf, openDoors, postEnvelope } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

const input = { venue_id: '0197a1f0-0000-7000-8000-000000000000', slot_time: 'x', party_size: 2 }

test('an overloaded process says so at every door but answers health and metrics', async () => {
  const enough = Math.ceil(process.memoryUsage.rss() / 2 ** 20) + 400
  const doors = await openDoors({ MAX_RSS_MB: String(enough) })
  const { key, accountId } = await doors.openAccount('pro')
  const stream = await openStream(doors.url, key)
  const ballast: Buffer[] = []
  // Allocating memory makes the process release other memory.
  while (process.memoryUsage.rss() / 2 ** 20 < enough + 200) {
    ballast.push(Buffer.alloc(100 * 2 ** 20, 1))
  }
  await eventually('pressure', async () => {
    const { status } = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
    return status === 503
  })
  const { rows } = await doors.db.query('select used from quota_day where account_id = $1', [
    accountId,
  ])

  const rest = await fetch(`${doors.url}/api/ping`, { headers: bearer(key) })
  expect(rest.headers.get('retry-after')).toBe('2')
  expect(await jsonOf(rest)).toMatchObject({ status: 503, code: 'overloaded', retryable: true })

  const a2a = await postEnvelope(doors.url, key, { intent: 'network.ping' })
  expect(a2a).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
  expect(a2a.headers.get('retry-after')).toBe('2')

  await fetch(stream.address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearer(key) },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'confirm_booking', arguments: input },
    }),
  })
  const { id, result } = JSON.parse(await stream.nextData())
  expect(id).toBe(7)
  expect(result.isError).toBe(true)
  expect(JSON.parse(result.content.at(-1).text).error).toMatchObject({
    code: 'overloaded',
    retryable: true,
    retry_after: 2,
  })
  const opening = await fetch(`${doors.url}/mcp/sse`, { headers: bearer(key) })
  expect(opening.status).toBe(503)

  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(doors.url + path)).status).toBe(200)
  }
  const metrics = await (await fetch(`${doors.url}/metrics`)).text()
  expect(metrics).toMatch(/overload_refusals_total\{reason="rss"\} [1-9]/)
  expect(doors.logged()).toContain('"code":"overloaded"')
  const after = await doors.db.query('select used from quota_day where account_id = $1', [
    accountId,
  ])
  expect(after.rows).toEqual(rows)
  expect(ballast.at(-1)?.at(-1)).toBe(1)
  stream.close()
  await doors.close()
})

test('excess requests are told when to retry, and none fails otherwise', async () => {
  const network = await openNetwork({ DATABASE_POOL: '1', DATABASE_WAITERS: '1' })
  const api = await startApi(network.config, createLog('silent'))
  const list = async () => {
    const response = await fetch(`${api.url}/api/agents/public?limit=1`)
    return { status: response.status, retryAfter: response.headers.get('retry-after') }
  }
  const busy = await network.db.connect()
  await busy.query('begin; lock table agent in access exclusive mode')
  const answers: Awaited<ReturnType<typeof list>>[] = []
  const calls = Array.from({ length: 60 }, async () => void answers.push(await list()))
  await eventually('a refusal', async () => answers.length > 0)
  await busy.query('rollback')
  await Promise.all(calls)
  expect(answers).toContainEqual({ status: 200, retryAfter: null })
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) expect(answer).toEqual({ status: 503, retryAfter: '2' })
  expect((await list()).status).toBe(200)

  await busy.query('begin; lock table api_key in access exclusive mode')
  const key = `service_live_${'x'.repeat(43)}`
  const held = fetch(`${api.url}/api/ping`, { headers: bearer(key) })
  await eventually('the one connection to wait', async () => {
    const { rows } = await network.db.query(
      `select 1 from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows.length > 0
  })
  const waiting = fetch(`${api.url}/api/venues?limit=1`)
  await eventually('the doors to refuse', async () => {
    for (const [, confirm] of everyDoor.slice(0, 2)) {
      if ((await confirm(api, key, input)).code !== 'overloaded') return false
    }
    return true
  })
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
  await busy.query('rollback')
  busy.release()
  expect((await held).status).toBe(401)
  expect((await waiting).status).toBe(200)
  await api.stop()
  await network.close()
})

test('a status page that has to wait neither delays readiness nor waits for long', async () => {
  const network = await openNetwork()
  const api = await startApi(network.config, createLog('silent'))
  const waiting = async () => {
    const { rows } = await network.db.query(
      `select 1 from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return rows.length
  }
  const busy = await network.db.connect()
  await busy.query('begin; lock table endpoint in access exclusive mode')
  const headers = { accept: 'application/json' }
  const page = fetch(`${api.url}/status`, { headers })
  await eventually('the page to wait', async () => (await waiting()) > 0)
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200)
  const { parts } = await jsonOf(await page)
  expect(parts).toContainEqual(expect.objectContaining({ name: 'Webhooks', state: 'unknown' }))
  await eventually('its statement to end', async () => (await waiting()) === 0)
  await busy.query('rollback')
  busy.release()
  await api.stop()
  await network.close()
})
