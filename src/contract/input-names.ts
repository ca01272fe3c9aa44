import names from './input-names.json' with { type: 'json' }

/**
 * Other names that callers may use for a field, at every door. The field's own name always wins,
 * and an operation's own use of a name takes precedence.
 */
export const otherNames: Readonly<Record<string, readonly string[]>> = names.otherNames

/** Aliases of an id, by the resource before `{id}` in a REST route. */
const idNames: Readonly<Record<string, readonly string[]>> = names.idNames

/** The other names for a route's `id`, the usual one first; none for a route without `{id}`. */
export function idNamesOf(route: string): readonly string[] {
  const kind = /\/(\w+)\/\{id\}/.exec(route)?.[1]
  return (kind && idNames[kind]) || []
}

/** Fields that together form the text of `into`, unless the operation has those fields itself. */
export const combinations: readonly {
  into: string
  from: readonly [string, string]
  text(first: string, second: string): string
}[] = [
  { into: 'slot_time', from: ['date', 'time'], text: (date, time) => `${date}T${time}` },
  { into: 'query', from: ['query', 'area'], text: (query, area) => `${query} in ${area}` },
  { into: 'query', from: ['category', 'area'], text: (kind, area) => `${kind} in ${area}` },
]
