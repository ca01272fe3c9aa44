import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { choosePort } from '../../src/local/ports.ts'
import { makeKey } from '../../test/support/agent.ts'
import { startApiProcess } from './api-process.ts'
import { watchSearches } from './at-server.ts'
import { fillWithVenues } from './made-venues.ts'
import { paced } from './paced.ts'
import { searchQueries } from './search-queries.ts'
import { type Service, unlimited } from './service.ts'
import { addTowns } from './towns.ts'

const CALLERS = 20
const DURATION_S = 8
/** Searches per second, low enough that response times include no queueing. */
const PACE_PER_SECOND = 300
/** How many towns the made-up venues are in, and in how many of them to search. */
const TOWNS = 3_000
const SEARCHED_TOWNS = 45
const DEFAULT_VENUES = 1_000_000
/** Longer than the service keeps a page in its cache. */
const CACHE_MS = 61_000
const categories = ['restaurant', 'sushi', 'bar', 'cocktails', 'gym', 'yoga', 'spa', 'massage']

/**
 * Searches with key check and quota, compared with a Fastify route that runs `select 1`, each in
 * its own process: facets and mixed queries, with the demo venues, then with `venues`.
 */
export async function benchSearch(service: Service, venues = DEFAULT_VENUES): Promise<void> {
  const { db, databaseUrl, amount } = service
  const api = await startApiProcess(service, unlimited)
  const { key } = await makeKey(db, 'pro')
  const headers = { authorization: `Bearer ${key}` }
  const { rows: areas } = await db.query('select name from area order by slug')
  const facets = areas.flatMap(({ name }) => categories.map((kind) => `${kind} in ${name}`))
  const seconds = amount(DURATION_S)
  const search = async (queries: readonly string[]) => {
    await load(api.url, pathsOf(queries), headers, seconds)
    const stopWatching = await watchSearches(api.url)
    return {
      ...(await load(api.url, pathsOf(queries), headers, seconds)),
      fastShare: await stopWatching(),
    }
  }
  console.log(
    'the doors run in a separate API process, as in production; each caller starts at a ' +
      'different query',
  )
  const atPace = (name: string, queries: readonly string[]) =>
    reportPaced(name, api.url, pathsOf(queries), headers, seconds)
  const select = await startSelectOne(databaseUrl)
  const bare = await load(select.url, ['/'], {}, seconds)
  report('Fastify route with select 1', bare)
  const [{ count }] = (await db.query('select count(*) from venue')).rows
  report(`search of ${count} venues, kinds in areas`, await search(facets), bare)
  report(`search of ${count} venues, mixed`, await search(searchQueries), bare)
  await atPace(`search of ${count} venues, mixed`, searchQueries)
  if (venues > count) {
    const towns = await addTowns(db, TOWNS)
    const every = Math.floor(towns.length / SEARCHED_TOWNS)
    const searched = towns.filter((_, index) => index % every === 0)
    facets.push(...searched.flatMap((name) => categories.map((kind) => `${kind} in ${name}`)))
    const loading = await fillWithVenues(db, venues)
    // The lexicon learns the towns within a minute.
    await setTimeout(amount(CACHE_MS))
    console.log(`loaded ${venues} venues in ${towns.length} towns in ${loading.toFixed(0)} s`)
    report(`search of ${venues} venues, kinds in areas`, await search(facets), bare)
    report(`search of ${venues} venues, mixed`, await search(searchQueries), bare)
    await atPace(`search of ${venues} venues, kinds in areas`, facets)
    await atPace(`search of ${venues} venues, mixed`, searchQueries)
    await setTimeout(amount(CACHE_MS))
    await reportUncached(api.url, headers)
  }
  await select.stop()
  await api.stop()
}

type Load = Record<'perSecond' | 'p50' | 'p95' | 'p99' | 'failed', number> & { fastShare?: number }

function report(name: string, figures: Load, bare?: Load): void {
  const { perSecond, p50, p95, p99, failed, fastShare } = figures
  const ratio = bare ? `  ${(perSecond / bare.perSecond).toFixed(2)} x select 1` : ''
  const server = fastShare === undefined ? '' : atServer(fastShare)
  const failures = failed > 0 ? `  ${failed} FAILED` : ''
  console.log(
    `${name.padEnd(46)}  ${CALLERS} callers  ${perSecond.toFixed(0)}/s  p50 ${p50} ms  ` +
      `p95 ${p95} ms  p99 ${p99} ms${ratio}${server}${failures}`,
  )
}

const atServer = (fastShare: number) =>
  `  at the server ${(fastShare * 100).toFixed(1)} % within 15 ms`

/** Runs every query once, by one caller, with an empty cache. */
async function reportUncached(url: string, headers: Record<string, string>): Promise<void> {
  const times: { query: string; ms: number }[] = []
  for (const query of searchQueries) {
    const startedAt = performance.now()
    const answer = await fetch(`${url}/api/venues/search?q=${encodeURIComponent(query)}`, {
      headers,
    })
    await answer.text()
    times.push({ query, ms: performance.now() - startedAt })
  }
  times.sort((one, other) => one.ms - other.ms)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.ms.toFixed(1)
  const [slowest] = times.slice(-1)
  console.log(
    `  each of ${times.length} once, nothing cached: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ` +
      `slowest ${slowest?.ms.toFixed(1)} ms ("${slowest?.query}")`,
  )
}

const pathsOf = (queries: readonly string[]) =>
  queries.map((query) => `/api/venues/search?q=${encodeURIComponent(query)}`)

async function reportPaced(
  name: string,
  url: string,
  paths: string[],
  headers: Record<string, string>,
  seconds: number,
) {
  const search = async (n: number) => {
    const answer = await fetch(`${url}${paths[n % paths.length]}`, { headers })
    await answer.arrayBuffer()
  }
  const pace = { callers: CALLERS, perSecond: PACE_PER_SECOND, seconds }
  await paced(pace, search)
  const stopWatching = await watchSearches(url)
  const times = await paced(pace, search)
  const fastShare = await stopWatching()
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]?.toFixed(1)
  console.log(
    `${name.padEnd(46)}  ${CALLERS} callers  at ${PACE_PER_SECOND}/s  p50 ${at(0.5)} ms  p95 ` +
      `${at(0.95)} ms  p99 ${at(0.99)} ms${atServer(fastShare)}`,
  )
}

async function load(
  url: string,
  paths: string[],
  headers: Record<string, string>,
  seconds: number,
): Promise<Load> {
  const requests = paths.map((path) => ({ method: 'GET' as const, path, headers }))
  let callers = 0
  const result = await autocannon({
    url,
    connections: CALLERS,
    duration: seconds,
    headers,
    requests,
    setupClient: (client) => client.setRequests(rotated(requests, callers++ / CALLERS)),
  })
  const { requests: done, latency, non2xx, errors } = result
  // autocannon has no p95; p97.5 is the nearest above.
  const { p50, p97_5: p95, p99 } = latency
  return { perSecond: done.average, p50, p95, p99, failed: non2xx + errors }
}

/** The list rotated by `share`, so that callers do not send the same query in step. */
function rotated<T>(list: readonly T[], share: number): T[] {
  const first = Math.floor(list.length * share)
  return [...list.slice(first), ...list.slice(0, first)]
}

async function startSelectOne(databaseUrl: string) {
  const port = await choosePort()
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
