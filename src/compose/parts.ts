import type { WorkerQueue } from '../base/task-queues.ts'
import { publicUrlOf, type RunConfig } from '../config/config.ts'
import type { ClockPart } from '../contract/clock-part.ts'
import { type OpenWork, replaceBroken } from '../contract/open-work.ts'
import type { Room, ServiceParts } from '../contract/room.ts'
import { type Joined, type NetworkEngine, type Part, type Results, rooms } from '../network.ts'
import type { PassDeps } from '../platform/database/continue-pass.ts'
import type { passes } from '../platform/database/passes.ts'
import type { Pass } from '../platform/process/work-through.ts'

/** Everything in this network that has a workflow while open. */
export const openWork = rooms.flatMap((room): OpenWork<NetworkEngine>[] =>
  'openWork' in room ? [room.openWork] : [],
)

/** Columns that are checked at start-up and resealed by `keys rewrap`. */
export const sealedColumns = (rooms as readonly Room[]).flatMap(({ sealed }) => sealed ?? [])

/** Gauges that are read before each scrape; each returns a function that hides it. */
export const roomGauges = (rooms as readonly Room[]).flatMap(({ gauges }) => gauges ?? [])

/** Services that the rooms create for their own operations. */
export const roomServices = (parts: ServiceParts) =>
  Object.assign(
    {},
    ...rooms.flatMap((room) => ('services' in room ? [room.services(parts)] : [])),
  ) as Joined<Results<Part<'services'>>>

/** The periodic workflows of all rooms. */
export const roomSchedules = (rooms as readonly Room[]).flatMap(({ schedules }) => schedules ?? [])

/** Everything in this network that waits for its account's clock. */
export const clockPartsOf = (config: RunConfig): readonly ClockPart<NetworkEngine>[] =>
  rooms.flatMap((room) => {
    const part: ClockPart<NetworkEngine> | undefined =
      'clock' in room ? room.clock(config, publicUrlOf(config)) : undefined
    return part ? [part] : []
  })

type Loaded<L> = L extends () => Promise<infer Maker> ? Maker : never
type Makers<Q extends WorkerQueue> = Loaded<Extract<Part<'activities'>, Record<Q, unknown>>[Q]>
type Needs<F> = F extends (deps: infer D) => object ? (one: D) => void : never
/** What is needed to create a queue's activities. */
export type ActivityDeps<Q extends WorkerQueue> = Joined<Needs<Makers<Q>>>

/** The rooms' activities on a queue. `at` is workflow time, in milliseconds. */
export async function activitiesOf<Q extends WorkerQueue>(queue: Q, deps: ActivityDeps<Q>) {
  const all = {}
  for (const { activities } of rooms as readonly Room[]) {
    const create = await activities?.[queue]?.()
    Object.assign(all, create?.(deps as never))
  }
  return all as Joined<Results<Makers<Q>>>
}

/** What is needed to create the steps of the sweep. */
type StepsDeps = Joined<Needs<Part<'sweep'>>> & PassDeps & { engine: NetworkEngine }
type SweepStep = (at: Date) => Promise<Pass>

/** The steps of the sweep, by pass name. */
export function sweepSteps(deps: StepsDeps): Record<(typeof passes.sweep)[number], SweepStep> {
  const steps = rooms.flatMap((room) => ('sweep' in room ? [room.sweep(deps)] : []))
  const ofRooms = Object.assign({}, ...steps) as Joined<Results<Part<'sweep'>>>
  return { 'broken-runs': (at) => replaceBroken(openWork, deps, at), ...ofRooms }
}
