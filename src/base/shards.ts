/** One of `count` parts of the rows that a scheduled run works on; a row belongs to one of them. */
export type Shard = { index: number; count: number }

/** Each takes part in the history of the same run. */
export const MAX_SHARDS = 8

/** Everything. */
export const whole: Shard = { index: 0, count: 1 }

/** The name of a step's part: passes over different parts do not continue each other's. */
export const nameInShard = <S extends string>(
  step: S,
  { index, count }: Shard,
): S | `${S} ${string}` => (count === 1 ? step : `${step} ${index + 1}/${count}`)
