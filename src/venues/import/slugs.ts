import { wordsOf } from '../../contract/rules/plain-text.ts'

const LONGEST = 80

/** The slugs that a new venue may get, the nicest first; the last is its own for certain. */
export function slugChoices(venue: { id: string; name: string; area_slug: string }): string[] {
  const words = wordsOf(`${venue.name} ${venue.area_slug}`).join('-')
  const nice = words
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-+/g, '-')
    .slice(0, LONGEST)
  const base = nice.replace(/^-|-$/g, '') || venue.area_slug
  return [base, `${base}-${venue.id.slice(-6)}`, venue.id]
}
