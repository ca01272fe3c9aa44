/** A CSV row or JSON element: its number from 1, its first line, and its size in characters. */
export type Piece<T> = { row: number; line: number; size: number } & (
  | { value: T }
  | { problem: string }
)

/** Larger rows are refused without being held in memory. */
export const MAX_CHARACTERS = 256 * 1024

/** Counts how often a character occurs between two positions. */
export function countOf(text: string, character: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf(character, from); at >= 0 && at < to; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}
