import { type Attribute, namesOf } from './attributes.ts'
import { type JudgedVenue, meets, testsOf } from './grade.ts'
import type { GoldenQuery, VenueTest } from './queries.ts'

/**
 * A query adapted to the venues: what no venue in the right place offers cannot be met, so the
 * answer must admit that instead.
 */
export function settled(query: GoldenQuery, catalogue: readonly JudgedVenue[]): GoldenQuery {
  const tests = testsOf(query.first)
  const kept = tests.map((test) => withinReach(test, catalogue))
  const [one, ...more] = kept
  if (!one) return query
  const missing = tests.flatMap(({ suits = [] }, index) =>
    suits.filter((attribute) => !kept[index]?.suits?.includes(attribute)),
  )
  const admits = [...(query.admits ?? []), ...new Set(missing.map(namesOf))]
  return {
    ...query,
    first: more.length > 0 ? kept : one,
    ...(admits.length > 0 && { admits }),
    ...(missing.length > 0 && { missing }),
  }
}

/** A test reduced to wanted attributes that some venue combines, the preferred ones first. */
function withinReach(test: VenueTest, catalogue: readonly JudgedVenue[]): VenueTest {
  const { suits: wanted = [], ...others } = test
  const suits: Attribute[] = []
  for (const attribute of wanted) {
    const stricter = { ...others, suits: [...suits, attribute] }
    if (catalogue.some((venue) => meets(venue, stricter))) suits.push(attribute)
  }
  return suits.length > 0 ? { ...others, suits } : others
}
