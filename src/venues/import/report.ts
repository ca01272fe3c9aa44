import { counted } from '../../base/counted.ts'

/** Rows by outcome. `leftOut`: stored venues of the file's sources that are missing from it. */
export const noCounts = () => ({
  new: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  leftOut: 0,
  /** how many new and updated venues are in each area or town */
  towns: new Map<string, number>(),
})
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

/** An import can place venues in thousands of towns. */
const MAX_TOWNS = 10

/** `Ubud (ID): 3; Chiang Rai (TH): 1`, so that a misplaced venue is noticed. */
function townsText(towns: Counts['towns']): string {
  const all = [...towns].sort(([, one], [, other]) => other - one)
  const named = all.slice(0, MAX_TOWNS).map(([town, count]) => `${town}: ${amount(count)}`)
  const more = all.length - named.length
  return [...named, ...(more > 0 ? [`and ${amount(more)} more`] : [])].join('; ')
}

export function summary(counts: Counts, outcome: 'loaded' | 'dry run' | 'nothing loaded'): string {
  const { leftOut, towns } = counts
  const figures = (['new', 'updated', 'unchanged', 'refused'] as const)
    .map((kind) => `${amount(counts[kind])} ${kind}`)
    .join(', ')
  const ends = {
    loaded: '',
    'dry run': 'This was a dry run: nothing has changed.',
    'nothing loaded': 'Nothing was loaded, as --strict loads all rows or none.',
  }
  const lines = [
    figures,
    outcome !== 'nothing loaded' && towns.size > 0 && `Towns: ${townsText(towns)}.`,
    leftOut > 0 && `Not in the file, and unchanged: ${counted(leftOut, 'venue')} of this source.`,
    ends[outcome],
  ]
  return lines.filter(Boolean).join('\n')
}
