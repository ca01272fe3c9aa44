import type { Schema, Surface } from './surfaces.ts'

/** Whether the larger number is the narrower bound. */
const bounds = [
  ['minimum', true],
  ['minLength', true],
  ['minItems', true],
  ['maximum', false],
  ['maxLength', false],
  ['maxItems', false],
] as const

/** How the values of a schema changed for the worse, its fields and items apart. */
export function compareValues(side: Surface['side'], before: Schema, after: Schema): string[] {
  const [was, is] = [valuesOf(before), valuesOf(after)]
  const lost = was && is ? was.filter((value) => !is.includes(value)) : []
  const found = [
    ...lost.map((value) => `no longer has ${JSON.stringify(value)}`),
    ...compareTypes(side, typesOf(before), typesOf(after)),
  ]
  if (side === 'output') return was && !is ? [...found, 'may be any value now'] : found
  if (is && !was) found.push(`takes only ${is.join(', ')} now`)
  for (const [bound, isLower] of bounds) {
    const unbounded = isLower ? -Infinity : Infinity
    const [old, now] = [numberOf(before[bound], unbounded), numberOf(after[bound], unbounded)]
    if (isLower ? now > old : now < old) found.push(`has ${bound} ${now} now`)
  }
  for (const form of ['pattern', 'format']) {
    if (after[form] && after[form] !== before[form]) found.push(`has ${form} ${after[form]} now`)
  }
  return found
}

/** What is sent must still be taken; what is answered must not become something else. */
function compareTypes(side: Surface['side'], before: string[], after: string[]): string[] {
  if (side === 'input') {
    const taken = new Set(after.includes('number') ? [...after, 'integer'] : after)
    const lost = before.filter((type) => !taken.has(type))
    return taken.size === 0 ? [] : lost.map((type) => `no longer takes ${type}`)
  }
  const gained = after.filter((type) => !before.includes(type))
  return before.length === 0 ? [] : gained.map((type) => `may be ${type} now`)
}

/** Empty for a schema that takes anything. */
const typesOf = ({ type }: Schema): string[] =>
  (type === undefined ? [] : [type].flat()) as string[]

const valuesOf = ({ enum: values, const: value }: Schema): unknown[] | undefined =>
  (values as unknown[] | undefined) ?? (value === undefined ? undefined : [value])

const numberOf = (value: unknown, otherwise: number) =>
  typeof value === 'number' ? value : otherwise
