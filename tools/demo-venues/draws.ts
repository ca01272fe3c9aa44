import { createHash } from 'node:crypto'

/** Choices that look random but depend only on the seed and on the choice's name. */
export type Draws = {
  /** an integer from `from` to `to`, both included */
  between(name: string, from: number, to: number): number
  pick<T>(name: string, choices: readonly [T, ...T[]]): T
}

export function drawsOf(seed: string): Draws {
  const between = (name: string, from: number, to: number) => {
    const fraction = digest(`${seed}/${name}`).readUInt32BE() / 2 ** 32
    return from + Math.floor(fraction * (to - from + 1))
  }
  return {
    between,
    pick(name, choices) {
      return choices[between(name, 0, choices.length - 1)] ?? choices[0]
    },
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
