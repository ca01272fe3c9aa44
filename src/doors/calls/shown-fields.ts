import { isHidden } from '../../accounts/rules/redact.ts'
import { combinations, idNamesOf, otherNames } from '../../contract/input-names.ts'
import { catalogue, type NetworkOperation } from '../../network.ts'
import { jsonSchemaOf } from './json-schema.ts'

const known = new Map<NetworkOperation | undefined, ReadonlySet<string>>([[undefined, new Set()]])
const capabilities = new Map(catalogue.map((one) => [one.operation, one]))

/**
 * The fields of an operation's input whose values the request log records, under each of their
 * names. A guest's name in a field that no operation expects there is not among them.
 */
export function shownFields(operation: NetworkOperation | undefined): ReadonlySet<string> {
  const earlier = known.get(operation)
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
  const shown = new Set(names.filter((name) => !isHidden(name)))
  known.set(operation, shown)
  return shown
}

type Schema = { properties?: Record<string, Schema>; items?: Schema } & {
  [kind in 'anyOf' | 'oneOf' | 'allOf']?: Schema[]
}

/** The names of fields, of those inside as well, but not inside hidden ones. */
function* namesIn(schema: Schema): Generator<string> {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
  for (const [name, field] of Object.entries(properties)) {
    if (isHidden(name)) continue
    yield name
    yield* namesIn(field)
  }
  for (const part of [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]) yield* namesIn(part)
}
