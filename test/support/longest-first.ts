import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = resolve(import.meta.dirname, '../..')

/** Where `RECORD_DURATIONS=1 npm test` writes the duration in seconds of the slowest files. */
export const durationsFile = resolve(import.meta.dirname, 'durations.json')

const durations: Record<string, number> = JSON.parse(readFileSync(durationsFile, 'utf8'))
const secondsOf = ({ moduleId }: TestSpecification) => durations[relative(root, moduleId)] ?? 0

/**
 * The slowest files start first, so that no file runs alone at the end, but with fast ones in
 * between: the slowest mostly wait, and alone they would leave the processor idle.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = files.toSorted(
      (one, other) =>
        secondsOf(other) - secondsOf(one) || one.moduleId.localeCompare(other.moduleId),
    )
    const fast = sorted.splice(Math.ceil(files.length / 3))
    return sorted.flatMap((slow, at) => [slow, ...fast.slice(2 * at, 2 * at + 2)])
  }

  /** Each shard gets an equal number of slow files. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    return (await this.sort(files)).filter((_, at) => at % count === index - 1)
  }
}
