/** A row of a CSV file or an element of a JSON array, as it was found; `row` counts from 1, `line` is where it begins, `size` its characters. */
export type Piece<T> = { row: number; line: number; size: number } & (
  | { value: T }
  | { problem: string }
)

/** What is kept of a row at most: a larger one is refused without ever being held. */
export const MOST_CHARACTERS = 256 * 1024

/** How often a character occurs between two positions. */
export function countOf(text: string, character: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf(character, from); at >= 0 && at < to; count++) {
    at = text.indexOf(character, at + 1)
  }
  return count
}
