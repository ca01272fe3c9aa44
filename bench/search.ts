import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { makeKey } from '../test/support/agent.ts'
import { freePort } from '../test/support/free-port.ts'
import type { Service } from './service.ts'

const CALLERS = 20
const SECONDS = 8
const kinds = ['restaurant', 'sushi', 'bar', 'cocktails', 'gym', 'yoga', 'spa', 'massage']

/** Searches for every kind in every area, with key check and quota, beside a Fastify route that does `select 1`. */
export async function benchSearch(service: Service): Promise<void> {
  const { key } = await makeKey(service.db, 'pro')
  const select = await startSelectOne(service.databaseUrl)
  const { rows: areas } = await service.db.query('select name from area order by slug')
  const queries = areas.flatMap(({ name }) => kinds.map((kind) => `${kind} in ${name}`))
  const paths = queries.map((query) => `/api/venues/search?q=${encodeURIComponent(query)}`)
  const headers = { authorization: `Bearer ${key}` }
  const search = () => load(service.url, paths, headers)
  await search()
  const bare = await load(select.url, ['/'], {})
  const searches = await search()
  await select.stop()
  const line = (name: string, { perSecond, p50, p99, failed }: Load) =>
    console.log(
      `${name.padEnd(46)}  ${CALLERS} callers  ${perSecond.toFixed(0)}/s  p50 ${p50} ms  p99 ${p99} ms` +
        (failed > 0 ? `  ${failed} FAILED` : ''),
    )
  line('Fastify route with select 1', bare)
  line('search', searches)
  console.log(
    `  search / select 1: throughput ${(searches.perSecond / bare.perSecond).toFixed(2)} x`,
  )
}

type Load = { perSecond: number; p50: number; p99: number; failed: number }

async function load(url: string, paths: string[], headers: Record<string, string>): Promise<Load> {
  const requests = paths.map((path) => ({ path }))
  const result = await autocannon({
    url,
    connections: CALLERS,
    duration: SECONDS,
    headers,
    requests,
  })
  const { requests: done, latency, non2xx, errors } = result
  return { perSecond: done.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors }
}

async function startSelectOne(databaseUrl: string) {
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./select-one.ts', import.meta.url))],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  await once(child.stdout, 'data')
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
