import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import { openEngine } from '../../src/platform/temporal/connect.ts'
import { eventually } from '../support/programs.ts'

test('a call that awaits its next attempt ends when its connection is closed', async () => {
  let hangUps = 0
  const server = createServer((socket) => {
    socket.destroy()
    hangUps += 1
  })
  const port = await choosePort()
  server.listen(port, '127.0.0.1')
  const { connection } = openEngine({ address: `127.0.0.1:${port}`, namespace: 'default' })
  const calls = Array.from({ length: 20 }, () =>
    connection.workflowService.getSystemInfo({}).catch(({ details }) => details),
  )
  // After the server hangs up, each call waits at least 100 ms before its next attempt.
  await eventually('the server to hang up', async () => hangUps > 0)
  await connection.close()
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['connection closed']))
  server.close()
})
