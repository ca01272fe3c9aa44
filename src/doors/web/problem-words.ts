import { errorCatalogue } from '../../contract/rules/error-catalogue.ts'
import type { Problem, RefusalData } from '../../contract/rules/errors.ts'

/** The names of an operation's fields in a form, where they differ. */
export type Labels = Readonly<Record<string, string>>

/** Codes whose advice addresses programs. */
const forPrograms = new Set<string>(['invalid_request', 'not_found', 'method_not_allowed'])

/** A refusal for people: without advice to programs, and with the field names of the form. */
export function problemWords({ code, message, facts }: RefusalData, labels: Labels = {}): string {
  if (!forPrograms.has(code)) return message
  const errors = (facts.errors ?? []) as Problem[]
  const nameOf = (field = '') => labels[field] ?? field.replaceAll('_', ' ')
  if (errors.length > 1) {
    return errors.map((one) => `${nameOf(one.pointer.split('/')[1])}: ${one.detail}.`).join(' ')
  }
  const what = message.slice(0, -errorCatalogue[code].advice.length).trim()
  return what.replace(/^\/(\w+)[\w/]*:/, (_, field: string) => `${nameOf(field)}:`)
}
