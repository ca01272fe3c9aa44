import type { Pattern } from './patterns.ts'

export type PriceLevel = 'cheap' | 'mid-range' | 'upscale'

type Level = { is: 'level'; level: PriceLevel }

const pattern = (words: readonly string[], level: PriceLevel): Pattern<Level> => [
  new RegExp(`\\b(?:${words.join('|')})\\b`),
  () => ({ is: 'level', level }),
]

const not = '(?:not?|isnt|arent|tidak|ga|gak|nggak|ngga|tak) (?:too |so |that |very |terlalu )?'

/** Words for a guest's rough budget; "not expensive" must precede "expensive". */
export const levelPattern = [
  pattern([`${not}(?:expensive|pricey|costly|mahal)`], 'cheap'),
  pattern(
    [
      'mid[ -]?range',
      'mid[ -]?priced',
      'moderate(?:ly priced)?',
      'medium priced?',
      'kelas menengah',
    ],
    'mid-range',
  ),
  pattern(
    [
      '(?:low|reasonable|good|great) prices?|reasonably priced|good value|value for money',
      'cheap(?:er|est|ly|ish)?|inexpensive|affordabl[ey]|economical|low[ -]cost',
      '(?:on a |low[ -])?budget(?:[ -]friendly)?|harga murah|murah(?: meriah)?|termurah',
      'terjangkau|hemat|ekonomis',
    ],
    'cheap',
  ),
  pattern(
    [
      'up ?scale|up ?market|high[ -]end|luxur(?:y|ious)|fancy|posh|expensive|pricey|splurge',
      'exclusive|mewah|mahal|eksklusif',
    ],
    'upscale',
  ),
]
