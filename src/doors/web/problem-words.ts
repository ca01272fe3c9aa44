import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { Problem, RefusalData } from '../../contract/rules/errors.ts'

/** What a form calls the fields of an operation, where that is another word. */
export type Labels = Readonly<Record<string, string>>

/** Refusals whose advice is for programs. */
const forPrograms = new Set<string>(['invalid_request', 'not_found', 'method_not_allowed'])

/** What is wrong, for people: without the advice to programs, and with the fields as a form calls them. */
export function problemWords(refusal: RefusalData, labels: Labels = {}): string {
  const { code, message, facts } = refusal
  if (!forPrograms.has(code)) return message
  const errors = (facts.errors ?? []) as Problem[]
  const nameOf = (field: string) => labels[field] ?? field.replaceAll('_', ' ')
  if (errors.length > 1) {
    return errors
      .map(({ pointer, detail }) => `${nameOf(pointer.split('/')[1] ?? '')}: ${detail}.`)
      .join(' ')
  }
  const what = message.slice(0, -errorCatalogue[code].advice.length).trim()
  return what.replace(/^\/(\w+)[\w/]*:/, (_, field: string) => `${nameOf(field)}:`)
}
