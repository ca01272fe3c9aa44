/** A pattern of plain text and what its match says; undefined where it says nothing after all. */
export type Pattern<T> = readonly [
  RegExp,
  (match: readonly (string | undefined)[]) => T | undefined,
]

/** What the first pattern that says something found; its words leave the text. */
export function take<T>(
  text: string,
  patterns: readonly Pattern<T>[],
): { found: T | null; rest: string } {
  for (const [pattern, valueIn] of patterns) {
    const match = pattern.exec(text)
    const value = match ? valueIn(match) : undefined
    if (match && value !== undefined) {
      const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
      return { found: value, rest }
    }
  }
  return { found: null, rest: text }
}
