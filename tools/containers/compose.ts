import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import { choosePort } from '../../src/local/ports.ts'
import { runTool } from '../../src/local/programs.ts'
import { withProgress } from '../../src/local/progress.ts'
import { eventually } from '../../test/support/programs.ts'
import { fillIn, valueIn } from './env-file.ts'

const root = resolve(import.meta.dirname, '../..')
const project = 'venue-network-rehearsal'
const IMAGE = 'venue-network:rehearsal'
/** One account books more than a new one may. */
export const manyBookings = { LIVE_BOOKINGS: '100000', LIVE_BOOKINGS_PER_VENUE_DAY: '100000' }
const HEALTHY_WITHIN_MS = 120_000

export type Container = {
  id: string
  service: string
  /** of its first process, on the machine of the engine */
  pid: number
  image: string
  startedAt: string
  isReady: boolean
}

export type Compose = {
  /** URL of the API */
  url: string
  image: string
  network(name: string): string
  /** Replaces values in .env. */
  set(settings: Record<string, string>): void
  read(name: string): string
  /** Runs `docker compose` on the project's file, and returns what it prints. */
  run(label: string, ...args: string[]): Promise<string>
  /** Runs a program of the image in the service `commands`, as the guides say. */
  command(options: string[], ...program: string[]): Promise<string>
  /** The running containers of the services. */
  containers(): Promise<Container[]>
  /** Waits until `count` containers of the service are ready, without this start of one. */
  becomesReady(service: string, count: number, without?: Container): Promise<void>
}

/**
 * The project's compose file with a .env made as the guide says, under another project name and
 * image, so that a deployment on this machine is left alone. `parts` takes it down, with volumes.
 */
export async function openCompose(
  folder: string,
  parts: AsyncDisposableStack,
  isStandIn: boolean,
): Promise<Compose> {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const settings: Record<string, string> = {
    API_PORT: String(port),
    UI_PORT: String(await choosePort()),
    PUBLIC_URL: url,
    // Not in .env.example, which .env may exceed.
    ...manyBookings,
  }
  const envFile = join(folder, '.env')
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  writeFileSync(envFile, fillIn(example, settings))
  const overrideFile = join(folder, 'override.json')
  writeFileSync(overrideFile, JSON.stringify(overrideOf(isStandIn)))
  const files = ['-f', join(root, 'docker-compose.yml'), '-f', overrideFile]
  const base = ['compose', '--project-name', project, '--project-directory', root]
  const run = (label: string, ...args: string[]) =>
    withProgress(
      label,
      runTool('docker', [...base, '--progress', 'quiet', '--env-file', envFile, ...files, ...args]),
    )
  const containers = async () => {
    const ids = (await run('Looking', 'ps', '--quiet')).split('\n').filter(Boolean)
    return ids.length > 0 ? inspect(ids) : []
  }
  parts.defer(async () => {
    await run('Taking it down', 'down', '--volumes', '--remove-orphans', '--timeout', '20')
  })
  return {
    url,
    image: IMAGE,
    network: (name) => `${project}_${name}`,
    set: (more) => writeFileSync(envFile, fillIn(readFileSync(envFile, 'utf8'), more)),
    read: (name) => valueIn(readFileSync(envFile, 'utf8'), name),
    run,
    command: (options, ...program) =>
      run(
        'Running a command',
        ...['run', '--rm', '--no-deps', '-T', ...options, 'commands', 'node', ...program],
      ),
    containers,
    async becomesReady(service, count, without) {
      const isNew = ({ id, startedAt }: Container) =>
        id !== without?.id || startedAt !== without.startedAt
      const areReady = async () => {
        const all = (await containers()).filter((one) => one.service === service)
        return all.filter((one) => one.isReady && isNew(one)).length >= count
      }
      await eventually(`${service} is ready`, areReady, HEALTHY_WITHIN_MS, 500)
    },
  }
}

/** Builds on a machine without a registry reach npm only from the network of the host. */
function overrideOf(isStandIn: boolean) {
  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), {
    merge: true,
  })
  const ours = Object.entries<{ image: string; build?: string }>(services).filter(([, { image }]) =>
    image.startsWith('venue-network:'),
  )
  const entries = ours.map(([name, { build }]) => [
    name,
    { image: IMAGE, ...(build && isStandIn && { build: { network: 'host' } }) },
  ])
  return { services: Object.fromEntries(entries) }
}

async function inspect(ids: string[]): Promise<Container[]> {
  const found = JSON.parse(await runTool('docker', ['inspect', ...ids]))
  return found.map(({ Id, Image, State, Config }: Inspected) => ({
    id: Id,
    service: Config.Labels['com.docker.compose.service'],
    pid: State.Pid,
    image: Image,
    startedAt: State.StartedAt,
    isReady: State.Running && (State.Health?.Status ?? 'healthy') === 'healthy',
  }))
}

type Inspected = {
  Id: string
  Image: string
  State: { Pid: number; StartedAt: string; Running: boolean; Health?: { Status: string } }
  Config: { Labels: Record<string, string> }
}
