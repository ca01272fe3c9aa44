import { invalidRequest, type Problem, type RefusalData } from '../../base/errors.ts'
import { toolNamesOf } from './tool-schema.ts'
import type { Called } from './tools.ts'

type Names = Readonly<Record<string, string>>

/**
 * The refusal of an input with its fields under the names of the tool, as operations know only
 * those of their schemas. A field keeps the name under which it was sent.
 */
export function inToolNames(
  refusal: RefusalData,
  { capability, tool, fields: sent }: Called,
): RefusalData {
  const { code, facts } = refusal
  if (!capability || code !== 'invalid_request' || !Array.isArray(facts.errors)) return refusal
  const names = toolNamesOf(capability, tool?.document)
  const errors = (facts.errors as Problem[]).map(({ pointer, detail }) => ({
    pointer: toolPointer(pointer, names, sent),
    detail: detail.replaceAll('venue_id', 'venue'),
  }))
  return invalidRequest(errors).data
}

/** Within a part or another object, only its venue has another name. */
function toolPointer(pointer: string, names: Names, sent: unknown): string {
  const [, ...path] = pointer.split('/')
  let within = sent
  const parts = path.map((part, depth) => {
    const fields = Object(within)
    within = fields[part]
    if (Object.hasOwn(fields, part)) return part
    return (depth === 0 ? names[part] : undefined) ?? (part === 'venue_id' ? 'venue' : part)
  })
  return parts.map((part) => `/${part}`).join('')
}
