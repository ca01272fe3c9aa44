import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Callers, Load } from './callers.ts'
import type { Compose, Container } from './compose.ts'

const guide = resolve(import.meta.dirname, '../../docs/operate/production.md')
const PROBE_MS = 100

/** An upgrade under bookings: how long the API did not answer, in one stretch. */
export type Upgrade = Load & { outageMs: number }

/** Builds the next release and runs the guide's commands, while callers book. */
export async function upgrade(compose: Compose, callers: Callers): Promise<Upgrade> {
  const [build = '', ...commands] = documentedCommands()
  const before = await compose.containers()
  await compose.run('Building the next release', ...argsOf(build), '--build-arg', 'REVISION=next')
  const probing = new AbortController()
  const probes = watchOutage(compose.url, probing.signal)
  const load = await callers.during(async () => {
    for (const command of commands) await compose.run(command, ...argsOf(command))
    await compose.becomesReady('api', 1)
    await callers.book()
  })
  probing.abort()
  const after = await compose.containers()
  const faults = [...load.faults, ...notReplaced(before, after)]
  return { ...load, faults, outageMs: await probes }
}

/** The commands under *Upgrades* in the guide; the first builds. */
function documentedCommands(): string[] {
  const [, section = ''] = /^## Upgrades\n(.*?)^## /ms.exec(`${readFileSync(guide)}\n## `) ?? []
  return section.match(/^ *docker compose .*$/gm)?.map((line) => line.trim()) ?? []
}

const argsOf = (command: string): string[] => command.split(/\s+/).slice(2)

/** The longest time between two answers. */
async function watchOutage(url: string, until: AbortSignal): Promise<number> {
  let answeredAt = performance.now()
  let longest = 0
  while (!until.aborted) {
    const signal = AbortSignal.timeout(1_000)
    const isUp = await fetch(`${url}/healthz`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) {
      longest = Math.max(longest, performance.now() - answeredAt)
      answeredAt = performance.now()
    }
    await setTimeout(PROBE_MS)
  }
  return longest
}

const ours = ['api', 'worker', 'simulator']

function notReplaced(before: Container[], after: Container[]): string[] {
  const old = new Set(before.map(({ image }) => image))
  const kept = after.filter(({ service, image }) => ours.includes(service) && old.has(image))
  return kept.map(({ service }) => `${service} still runs the earlier release`)
}
