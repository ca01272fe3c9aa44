import { demoCatalogue } from '../golden/catalogue.ts'
import { openSearch } from '../golden/open-search.ts'
import { type Verdict, verdictsOf } from './judge.ts'
import type { Phrase } from './meaning.ts'
import { phraseOf } from './phrase.ts'

/** The share of phrases that may fail. Lower it when search learns; 0 is the aim. */
export const MAX_FAILED = 0.05

const MAX_FAILURES_SHOWN = 50
const catalogue = demoCatalogue()

/**
 * Asks the search the phrases of the first `count` seeds, and reports what it does with each of
 * their parts. A phrase fails if a part of it is neither right nor asked for.
 */
export async function runPhrases(count: number): Promise<{ report: string; failures: number }> {
  const search = await openSearch()
  const verdicts: Verdict[] = []
  const failures: { seed: number; line: string }[] = []
  try {
    // One at a time, as a busy machine would refuse a caller's second search that waits too long.
    for (let seed = 1; seed <= count; seed += 1) {
      const phrase = phraseOf(seed, catalogue)
      const some = verdictsOf(phrase, await search.ask(phrase.text, phrase.moment.at))
      verdicts.push(...some)
      const faults = some.filter(({ outcome }) => outcome === 'dishonest' || outcome === 'silent')
      if (faults.length > 0) failures.push({ seed: phrase.seed, line: failureLine(phrase, faults) })
    }
  } finally {
    await search.close()
  }
  const lines = failures.toSorted((one, other) => one.seed - other.seed).map(({ line }) => line)
  const summary = `${lines.length} of ${count} phrases fail`
  const shown = lines.slice(0, MAX_FAILURES_SHOWN)
  return { report: [summary, table(verdicts), ...shown].join('\n'), failures: lines.length }
}

function failureLine({ seed, text, moment }: Phrase, faults: readonly Verdict[]): string {
  const lines = faults.map(
    ({ facet, form, outcome, fault }) => `${outcome} ${facet} (${form}): ${fault}`,
  )
  return `#${seed} on ${moment.today}: ${text} → ${lines.join('; ')}`
}

const outcomes = ['right', 'asked', 'silent', 'dishonest'] as const

/** One line per form: how many of its parts came to which outcome. */
function table(verdicts: readonly Verdict[]): string {
  const rows = [...Map.groupBy(verdicts, ({ facet, form }) => `${facet}: ${form}`)].toSorted(
    ([one], [other]) => one.localeCompare(other),
  )
  const line = (name: string, cells: readonly (string | number)[]) =>
    name.padEnd(44) + cells.map((cell) => String(cell).padStart(10)).join('')
  return [
    line('', outcomes),
    ...rows.map(([name, some]) =>
      line(
        name,
        outcomes.map((outcome) => some.filter((one) => one.outcome === outcome).length),
      ),
    ),
  ].join('\n')
}
