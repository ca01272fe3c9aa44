/** A source of choices that makes the same ones again from the same seed. */
export type Random = {
  /** an integer from `low` to `high`, both included */
  int: (low: number, high: number) => number
  pick: <T>(from: readonly T[]) => T
  chance: (share: number) => boolean
  shuffle: <T>(all: readonly T[]) => T[]
}

/** Mulberry32: small, fast, and good enough to spread phrases. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const pick = <T>(from: readonly T[]): T => {
    const one = from[int(0, from.length - 1)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
  const shuffle = <T>(all: readonly T[]): T[] => {
    const left = [...all]
    return all.map(() => left.splice(int(0, left.length - 1), 1)[0] as T)
  }
  return { int, pick, shuffle, chance: (share) => next() < share }
}

/** A word with two letters swapped, or one left out, doubled or mistyped, but not its first. */
export function misspelled(random: Random, word: string): string {
  const at = random.int(1, word.length - 2)
  const [before, letter, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  return random.pick([
    `${before}${after[0]}${letter}${after.slice(1)}`,
    `${before}${after}`,
    `${before}${letter}${letter}${after}`,
    `${before}${random.pick([...'aeiou'])}${after}`,
  ])
}
