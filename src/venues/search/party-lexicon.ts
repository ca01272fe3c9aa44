import { months, numberWords, together } from './calendar-lexicon.ts'
import { notMinus, type Pattern } from './patterns.ts'

const MOST = 100
const number = `${notMinus}(\\d{1,3}|${Object.keys(numberWords).join('|')})`
const people =
  'people|persons?|ppl|pax|guests?|adults?|diners?|friends|seats?|places|spots?|mats?|of ' +
  'us|orang|dewasa|kursi|tamu'
const children = 'kids?|child(?:ren)?|toddlers?|bab(?:y|ies)|infants?|anak(?:[- ]anak)?|balita|bayi'
const andMore = '\\s*(?:and|plus|dan|[&+])\\s*'
const withMore = '\\s*(?:,\\s*)?(?:(?:and|plus|dan|with|dengan|sama|[&+])\\s*)?'
const notGuests = [
  '[/:.]|a\\.?m\\b|p\\.?m\\b|st\\b|nd\\b|rd\\b|th\\b|hours?|hrs?|minutes?|mins?|days?|nights?',
  "weeks?|months?|jam\\b|menit|hari|malam|o['’]?clock|courses?",
  `(?:${Object.keys(months).join('|')})\\b`,
]
const upTo = `(?:[-–/]|\\s+(?:to|or|sampai|atau)\\s+)${number}[\\s-]*`
const otherwise = `(?!(?:\\s*|${upTo})(?:${notGuests.join('|')}))`
const companions =
  'wife|husband|girlfriend|boyfriend|partner|fiancee?|spouse|date|mum|mom|dad|' +
  'istri|suami|pacar|pasangan'

const size = (word: string | undefined): number | undefined => {
  const count = numberWords[word ?? ''] ?? Number(word)
  return count >= 1 && count <= MOST ? count : undefined
}

const sum = ([, ...counts]: readonly (string | undefined)[]): number | undefined => {
  const sizes = counts.filter(Boolean).map(size)
  return sizes.every((one) => one !== undefined)
    ? sizes.reduce((total, one) => total + one, 0)
    : undefined
}

/** "2 adults, 1 child" are three guests; whether "4 people with 2 kids" are six is unclear. */
const families: readonly Pattern<number>[] = [
  [
    new RegExp(
      `\\b${number}\\s*(?:adults?|grown[- ]?ups?|dewasa|orang dewasa)\\b${withMore}` +
        `\\b${number}\\s*(?:${children})\\b`,
    ),
    sum,
  ],
  [
    new RegExp(
      `(?:\\b(?:for|untuk|buat)\\s+${number}|\\b${number}\\s*(?:${people}))\\b${andMore}` +
        `\\b${number}\\s*(?:${children})\\b`,
    ),
    sum,
  ],
]

/** "party of 6", "untuk 4 orang", "berdua", "for two", "a couple", "with my wife", "just me". */
export const partyPattern: readonly Pattern<number>[] = [
  ...families,
  [
    new RegExp(
      `(?:\\b(?:party|group|family|rombongan)|(?<=\\b(?:tables?|meja|reservation|booking))) ` +
        `(?:of|for|untuk|buat) ${number}\\b${otherwise}(?:\\s*(?:${people})\\b)?`,
    ),
    ([, n]) => size(n),
  ],
  [
    new RegExp(`(?:\\b(?:for|untuk|buat)\\s+)?(?:the )?\\b${number}[\\s-]*(?:${people})\\b`),
    ([, n]) => size(n),
  ],
  [
    new RegExp(`(?:\\buntuk )?\\b(${Object.keys(together).join('|')})\\b`),
    ([, word = '']) => together[word],
  ],
  [new RegExp(`\\b(?:for|untuk|buat)\\s+${number}\\b${otherwise}`), ([, n]) => size(n)],
  [/\b(?:(?:for|as) )?(?:a|the) couple\b(?! of| massage| spa| treatment)/, () => 2],
  [/\b(?:untuk )?sepasang\b|\bthe two of us\b/, () => 2],
  [
    new RegExp(
      `\\b(?:(?:for )?me and |(?:with|dengan|sama) )(?:my |a )?(?:${companions})(?:ku)?\\b`,
    ),
    () => 2,
  ],
  [
    /\b(?:(?:just|only) (?:for )?me|for (?:me only|myself|one)|by myself|solo|sendiri|sendirian)\b/,
    () => 1,
  ],
]
