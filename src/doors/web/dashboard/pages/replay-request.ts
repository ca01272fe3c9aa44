import { checkedValues, textFields, utcInstant } from '../../forms.ts'

export const replayFields = [
  'way',
  'failed_since',
  'from',
  'until',
  'from_number',
  'until_number',
  'events',
  'per_second',
] as const
type Fields = { [name in (typeof replayFields)[number]]?: string }

const optionalNumber = (text: string | undefined) => (text ? Number(text) : undefined)

/** The submitted form as input of the operation: only the fields of the chosen way count. */
export function replayInput(source: unknown): Record<string, unknown> {
  const fields = textFields(source, replayFields)
  const types = checkedValues(source, 'types')
  return {
    ...choiceOf(fields),
    types: types.length > 0 ? types : undefined,
    per_second: optionalNumber(fields.per_second),
  }
}

function choiceOf(fields: Fields): Record<string, unknown> {
  switch (fields.way) {
    case 'failures':
      return { failed_since: utcInstant(fields.failed_since) ?? '' }
    case 'times':
      return { from: utcInstant(fields.from) ?? '', until: utcInstant(fields.until) }
    case 'numbers':
      return {
        from_number: Number(fields.from_number),
        until_number: optionalNumber(fields.until_number),
      }
    case 'unsent':
      return { never_attempted: true }
    case 'events':
      return { events: fields.events?.split(',') ?? [] }
    default:
      return {}
  }
}
