import { createHash } from 'node:crypto'

/** Choices that look random but depend only on the seed and their name. */
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

/** A UUID that a name always has (RFC 9562, version 8). */
export function uuidOf(name: string): string {
  const bytes = digest(name).subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return [...parts, hex.slice(20)].join('-')
}

const digest = (text: string) => createHash('sha256').update(text).digest()
