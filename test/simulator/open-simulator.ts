import type { AddressInfo } from 'node:net'
import { buildSimulator } from '../../packages/simulator/app.ts'
import { logText } from '../../packages/simulator/log.ts'
import { type Ask, askAt, control, token } from './ask.ts'
import { type FakeNetwork, openFakeNetwork, secret } from './fake-network.ts'

export type OpenSimulator = {
  base: string
  ask: Ask
  network: FakeNetwork
  log: string[]
  control(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }>
  close(): Promise<void>
}

/** A simulator without a folder, over real HTTP, with a network that receives its posts. */
export async function openSimulator(): Promise<OpenSimulator> {
  const network = await openFakeNetwork()
  const log: string[] = []
  const app = await buildSimulator({
    secret,
    token,
    log: (line) => log.push(logText(line)),
    exit: (code) => log.push(`exit ${code}`),
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    base,
    ask: askAt(base),
    network,
    log,
    control: (method, path, body) => control(base, method, path, body),
    async close() {
      await app.close()
      await network.close()
    },
  }
}
