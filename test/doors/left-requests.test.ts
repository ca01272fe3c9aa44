import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

let doors: Doors

beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

test('a caller that leaves during its request is not logged as our fault', async () => {
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

test.each([1, 3])(
  'a caller that resets its connection after %i requests is not our fault',
  async (requests) => {
    const { hostname, port } = new URL(doors.url)
    const request = 'GET /api/venues?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n'
    for (let n = 0; n < 20; n += 1) {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(request.repeat(requests), resolve))
      socket.resetAndDestroy()
    }
    await fetch(`${doors.url}/api/ping`)
    await eventually('open connections to end', async () => {
      const counted = promisify(doors.app.server.getConnections.bind(doors.app.server))
      return (await counted()) <= 1
    })
    expect(doors.logged()).not.toContain('internal_error')
    expect(doors.logged()).not.toContain('"level":50')
  },
)
