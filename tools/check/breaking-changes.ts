import { compareValues } from './narrowed-values.ts'
import type { Schema, Surface, Surfaces } from './surfaces.ts'

/**
 * Changes from `before` to `after` that break callers, one line each: removed names, new required
 * input, fields no longer guaranteed, and narrower input.
 */
export function breakingChanges(before: Surfaces, after: Surfaces): string[] {
  const removed = [...before.named.keys()].filter((name) => !after.named.has(name))
  const withAll = removed.filter((name) => !removed.some((other) => name.startsWith(`${other} `)))
  const changed = [...before.named].flatMap(([name, { side, schema }]) => {
    const now = after.named.get(name)
    const compare = createCompare(side, { before: before.resolve, after: after.resolve })
    return now ? compare(schema, now.schema, '').map((text) => `${name}: ${text}`) : []
  })
  return [...withAll.map((name) => `${name} was removed`), ...changed]
}

type Side = Surface['side']
type Resolve = { before: Surfaces['resolve']; after: Surfaces['resolve'] }
type Compare = (before: Schema, after: Schema, path: string) => string[]

function createCompare(side: Side, resolve: Resolve): Compare {
  return compare

  function compare(before: Schema, after: Schema, path: string): string[] {
    // A shared schema is compared once, under its own name.
    if (before.$ref && before.$ref === after.$ref) return []
    const was = resolve.before(before)
    const is = resolve.after(after)
    const [variantsBefore, variantsNow] = [variantsOf(was), variantsOf(is)]
    if (variantsBefore || variantsNow) {
      return compareVariants(variantsBefore ?? [was], variantsNow ?? [is], path)
    }
    return [
      ...compareValues(side, was, is).map((text) => at(path, text)),
      ...compareFields(was, is, path === '' ? '' : `${path}.`),
      ...compareInside('items', was, is, `${path}[]`),
      ...compareInside('additionalProperties', was, is, `${path}{}`),
    ]
  }

  /**
   * Input: each old variant must still be accepted. Output: each new variant must be a known one.
   */
  function compareVariants(before: Schema[], after: Schema[], path: string): string[] {
    const breaks =
      side === 'input'
        ? before.map((variant) => after.map((other) => compare(variant, other, path)))
        : after.map((variant) => before.map((other) => compare(other, variant, path)))
    return breaks.flatMap((paths) => paths.toSorted((a, b) => a.length - b.length)[0] ?? [])
  }

  function compareFields(before: Schema, after: Schema, path: string): string[] {
    const [was, is] = [fieldsOf(before), fieldsOf(after)]
    const inFields = [...was.fields].flatMap(([name, schema]) => {
      const now = is.fields.get(name)
      return now ? compare(schema, now, path + name) : [`${path}${name} was removed`]
    })
    const required = is.required.difference(was.required)
    const missing = was.required.difference(is.required).intersection(is.fields)
    const changed =
      side === 'input'
        ? [...required].map((name) => `${path}${name} is now required`)
        : [...missing].map((name) => `${path}${name} may now be missing`)
    return [...inFields, ...changed]
  }

  function compareInside(keyword: string, before: Schema, after: Schema, path: string): string[] {
    const [was, is] = [before[keyword], after[keyword]]
    return isSchema(was) && isSchema(is) ? compare(was, is, path) : []
  }
}

const variantsOf = ({ anyOf, oneOf }: Schema) => (anyOf ?? oneOf) as Schema[] | undefined

const fieldsOf = ({ properties = {}, required = [] }: Schema) => ({
  fields: new Map(Object.entries(properties as Record<string, Schema>)),
  required: new Set(required as string[]),
})

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const at = (path: string, text: string) => (path === '' ? text : `${path} ${text}`)
