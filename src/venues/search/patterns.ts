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
  for (const [pattern, read] of patterns) {
    const match = pattern.exec(text)
    const found = match ? read(match) : undefined
    if (match && found !== undefined) {
      const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
      return { found, rest }
    }
  }
  return { found: null, rest: text }
}
