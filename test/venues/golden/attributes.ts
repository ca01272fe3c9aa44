import { plainText } from '../../../src/base/plain-text.ts'
import type { FactName, VenueFacts } from '../../../src/base/venue-facts.ts'

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
  'wheelchair',
  'pets',
] as const
export type Attribute = (typeof attributes)[number]

type Told = {
  description: string
  tags: readonly string[]
  closes: number
  facts?: VenueFacts | undefined
}

/** A venue that closes at this time or later counts as open late. */
const LATE = 23 * 60

const factOf: Partial<Record<Attribute, FactName>> = {
  kids: 'children',
  halal: 'halal',
  vegan: 'vegan',
  vegetarian: 'vegetarian',
  outdoor: 'outdoor',
  wheelchair: 'wheelchair',
  pets: 'pets',
}

/** Whether a venue is known to lack an attribute, so that no answer may show it. */
export function lacks({ facts = {} }: { facts?: VenueFacts | undefined }, attribute: Attribute) {
  const name = factOf[attribute]
  return name !== undefined && facts[name] === 'no'
}

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
  wheelchair: ['wheelchair'],
  pets: ['pets', 'dog', 'dog-friendly'],
}

/** How an answer can name an attribute, as alternatives of `admits`. */
export const namesOf = (attribute: Attribute): string => words[attribute].join('|')

/** Whether a venue has an attribute, according to its tags, description or hours. */
export function suits(venue: Told, attribute: Attribute): boolean {
  const { description, tags, closes, facts = {} } = venue
  if (attribute === 'late') return closes >= LATE
  const name = factOf[attribute]
  if (name && facts[name]) return facts[name] === 'yes'
  const told = ` ${plainText([description, ...tags].join(' ')).replace(/[^\p{L}\p{N}-]+/gu, ' ')} `
  return words[attribute].some((word) => told.includes(` ${word} `))
}
