import { factWord, type NeededFact } from '../../base/venue-facts.ts'

/** A term to find in names, tags and descriptions: all words of any one alternative must occur. */
export type Term = readonly string[]

// Words contain only letters, digits and marks (plain-text.ts), so none is an operator.
const termQuery = (term: Term, weights: string) =>
  term
    .map((alternative) => {
      const words = alternative.split(' ').map((word) => `${word}${weights}`)
      return `(${words.join(' & ')})`
    })
    .join(' | ')

const WEIGHTS = { anywhere: '', labels: ':AB' } as const

/** The terms in `to_tsquery` syntax, to be found anywhere or only in names and tags. */
export const textQuery = (
  terms: readonly Term[],
  match: 'all' | 'any',
  where: keyof typeof WEIGHTS,
): string =>
  terms.map((term) => `(${termQuery(term, WEIGHTS[where])})`).join(match === 'all' ? ' & ' : ' | ')

/**
 * Selects venues by the facts that a guest needs. `yes`: all are known to be as needed; `no`: none
 * is known to differ, but some are unknown; null: all venues.
 */
export type FactFilter = { needed: readonly NeededFact[]; known: 'yes' | 'no' | null }

/** The filter in `to_tsquery` syntax; empty for all venues. */
export function factQuery({ needed, known }: FactFilter): string {
  if (known === null) return ''
  const met = needed.map(factWord).join(' & ')
  const unmet = needed.map(
    (fact) => `!${factWord({ ...fact, is: fact.is === 'yes' ? 'no' : 'yes' })}`,
  )
  return known === 'yes' ? met : [`!(${met})`, ...unmet].join(' & ')
}
