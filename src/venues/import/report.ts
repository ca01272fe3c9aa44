/** Rows by outcome. `leftOut`: stored venues of the file's sources that are missing from it. */
export const noCounts = () => ({ new: 0, updated: 0, unchanged: 0, refused: 0, leftOut: 0 })
export type Counts = ReturnType<typeof noCounts>

/** Reports something about a row, in one line. */
export type Say = (
  row: { row: number; line?: number; name?: string | undefined },
  kind: 'refused' | 'note',
  text: string,
) => void

/** Writes report lines without terminal control characters. */
export function sayTo(write: (line: string) => void): Say {
  return ({ row, line = row, name }, kind, text) => {
    const where = line === row ? `row ${row}` : `row ${row} (line ${line})`
    const what = name === undefined ? where : `${where} "${name.slice(0, 60)}"`
    write(`${what}: ${kind}: ${text}`.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '·'))
  }
}

const amount = (count: number) => count.toLocaleString('en')

export function summary(counts: Counts, outcome: 'loaded' | 'dry run' | 'nothing loaded'): string {
  const { leftOut } = counts
  const figures = (['new', 'updated', 'unchanged', 'refused'] as const)
    .map((kind) => `${amount(counts[kind])} ${kind}`)
    .join(', ')
  const leftOutText =
    leftOut > 0
      ? `\n${amount(leftOut)} venues of this source are not in the file; they were not changed.`
      : ''
  if (outcome === 'dry run')
    return `${figures}${leftOutText}\nThis was a dry run: nothing has changed.`
  if (outcome === 'loaded') return `${figures}${leftOutText}`
  return `${figures}${leftOutText}\nNothing was loaded, as --strict loads all rows or none.`
}
