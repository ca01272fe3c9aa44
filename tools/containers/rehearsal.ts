import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { runTool } from '../../src/local/programs.ts'
import { eventually } from '../../test/support/programs.ts'
import { type Callers, type Load, openCallers, type Venue } from './callers.ts'
import { type Compose, openCompose } from './compose.ts'
import { checkDoors } from './doors.ts'
import { requireEngine, startStandIns } from './engine.ts'
import { killEach } from './kills.ts'
import { overTls } from './managed.ts'
import { upgrade } from './upgrade.ts'

const importGuide = resolve(import.meta.dirname, '../../docs/operate/importing-venues.md')
const MAX_IMAGE_MB = 420
const MAX_PACKED_MB = 150
const MAX_OUTAGE_MS = 15_000
const OVER_TLS = 10
const venues = 'src/commands/venues.ts'
const psql = ['exec', '-T', 'postgres', 'psql', '--username', 'postgres', 'venue_network']
const WARUNG = 'warung-bambu-ubud'
const hours = [11, 12, 13, 14, 15, 16, 17, 18, 19]

type Rehearsal = { compose: Compose; folder: string; say(line: string): void; faults: string[] }

/**
 * Builds the image and brings up docker-compose.yml as the guide says, books at each door, kills
 * each container, upgrades, and takes everything down. Returns whether nothing failed.
 */
export async function rehearseContainers(
  folder: string,
  parts: AsyncDisposableStack,
  isStandIn: boolean,
): Promise<boolean> {
  const began = performance.now()
  const say = (line: string) =>
    console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  if (isStandIn) await startStandIns(parts)
  say(`${await requireEngine()}${isStandIn ? ', stand-in images' : ''}`)
  const compose = await openCompose(folder, parts, isStandIn)
  const rehearsal: Rehearsal = { compose, folder, say, faults: [] }
  try {
    await bringUp(rehearsal)
    const { agent, gym } = await openVenues(rehearsal)
    await overTls(compose, folder, async (url) => {
      const { book } = openCallers({ ...agent, url }, [gym])
      for (let n = 0; n < OVER_TLS; n += 1) await book()
    })
    say(`${OVER_TLS} bookings confirmed by an API and a worker that reach Temporal over TLS`)
    const callers = openCallers(agent, [gym, await connectSimulator(rehearsal)])
    note(rehearsal, 'each container was killed once', await killEach(compose, callers))
    await rehearseUpgrade(rehearsal, callers)
    await changePassword(rehearsal, callers)
    await requireSettled(rehearsal)
  } catch (error) {
    rehearsal.faults.push((error as Error).message)
    console.log(
      await compose.run('Reading logs', 'logs', '--tail', '20', 'api', 'worker').catch(() => ''),
    )
  }
  for (const fault of rehearsal.faults.slice(0, 20)) console.log(`        ${fault}`)
  const isGood = rehearsal.faults.length === 0
  say(isGood ? 'PASSED: every booking was confirmed' : `FAILED: ${rehearsal.faults.length} faults`)
  return isGood
}

