/** Seeded random choices. */
export type Random = {
  /** an integer from 0 to `below` - 1 */
  below(below: number): number
  pick<T>(choices: readonly T[]): T
  /** a weighted choice */
  draw<T extends { weight: number }>(choices: readonly T[]): T
}

/** mulberry32: small, fast and good enough to mix callers. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    pick(choices) {
      if (choices.length === 0) throw new Error('nothing to pick from')
      return choices[below(choices.length)] as (typeof choices)[number]
    },
    draw(choices) {
      let remaining = below(choices.reduce((sum, { weight }) => sum + weight, 0))
      const choice = choices.find(({ weight }) => {
        remaining -= weight
        return remaining < 0
      })
      if (!choice) throw new Error('nothing to draw from')
      return choice
    },
  }
}
