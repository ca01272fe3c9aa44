import { plainText } from '../../../src/base/plain-text.ts'

export const attributes = [
  'kids',
  'romantic',
  'halal',
  'vegan',
  'vegetarian',
  'outdoor',
  'quiet',
  'view',
  'late',
] as const
export type Attribute = (typeof attributes)[number]

type Told = { description: string; tags: readonly string[]; closes: number }

/** A venue that closes at this time or later counts as open late. */
const LATE = 23 * 60

/** What a venue's tags or description call an attribute, and what guests call it. */
const words: Record<Attribute, readonly string[]> = {
  kids: ['kids', 'kid', 'child', 'children', 'family', 'families', 'toddler', 'anak'],
  romantic: ['romantic', 'romantis', 'date night', 'candlelight', 'honeymoon', 'anniversary'],
  halal: ['halal'],
  vegan: ['vegan', 'plant-based'],
  vegetarian: ['vegetarian', 'vegan', 'plant-based'],
  outdoor: ['outdoor', 'outdoors', 'terrace', 'garden', 'al fresco', 'rooftop', 'luar ruangan'],
  quiet: ['quiet', 'calm', 'tenang', 'conversation'],
  view: ['view', 'sea view', 'ocean view', 'rooftop', 'pemandangan'],
  late: ['late', 'midnight', 'larut', 'tengah malam'],
}

/** How an answer can name an attribute, as alternatives of `admits`. */
export const namesOf = (attribute: Attribute): string => words[attribute].join('|')

/** Whether a venue has an attribute, according to its tags, description or hours. */
export function suits({ description, tags, closes }: Told, attribute: Attribute): boolean {
  if (attribute === 'late') return closes >= LATE
  const told = ` ${plainText([description, ...tags].join(' ')).replace(/[^\p{L}\p{N}-]+/gu, ' ')} `
  return words[attribute].some((word) => told.includes(` ${word} `))
}