async function bringUp({ compose, say, faults }: Rehearsal): Promise<void> {
  await compose.run('Building the image', 'build')
  const size = await runTool('docker', ['image', 'inspect', '--format', '{{.Size}}', compose.image])
  const image = Number(size) / 1e6
  const packed = (await packedBytes(compose.image)) / 1e6
  say(`the image has ${image.toFixed(0)} MB, ${packed.toFixed(0)} MB packed`)
  if (image > MAX_IMAGE_MB) faults.push(`the image has over ${MAX_IMAGE_MB} MB`)
  if (packed > MAX_PACKED_MB) faults.push(`the packed image has over ${MAX_PACKED_MB} MB`)
  await compose.run('Starting', 'up', '--build', '--detach', '--wait', '--wait-timeout', '300')
  say(`${(await compose.containers()).length} containers are up`)
  await requireStill(compose, faults)
  const began = performance.now()
  await compose.run('Migrating again', 'run', '--rm', '--no-deps', '-T', 'migrate')
  say(`a command takes ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

async function packedBytes(image: string): Promise<number> {
  const packing = spawn('sh', ['-c', `docker save ${image} | gzip -1 | wc -c`])
  return Number(await text(packing.stdout))
}

/** `up` with unchanged files must replace nothing. */
async function requireStill(compose: Compose, faults: string[]): Promise<void> {
  const idsOf = async () => (await compose.containers()).map(({ id }) => id).sort()
  const before = await idsOf()
  await compose.run('Starting again', 'up', '--detach', '--wait')
  if (String(before) !== String(await idsOf())) faults.push('a second `up` replaced containers')
}

/** Imports the guide's venues, and books one at each door. */
async function openVenues({ compose, folder, say }: Rehearsal) {
  const [, csv = ''] = /```csv\n(.*?)```/s.exec(readFileSync(importGuide, 'utf8')) ?? []
  const file = join(folder, 'venues.csv')
  writeFileSync(file, csv)
  const mount = ['--volume', `${file}:/import/venues.csv:ro`]
  await compose.command(mount, venues, 'import', '/import/venues.csv')
  const account = ['create', '--tier', 'pro', '--name', 'first']
  const created = await compose.command([], 'src/commands/keys.ts', ...account)
  const key = /service_[\w-]+/.exec(created)?.[0] ?? ''
  const headers = { authorization: `Bearer ${key}` }
  const slug = await eventually('searches show the venues', async () => {
    const response = await fetch(`${compose.url}/api/venues/search?q=gym`, { headers })
    const { venues = [] } = (await response.json()) as { venues?: { slug: string }[] }
    return venues[0]?.slug
  })
  await checkDoors(compose.url, key)
  say('searched, read, held, confirmed and cancelled through REST, MCP and A2A')
  return { agent: { url: compose.url, key }, gym: { slug, hours } }
}

/** As the guide says; returns the venue that the simulator plays. */
async function connectSimulator({ compose }: Rehearsal): Promise<Venue> {
  compose.set({ OUTBOUND_ALLOW: 'simulator:4000' })
  await compose.run('Applying OUTBOUND_ALLOW', 'up', '--detach', '--wait')
  const address = ['--url', `http://simulator:4000/venues/${WARUNG}`]
  const secret = ['--secret', compose.read('SIMULATOR_SECRET')]
  await compose.command([], venues, 'connect', WARUNG, ...address, ...secret)
  return { slug: WARUNG, hours }
}

async function rehearseUpgrade(rehearsal: Rehearsal, callers: Callers): Promise<void> {
  const { compose, faults, say } = rehearsal
  const result = await upgrade(compose, callers)
  note(rehearsal, 'the network was upgraded', result)
  say(`the API was away for ${(result.outageMs / 1000).toFixed(1)} s`)
  if (result.outageMs > MAX_OUTAGE_MS) faults.push(`the API was away for ${result.outageMs} ms`)
  await requireStill(compose, faults)
}

/** As the guide says, but without its prompt. */
async function changePassword({ compose, say }: Rehearsal, callers: Callers): Promise<void> {
  const password = randomBytes(24).toString('hex')
  const sql = `alter role venue_network password '${password}'`
  await compose.run('Changing a password', ...psql, '--command', sql)
  compose.set({ NETWORK_DATABASE_PASSWORD: password })
  await compose.run('Starting with it', 'up', '--detach', '--wait')
  await callers.book()
  say('a booking is confirmed after a change of password')
}

function note({ say, faults }: Rehearsal, what: string, load: Load): void {
  const slowest = (load.slowestMs / 1000).toFixed(1)
  say(
    `${what}; ${load.bookings} bookings confirmed, ${load.repeated} of them after a repetition, ` +
      `the slowest in ${slowest} s`,
  )
  faults.push(...load.faults)
  if (load.bookings === 0) faults.push(`${what}, and nothing was booked`)
}

/** No booking may wait for a decision once everything is up again. */
async function requireSettled({ compose, say }: Rehearsal): Promise<void> {
  const sql = "select count(*) from booking where status not in ('confirmed', 'cancelled')"
  await eventually('every booking is decided', async () => {
    const answer = await compose.run('Counting', ...psql, '--tuples-only', '--command', sql)
    return answer.trim() === '0'
  })
  say('no booking is left undecided')
}
