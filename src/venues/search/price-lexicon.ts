import { type Pattern, take } from './patterns.ts'
import { listsOf } from './read-table.ts'

export type PriceLevel = 'cheap' | 'cheapest' | 'mid-range' | 'upscale' | 'dearest'

/**
 * What a guest wants to pay: roughly what a word suggests, or at most an amount in whole units.
 * `currency` is null if not stated; `$` means the local dollar, if there is one.
 */
export type RequestedPrice =
  | { is: 'level'; level: PriceLevel }
  | { is: 'budget'; amount: number; currency: string | null; said: string; isTotal?: boolean }

const readList = listsOf<'currency' | 'scale' | 'level' | 'not'>('prices.tsv')

/** Currencies by the ways to write them, before or after an amount. */
const currencies = readList('currency', String)
const anyCurrency = Object.keys(currencies).join('|')
const number = '(\\d{1,3}(?:[.,]\\d{3})+|\\d+(?:[.,]\\d{1,2})?)'
const scales = readList('scale', Number)
const scale = `(?:\\s?(${Object.keys(scales).join('|')})(?!\\p{L}))?`
const before = `(?<![\\p{L}\\d.,])(?:(${anyCurrency})\\s?)?`
const after = `(?:\\s?(${anyCurrency})(?!\\p{L}))?`
const each =
  '(?:\\s*(?:/|per|a|each|tiap)\\s*(?:person|pax|guest|head|orang)|' +
  '\\s+(?:pp|each|or less|budget|max))?'
const money = `${before}${number}${scale}(?![\\d.,:]*\\d)${after}${each}`
/** After these words, a number without a currency is money; after others, it may be guests. */
const below = 'under|below|less than|cheaper than|di ?bawah|kurang dari'
const atMost = [
  '(?:no|not) more than|(?:no|not) over|at most|up to|within|tidak lebih dari|sampai|hingga',
  'max(?:imum|imal)?\\.?(?: of)?|maks(?:imal|imum)?\\.?',
].join('|')
const ofBudget = '(?:with )?(?:a |my )?budget(?: is| of|:)?'
const lead = '\\b(?:for |at |yang |harga(?:nya)? )?'
const about = '(?:\\b(?:for|around|about|sekitar|harga)\\s+)?'

/** Whether the guest wants the cheapest of several services. */
export const byCheapest = (price: RequestedPrice | null): boolean =>
  price?.is === 'level' && ['cheap', 'cheapest'].includes(price.level)

type Match = readonly (string | undefined)[]

function budget([, prefix, digits = '', scaled, suffix]: Match, isBareFine: boolean) {
  const isBare = !prefix && !scaled && !suffix
  const isNumber = digits.includes(',') || digits.includes('.') ? !isBare : Number(digits) >= LEAST
  if (isBare && !(isBareFine && isNumber)) return undefined
  const amount = amountOf(digits) * (scales[scaled ?? ''] ?? 1)
  const currency = currencyOf(prefix ?? suffix)
  const said = [prefix, digits, scaled, suffix].filter(Boolean).join(' ')
  // "Dong" also means "please" in colloquial Indonesian.
  const isPlea = suffix === 'dong' && amount < MIN_DONG
  return amount > 0 && !isPlea ? ({ is: 'budget', amount, currency, said } as const) : undefined
}

/** Smaller numbers on their own are guests, hours or stars. */
const LEAST = 10
const MIN_DONG = 1_000

/** Points and commas before three digits separate thousands; before fewer, they are decimal. */
const amountOf = (digits: string): number =>
  Number(digits.replace(/[.,](?=\d{3}(?!\d))/g, '').replace(',', '.'))

const currencyOf = (word: string | undefined): string | null => {
  const found = Object.entries(currencies).find(([names]) => isOneOf(names, word ?? ''))
  return found?.[1] ?? null
}
const isOneOf = (names: string, word: string) => new RegExp(`^(?:${names})$`).test(word)

const notMoney =
  '(?!\\s*(?:people|persons?|pax|guests?|adults?|orang|kids|friends|seats?|km|kilomet|m\\b|met|' +
  'min|menit|h\\b|hours?|jam|days?|hari|years?|tahun|floor|%|am\\b|pm\\b|a\\.m|p\\.m|o.?clock|' +
  'st\\b|nd\\b|rd\\b|th\\b))'

/** Words for a guest's rough budget; "not expensive" precedes "expensive". */
const [not = ''] = Object.keys(readList('not', String))
const levelPattern = Object.entries(readList('level', (level) => level as PriceLevel)).map(
  ([words, level]): Pattern<RequestedPrice> => [
    new RegExp(`\\b(?:${words.replace('<not>', not)})\\b`),
    () => ({ is: 'level', level }),
  ],
)

const pricePattern: readonly Pattern<RequestedPrice>[] = [
  [
    new RegExp(
      `(?:between |antara )?${before}${number}${scale}\\s*(?:-|–|to|and|dan|sampai)\\s*${money}`,
      'u',
    ),
    ([, , , , ...upper]) => budget([undefined, ...upper], false),
  ],
  [
    new RegExp(`${lead}(?:${below}|${ofBudget})\\s*${money}${notMoney}`, 'u'),
    (match) => budget(match, true),
  ],
  [new RegExp(`${lead}(?:${atMost})\\s*${money}${notMoney}`, 'u'), (match) => budget(match, false)],
  [
    new RegExp(`${about}${before}${number}\\s?(k)\\s+(?:budget|max(?:imum)?)\\b`, 'u'),
    ([, prefix, digits, scaled]) => budget([undefined, prefix, digits, scaled], false),
  ],
  [
    new RegExp(`${about}${money}${notMoney}`, 'u'),
    (match) => (match[3] === 'k' && !match[1] && !match[4] ? undefined : budget(match, false)),
  ],
  ...levelPattern,
]

const some = '(?:\\d+|two|three|four|five|six|dua|tiga|empat|lima|enam)'
const everyone =
  `(?:ber[a-z]{3,}|both|(?:the )?${some} of us|` +
  `${some}\\s?(?:people|persons?|pax|guests?|orang|org))\\b`
const amountFor = `${before}${number}${scale}(?![\\d.,:]*\\d)${after}[ ,]+`
const inTotal = '\\b(?:total|altogether|semuanya|keseluruhan)\\b'
const forAll = new RegExp(`${amountFor}(?:(?:for|untuk|utk|buat)\\s+)?${everyone}|${inTotal}`, 'u')
const forEach = /\b(?:each|pp|(?:per|tiap) ?(?:person|pax|guest|head|orang))\b/

/** Whether the budget in a plain text is said for the party: "500rb berdua", "300k in total". */
export const isTotal = (text: string): boolean => forAll.test(text) && !forEach.test(text)

/** Extracts the price from a plain text; `rest` is what remains. */
export function readPrice(text: string): { price: RequestedPrice | null; rest: string } {
  const { found, rest } = take(text, pricePattern)
  return { price: found, rest }
}
