import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type CombinableGroup,
  countCombinations,
  tableCombination,
} from '../../src/availability/rules/table-combinations.ts'

const group = (joins: string, party_max: number, count: number) => ({ joins, party_max, count })

test('the fewest tables are joined, and of those the smallest sufficient', () => {
  const hall = [group('hall', 2, 4), group('hall', 4, 3), group('hall', 6, 1)]
  expect(tableCombination(hall, 8, 3)).toEqual({ joins: 'hall', seats: [6, 2] })
  expect(tableCombination(hall, 7, 3)).toEqual({ joins: 'hall', seats: [6, 2] })
  expect(tableCombination(hall, 9, 3)).toEqual({ joins: 'hall', seats: [6, 4] })
  expect(tableCombination(hall, 11, 3)).toEqual({ joins: 'hall', seats: [6, 4, 2] })
  expect(tableCombination(hall, 14, 3)).toEqual({ joins: 'hall', seats: [6, 4, 4] })
  expect(tableCombination(hall, 15, 3)).toBeUndefined()
  expect(tableCombination(hall, 15, 4)).toEqual({ joins: 'hall', seats: [6, 4, 4, 2] })
})

test('tables in different rooms never join, nor does a table large enough alone', () => {
  const rooms = [group('hall', 4, 1), group('terrace', 4, 1), group('terrace', 8, 2)]
  expect(tableCombination(rooms, 8, 4)).toBeUndefined()
  expect(tableCombination(rooms, 12, 4)).toEqual({ joins: 'terrace', seats: [8, 4] })
})

test('combinations are counted as if taken one after another', () => {
  expect(countCombinations([group('hall', 4, 5)], 8, 2)).toBe(2)
  expect(countCombinations([group('hall', 4, 5), group('terrace', 4, 2)], 7, 2)).toBe(3)
  expect(countCombinations([group('hall', 4, 5)], 4, 2)).toBe(0)
})

const groups = fc.array(
  fc.record<CombinableGroup>({
    joins: fc.constantFrom('a', 'b'),
    party_max: fc.integer({ min: 1, max: 6 }),
    count: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 5 },
)

/** Every set of up to `most` members of a group. */
function allSets(of: readonly CombinableGroup[], most: number): number[][] {
  const members = of.flatMap(({ party_max, count }) => Array<number>(count).fill(party_max))
  let sets: number[][] = [[]]
  for (const seats of members) sets = sets.concat(sets.map((set) => [...set, seats]))
  return sets.filter(({ length }) => length >= 2 && length <= most)
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

test('property: the combination is the smallest of all', () => {
  const question = [
    groups,
    fc.integer({ min: 2, max: 14 }),
    fc.integer({ min: 2, max: 4 }),
  ] as const
  fc.assert(
    fc.property(...question, (of, partySize, most) => {
      const small = of.filter(({ party_max }) => party_max < partySize)
      const enough = ['a', 'b']
        .flatMap((joins) =>
          allSets(
            small.filter((one) => one.joins === joins),
            most,
          ),
        )
        .filter((set) => sum(set) >= partySize)
      const sizes = enough.map((set) => set.length * 1_000 + sum(set))
      const found = tableCombination(of, partySize, most)
      const size = found && found.seats.length * 1_000 + sum(found.seats)
      expect(size).toBe(enough.length > 0 ? Math.min(...sizes) : undefined)
    }),
  )
})
