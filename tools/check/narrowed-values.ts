import type { Schema, Surface } from './surfaces.ts'

/** Bounds; true where a larger number is narrower. */
const bounds = [
  ['minimum', true],
  ['minLength', true],
  ['minItems', true],
  ['maximum', false],
  ['maxLength', false],
  ['maxItems', false],
] as const

/** Breaking changes in the values of a schema, apart from its fields and items. */
export function compareValues(side: Surface['side'], before: Schema, after: Schema): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const lost = was && is ? was.filter((value) => !is.includes(value)) : []
  const problems = [
    ...lost.map((value) => `no longer has ${JSON.stringify(value)}`),
    ...compareTypes(side, typesOf(before), typesOf(after)),
  ]
  if (side === 'output') return was && !is ? [...problems, 'may now be any value'] : problems
  if (is && !was) problems.push(`now accepts only ${is.join(', ')}`)
  for (const [bound, isLower] of bounds) {
    const unbounded = isLower ? -Infinity : Infinity
    const [old, now] = [numberOf(before[bound], unbounded), numberOf(after[bound], unbounded)]
    if (isLower ? now > old : now < old) problems.push(`now has ${bound} ${now}`)
  }
  for (const form of ['pattern', 'format']) {
    if (after[form] && after[form] !== before[form]) problems.push(`now has ${form} ${after[form]}`)
  }
  return problems
}

/** Input types must still be accepted; output types must not gain new ones. */
function compareTypes(side: Surface['side'], before: string[], after: string[]): string[] {
  if (side === 'input') {
    const accepted = new Set(after.includes('number') ? [...after, 'integer'] : after)
    const lost = before.filter((type) => !accepted.has(type))
    return accepted.size === 0 ? [] : lost.map((type) => `no longer accepts ${type}`)
  }
  const gained = after.filter((type) => !before.includes(type))
  return before.length === 0 ? [] : gained.map((type) => `may now be ${type}`)
}

/** Empty if the schema allows any type. */
const typesOf = ({ type }: Schema): string[] =>
  (type === undefined ? [] : [type].flat()) as string[]

const valuesOf = ({ enum: values, const: value }: Schema): unknown[] | undefined =>
  (values as unknown[] | undefined) ?? (value === undefined ? undefined : [value])

const numberOf = (value: unknown, otherwise: number) =>
  typeof value === 'number' ? value : otherwise
