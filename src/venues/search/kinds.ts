import { type Category, categories } from '../../base/venue-kinds.ts'
import { readTable } from './read-table.ts'

/**
 * The meanings of the phrases in `data/kinds.tsv`. `name`: names a kind of venue, and nothing more;
 * `implies`: a kind, and a search term; `hint`: a kind, unless something else names one; `synonym`:
 * search terms for any kind.
 */
export type KindList = 'name' | 'implies' | 'hint' | 'synonym'

type KindPhrase = {
  list: KindList
  category: Category | undefined
  phrase: string
  /** search terms to use instead: each is a set of words that must all occur */
  alternatives: readonly string[]
}

/** The phrases, in English and Indonesian; the last of equal phrases prevails. */
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
 * Terms for how or when rather than what: they are dropped before the area is widened, as every bar
 * has drinks, and nobody leaves Uluwatu for a sunset.
 */
export const softTerms: ReadonlySet<string> = new Set([
  ...['romantic', 'breakfast', 'healthy', 'cocktails', 'beer', 'live music', 'jazz', 'dj'],
  ...['hot stone', 'deep tissue', 'halal', 'gluten free', 'cafe'],
])
