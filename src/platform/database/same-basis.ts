/** What something was worked out from: lists of rows that were just read, plain values, and objects that never change. */
export type Basis = readonly (readonly object[] | object | string | number | null | undefined)[]

/** Answers what was made of this subject before if it would be made of equal facts again, else what `make` makes. */
export type OfSameBasis<S extends object, V> = (subject: S, basis: Basis, make: () => V) => V

/**
 * Keeps the last value for every subject with the rows it was made of. The rows are always read, so that whoever has changed one finds
 * the change; only the work on what has not changed is spared.
 */
export function createOfSameBasis<S extends object, V>(): OfSameBasis<S, V> {
  const kept = new WeakMap<S, { basis: Basis; value: V }>()
  return (subject, basis, make) => {
    const before = kept.get(subject)
    if (before && isSame(before.basis, basis)) return before.value
    const value = make()
    kept.set(subject, { basis, value })
    return value
  }
}

const isSame = (one: Basis, other: Basis): boolean =>
  one.length === other.length && one.every((fact, index) => isSameFact(fact, other[index]))

function isSameFact(one: Basis[number], other: Basis[number]): boolean {
  if (one === other) return true
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  return one.every((row, index) => isSameRow(row, other[index]))
}

/** Both have the columns of one statement. */
function isSameRow(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  for (const column in one) if (one[column] !== other[column]) return false
  return true
}
