import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')

/**
 * Where `RECORD_DURATIONS=1 npm test` writes how many seconds the slowest files take, and during
 * how many of them the processor is busy.
 */
export const durationsFile = resolve(import.meta.dirname, 'durations.json')

/** Files that take less time are not recorded. */
export const RECORDED_SECONDS = 5
const UNRECORDED_SECONDS = 2

type Duration = readonly [seconds: number, busy: number]
const durations: Record<string, Duration> = JSON.parse(readFileSync(durationsFile, 'utf8'))

const secondsOf = ({ moduleId }: TestSpecification) =>
  durations[relative(root, moduleId)]?.[0] ?? UNRECORDED_SECONDS

/** Whether a file mostly waits, for example for deadlines. */
function isWaiting({ moduleId }: TestSpecification): boolean {
  const [seconds, busy] = durations[relative(root, moduleId)] ?? [0, 0]
  return busy * 5 < seconds
}

/**
 * One process each: for files that mostly wait, or for the others. A file works for a third of its
 * time on average, so that five processes use 1.6 of two processors, and seven use both.
 */
export const lanes = [true, true, true, true, true, false, false].map((waits) => ({ waits }))

/**
 * The slowest files start first, so that no file runs alone at the end; but files that mostly wait
 * have five of the processes, and the others two, so that the processor is never idle for long.
 */
export default class InLanes extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const left = Map.groupBy(
      files.toSorted(
        (one, other) =>
          secondsOf(other) - secondsOf(one) || one.moduleId.localeCompare(other.moduleId),
      ),
      isWaiting,
    )
    const times = lanes.map((lane) => ({ ...lane, busyUntil: 0 }))
    return files.flatMap(() => {
      const [lane] = times.toSorted((one, other) => one.busyUntil - other.busyUntil)
      const next = lane && (left.get(lane.waits)?.shift() ?? left.get(!lane.waits)?.shift())
      if (!next) return []
      lane.busyUntil += secondsOf(next)
      return [next]
    })
  }

  /** Each shard gets an equal number of slow files. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    return (await this.sort(files)).filter((_, at) => at % count === index - 1)
  }
}
