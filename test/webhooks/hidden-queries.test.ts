import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../src/base/scopes.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { disableFailedEndpoint, warnOwner } from '../../src/webhooks/store/endpoint-health.ts'
import {
  addKey,
  bearer,
  type Doors,
  type Holder,
  jsonOf,
  openDoors,
} from '../support/open-doors.ts'

let doors: Doors
let holder: Holder
beforeAll(async () => {
  doors = await openDoors()
  holder = await doors.openAccount('pro')
})
afterAll(() => doors?.close())

const url = 'https://hooks.example/in?token=hunter2hunter2'

const read = async (path: string, scopes: readonly Scope[]) => {
  const { key, keyId } = await addKey(doors.db, holder.accountId)
  await doors.db.query('update api_key set scopes = $2 where id = $1', [keyId, scopes])
  return JSON.stringify(await jsonOf(await fetch(doors.url + path, { headers: bearer(key) })))
}

test('neither events nor the audit log contain the query of an endpoint’s URL', async () => {
  const send = (method: string, path: string, body: object) =>
    fetch(doors.url + path, {
      method,
      headers: { ...bearer(holder.key), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(jsonOf)
  const { endpoint } = await send('POST', '/api/webhooks', { url, event_types: ['*'] })
  await send('PATCH', `/api/webhooks/${endpoint.id}`, { url: `${url}3` })
  const at = new Date()
  await doors.db.query(
    `update endpoint set status = 'active', proved_at = $2, verified_at = $2 where id = $1`,
    [endpoint.id, at],
  )
  const start = { endpointId: endpoint.id as string, accountId: holder.accountId }
  const warning = { failingSince: at, disabledAt: at, at }
  await transaction(doors.db, (tx) => warnOwner(tx, start, warning))
  const which = { ...start, provedAt: at }
  await transaction(doors.db, (tx) => disableFailedEndpoint(tx, which, 'failing', at))
  const events = await read('/api/events', [])
  expect(events).toContain('endpoint.failing')
  expect(events).toContain('endpoint.disabled')
  expect(events).toContain('https://hooks.example/in?…')
  const audit = await read('/api/audit', ['keys'])
  expect(audit).toContain('endpoint.updated')
  expect(audit).toContain('https://hooks.example/in?…')
  expect(events + audit).not.toContain('hunter2')
})
