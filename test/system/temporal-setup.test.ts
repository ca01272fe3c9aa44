import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { choosePort } from '../../src/local/ports.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { requireNamespace, setUpNamespace } from '../../src/platform/temporal/namespace.ts'
import { agentWith, findSlot, makeKey } from '../support/agent.ts'
import { type Network, openNetwork } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually, startProgram } from '../support/programs.ts'
import { openTcpProxy } from '../support/tcp-proxy.ts'

let network: Network

beforeAll(async () => {
  network = await openNetwork()
})
afterAll(() => network?.close())

/** What a program prints when it ends, without any stack trace. */
async function endingOf(file: string, env: Record<string, string>) {
  const program = startProgram(file, { ...network.env, ...env })
  await once(program.process, 'close')
  expect(program.output()).not.toMatch(/^\s+at /m)
  return { code: program.process.exitCode, said: program.output().trim() }
}

nightly('a worker without a namespace names the command that sets it up, which works', async () => {
  const TEMPORAL_NAMESPACE = `test-${randomUUID()}`
  const before = await endingOf('src/worker.ts', { TEMPORAL_NAMESPACE })
  expect(before.code).toBe(1)
  expect(before.said).toContain(
    `Namespace ${TEMPORAL_NAMESPACE} does not exist. Run \`npm run migrate\``,
  )

  const migrated = await endingOf('src/commands/migrate.ts', { TEMPORAL_NAMESPACE })
  expect(migrated).toMatchObject({ code: 0 })
  expect(migrated.said).toContain(`The namespace ${TEMPORAL_NAMESPACE} is up to date.`)
  const again = await endingOf('src/commands/migrate.ts', { TEMPORAL_NAMESPACE })
  expect(again).toMatchObject({ code: 0 })

  const worker = startProgram('src/worker.ts', { ...network.env, TEMPORAL_NAMESPACE })
  await worker.prints('the worker takes bookings')
  await worker.end('SIGTERM')
  await network.client.connection.operatorService.deleteNamespace({ namespace: TEMPORAL_NAMESPACE })
})

nightly('a missing search attribute stops a worker before it takes anything', async () => {
  const { client } = network
  const { namespace } = client.options
  const searchAttributes = ['BookingStatus']
  await client.connection.operatorService.removeSearchAttributes({ namespace, searchAttributes })
  await expect(
    eventually('the removal', () => requireNamespace(client).then(() => undefined)),
  ).rejects.toThrow(`Namespace ${namespace} lacks search attributes: BookingStatus (KEYWORD). Run`)
  await setUpNamespace(client)
  await eventually('the attribute', () =>
    requireNamespace(client).then(
      () => true,
      () => undefined,
    ),
  )
})

test('without Temporal the API starts and answers reads, and books once it is there', async () => {
  const [host = '', port] = network.config.TEMPORAL_ADDRESS.split(':')
  const temporalPort = await choosePort()
  const config = {
    ...network.config,
    PORT: await choosePort(),
    TEMPORAL_ADDRESS: `127.0.0.1:${temporalPort}`,
  }
  const log = createLog('silent')
  const api = await startApi(config, log)
  const { accountId, key } = await makeKey(network.db, 'pro')
  const agent = agentWith(api.url, accountId, key)
  const slot = await findSlot(agent, 'bar')
  expect((await agent.get('/api/bookings')).status).toBe(200)
  const ready = await fetch(`${api.url}/readyz`)
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 200,
    body: { status: 'degraded', cause: expect.stringContaining('Temporal does not answer') },
  })
  const begun = performance.now()
  const refused = await agent.post('/api/bookings', { ...slot, wait: 30 })
  expect(refused).toMatchObject({ status: 503, body: { code: 'booking_engine_unavailable' } })
  expect(performance.now() - begun).toBeLessThan(12_000)

  const proxy = await openTcpProxy(host, Number(port), temporalPort)
  const worker = await startWorker(network.config, log)
  await eventually('the booking', async () => {
    const { body } = await agent.post('/api/bookings', slot)
    return body.status === 'confirmed'
  })
  await worker.stop()
  await api.stop()
  await proxy.close()
})
