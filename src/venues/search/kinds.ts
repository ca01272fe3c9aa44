import { plainWords } from '../../base/plain-text.ts'
import { serviceNames } from '../../base/service-names.ts'
import { factNames, factWord, type NeededFact, neededFact } from '../../base/venue-facts.ts'
import { type Category, categories } from '../../base/venue-kinds.ts'
import { readTable } from './read-table.ts'

/**
 * The meanings of the phrases in `data/kinds.tsv`. `name`: names a kind of venue, and nothing more;
 * `implies`: a kind, and a search term; `hint`: a kind, unless something else names one; `synonym`:
 * search terms for any kind; `fact`: a fact that the guest needs, besides any other meaning.
 */
export type KindList = 'name' | 'implies' | 'hint' | 'synonym' | 'fact'

type KindPhrase = {
  list: KindList
  category: Category | undefined
  fact: NeededFact | undefined
  phrase: string
  /** search terms to use instead: each is a set of words that must all occur */
  alternatives: readonly string[]
}

const phraseOf = ([list = '', kind = '', phrase = '', instead = '']: readonly string[]) => ({
  list: list as KindList,
  category: categories.find((category) => category === kind),
  fact: neededFact(kind),
  phrase,
  alternatives: (instead || phrase).split('|'),
})

/** The phrases, in English and Indonesian; the last of equal phrases prevails. */
export const kindPhrases: readonly KindPhrase[] = [
  ...readTable('kinds.tsv', phraseOf),
  ...Object.entries(serviceNames).flatMap(([kind, names]) =>
    Object.entries(names).map(([name, term]) => phraseOf(['implies', kind, name, term])),
  ),
]

/** The facts that phrases stand for, keyed by the phrase in plain words. */
export const neededFacts: ReadonlyMap<string, NeededFact> = new Map([
  ...factNames.flatMap((name) => [
    [plainWords(name).join(' '), { name, is: 'yes' }] as const,
    ...(['yes', 'no'] as const).map((is) => [factWord({ name, is }), { name, is }] as const),
  ]),
  ...kindPhrases.flatMap(({ fact, phrase }) =>
    fact ? [[plainWords(phrase).join(' '), fact] as const] : [],
  ),
])

/**
 * Terms for how or when rather than what: they are dropped before the area is widened, as every bar
 * has drinks, and nobody leaves Uluwatu for a sunset.
 */
export const softTerms: ReadonlySet<string> = new Set([
  ...['romantic', 'breakfast', 'healthy', 'cocktails', 'beer', 'live music', 'jazz', 'dj'],
  ...['hot stone', 'deep tissue', 'halal', 'gluten free', 'cafe'],
])
