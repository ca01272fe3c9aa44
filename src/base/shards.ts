/** One of `count` parts of a scheduled run's rows; each row belongs to exactly one part. */
export type Shard = { index: number; count: number }

/** Kept low, because all shards appear in the history of the same run. */
export const MAX_SHARDS = 8

/** Everything, as a single shard. */
export const whole: Shard = { index: 0, count: 1 }

/** The name of a part of a step; passes over different parts keep separate positions. */
export const nameInShard = <S extends string>(
  step: S,
  { index, count }: Shard,
): S | `${S} ${string}` => (count === 1 ? step : `${step} ${index + 1}/${count}`)
