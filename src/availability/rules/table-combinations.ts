/** `count` equal tables; those with the same `joins` can be combined. */
export type CombinableGroup = { joins: string; party_max: number; count: number }

/** The seats of each table, largest first. */
type TableCombination = { joins: string; seats: readonly number[] }

/**
 * The combination for a party too large for one table: the fewest tables (`most` at most), then the
 * fewest seats. Undefined if no combination is large enough.
 */
export function tableCombination(
  groups: readonly CombinableGroup[],
  partySize: number,
  most: number,
): TableCombination | undefined {
  const tooSmall = groups.filter(({ party_max }) => party_max < partySize)
  const sets = [...Map.groupBy(tooSmall, ({ joins }) => joins)].flatMap(([joins, members]) => {
    const seats = smallestOf(seatsOf(members, most), partySize, most)
    return seats ? [{ joins, seats }] : []
  })
  return sets.sort(bySize)[0]
}

/** The largest party that a combination can seat. */
export function largestCombination(groups: readonly CombinableGroup[], most: number): number {
  const sets = [...Map.groupBy(groups, ({ joins }) => joins).values()]
  return Math.max(0, ...sets.map((members) => sum(seatsOf(members, most).slice(0, most))))
}

/** How many parties of this size could be seated at the same time. */
export function countCombinations(
  groups: readonly CombinableGroup[],
  partySize: number,
  most: number,
): number {
  let remaining = groups
  let sets = 0
  for (;;) {
    const set = tableCombination(remaining, partySize, most)
    if (!set) return sets
    remaining = without(remaining, set)
    sets += 1
  }
}

function without(
  groups: readonly CombinableGroup[],
  { joins, seats }: TableCombination,
): CombinableGroup[] {
  const unused = [...seats]
  return groups.map((group) => {
    let { count } = group
    while (count > 0 && group.joins === joins && unused.includes(group.party_max)) {
      unused.splice(unused.indexOf(group.party_max), 1)
      count -= 1
    }
    return { ...group, count }
  })
}

function bySize(one: TableCombination, other: TableCombination): number {
  const members = one.seats.length - other.seats.length
  const seats = sum(one.seats) - sum(other.seats)
  return members || seats || (one.joins < other.joins ? -1 : 1)
}

/** The seats of each table, largest first; at most `most` tables of each size. */
const seatsOf = (members: readonly CombinableGroup[], most: number): number[] => {
  const counts = new Map<number, number>()
  for (const { party_max, count } of members) {
    counts.set(party_max, Math.min((counts.get(party_max) ?? 0) + count, most))
  }
  return [...counts]
    .sort(([one], [other]) => other - one)
    .flatMap(([party_max, count]) => Array<number>(count).fill(party_max))
}

function smallestOf(seats: readonly number[], partySize: number, most: number) {
  for (let members = 2; members <= Math.min(most, seats.length); members += 1) {
    if (sum(seats.slice(0, members)) < partySize) continue
    return tightest(seats, partySize, members)
  }
  return undefined
}

/** The `members` tables with the smallest sufficient number of seats; `seats` is descending. */
function tightest(seats: readonly number[], needed: number, members: number): number[] | undefined {
  if (members === 0) return needed <= 0 ? [] : undefined
  let best: number[] | undefined
  for (const [index, first] of seats.entries()) {
    if (first === seats[index - 1]) continue
    const from = seats.slice(index, index + members)
    if (from.length < members || sum(from) < needed) break
    const rest = tightest(seats.slice(index + 1), needed - first, members - 1)
    if (rest && (!best || first + sum(rest) < sum(best))) best = [first, ...rest]
  }
  return best
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
