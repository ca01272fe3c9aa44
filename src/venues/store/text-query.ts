/** A term to find in names, tags and descriptions: any alternative with all of its words. */
export type Term = readonly string[]

// Words hold only letters, digits and marks (plain-text.ts), so that none is an operator.
const termQuery = (term: Term, weights: string) =>
  term
    .map((alternative) => {
      const words = alternative.split(' ').map((word) => `${word}${weights}`)
      return `(${words.join(' & ')})`
    })
    .join(' | ')

const WEIGHTS = { anywhere: '', labels: ':AB' } as const

/** The terms as `to_tsquery` reads them, to be found anywhere or in names and tags only. */
export const textQuery = (
  terms: readonly Term[],
  match: 'all' | 'any',
  where: keyof typeof WEIGHTS,
): string =>
  terms.map((term) => `(${termQuery(term, WEIGHTS[where])})`).join(match === 'all' ? ' & ' : ' | ')
