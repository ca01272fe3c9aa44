import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

test('a caller that leaves within its request is no fault of ours in the log', async () => {
  const { hostname, port } = new URL(doors.url)
  const socket = connect(Number(port), hostname)
  const received = once(doors.app.server, 'request')
  socket.write(
    'POST /api/bookings HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n' +
      'content-length: 100\r\n\r\n{',
  )
  const [request] = await received
  const closed = once(request, 'close').catch(() => {})
  socket.destroy()
  await closed
  await fetch(`${doors.url}/api/ping`)
  expect(doors.logged()).not.toContain('request failed')
})
