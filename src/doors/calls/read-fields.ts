import { z } from 'zod'
import type { Capability } from '../../contract/capability.ts'
import { combinations, idNamesOf, otherNames } from '../../contract/input-names.ts'
import { changeForms, type Operation, type OutputSchema } from '../../contract/operation.ts'
import { createPlainReader, type UnderstoodFields } from './lenient-input.ts'
import { parseInput } from './parse-input.ts'

type Fields = Record<string, unknown>

/** Reads the fields that a caller sent for an operation; throws `invalid_request`. */
export type ReadFields = (raw: Fields) => { input: Fields; understood: UnderstoodFields }

type Named = Pick<Capability, 'operation' | 'rest'>

/** Every name under which an operation's fields can be sent, or are refused for a reason. */
export function inputNames({ operation: { input, fixed = {} }, rest }: Named): string[] {
  const own = Object.keys(input.shape)
  const parts = combinations.flatMap(({ into, from }) => (own.includes(into) ? from : []))
  const fields = [...own, ...parts, ...Object.keys(fixed)]
  return [
    ...fields.flatMap((field) => [field, ...(otherNames[field] ?? [])]),
    ...idNamesOf(rest.route),
  ]
}

/** Creates the reader of an operation's input; `names` are the door's own field names. */
export function createReadFields(
  { operation: { input: schema, fixed: reasons = {} }, rest }: Named,
  names: Readonly<Record<string, string>> = {},
): ReadFields {
  const readPlain = createPlainReader(schema, names, idNamesOf(rest.route))
  const fixed = Object.fromEntries(
    Object.entries(reasons).flatMap(([field, reason]) =>
      [field, ...(otherNames[field] ?? [])].map((name) => [name, reason]),
    ),
  )
  return (raw) => {
    const { input, understood, sentAs } = readPlain(raw)
    const nameOf = (field: string) => sentAs.get(field) ?? names[field] ?? field
    return { input: parseInput(schema, input, { nameOf, fixed }), understood }
  }
}

const understood = z
  .record(z.string(), z.unknown())
  .describe('How fields sent in another form were understood')
  .meta({ id: 'Understood' })

/** The schema of an operation's answer, which may say how its input was understood. */
export const answerSchemaOf = ({ output }: Operation): OutputSchema =>
  changeForms(output, (form) => form.extend({ understood: understood.optional() }))
