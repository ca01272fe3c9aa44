import { type Category, categories } from '../../base/venue-kinds.ts'
import { readTable } from './read-table.ts'

/**
 * What the phrases of `data/kinds.tsv` mean. `name`: what a kind of venue is called, which says
 * nothing more; `implies`: a kind, and what is searched for as well; `hint`: a kind where nothing
 * else says one; `synonym`: what is searched for, whatever the kind.
 */
export type KindList = 'name' | 'implies' | 'hint' | 'synonym'

type KindPhrase = {
  list: KindList
  category: Category | undefined
  phrase: string
  /** searched for instead: each of these is words that must all occur */
  alternatives: readonly string[]
}

/** The phrases, in English and Indonesian; of two that are alike the later one counts. */
export const kindPhrases: readonly KindPhrase[] = readTable(
  'kinds.tsv',
  ([list = '', kind = '', phrase = '', instead = '']) => ({
    list: list as KindList,
    category: categories.find((category) => category === kind),
    phrase,
    alternatives: (instead || phrase).split('|'),
  }),
)

/**
 * Terms that say how or when rather than what: they give way before the area does, as there is no
 * bar without drinks, and nobody leaves Uluwatu for a sunset.
 */
export const softTerms: ReadonlySet<string> = new Set([
  ...['romantic', 'breakfast', 'healthy', 'cocktails', 'beer', 'live music', 'jazz', 'dj'],
  ...['hot stone', 'deep tissue', 'halal', 'gluten free', 'cafe'],
])
