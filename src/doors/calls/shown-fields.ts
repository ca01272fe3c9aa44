import { isHidden } from '../../accounts/rules/redact.ts'
import { combinations, idNamesOf, otherNames } from '../../contract/input-names.ts'
import { catalogue, type NetworkOperation } from '../../network.ts'
import { jsonSchemaOf } from './json-schema.ts'

const cache = new Map<NetworkOperation | undefined, ReadonlySet<string>>([[undefined, new Set()]])
const capabilities = new Map(catalogue.map((one) => [one.operation, one]))

/**
 * The input fields of an operation whose values the request log records, under all their names.
 * Unexpected fields, which could contain a guest's name, are not recorded.
 */
export function shownFields(operation: NetworkOperation | undefined): ReadonlySet<string> {
  const earlier = cache.get(operation)
  if (earlier || !operation) return earlier ?? new Set()
  const own = [...namesIn(jsonSchemaOf(operation.input, 'input'))]
  const { rest } = capabilities.get(operation) ?? {}
  const joined = combinations.filter(({ into }) => own.includes(into)).flatMap(({ from }) => from)
  const names = [
    'action',
    ...own,
    ...own.flatMap((name) => otherNames[name] ?? []),
    ...Object.keys(rest?.rename ?? {}),
    ...(rest ? idNamesOf(rest.route) : []),
    ...joined,
    ...joined.flatMap((name) => otherNames[name] ?? []),
  ]
  const visible = new Set(names.filter((name) => !isHidden(name)))
  cache.set(operation, visible)
  return visible
}

type Schema = { properties?: Record<string, Schema>; items?: Schema } & {
  [kind in 'anyOf' | 'oneOf' | 'allOf']?: Schema[]
}

/** The names of all fields, including nested ones but not those inside hidden fields. */
function* namesIn(schema: Schema): Generator<string> {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  for (const [name, field] of Object.entries(properties)) {
    if (isHidden(name)) continue
    yield name
    yield* namesIn(field)
  }
  for (const part of [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]) yield* namesIn(part)
}
