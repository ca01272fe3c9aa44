import { given, ticked, utcInstant } from '../../query.ts'

const fields = [
  'way',
  'failed_since',
  'from',
  'until',
  'from_number',
  'until_number',
  'events',
  'per_second',
] as const

/** The ways of choosing that the form has. */
export const replayWays = {
  failures: 'Failed or expired since',
  times: 'A time range',
  numbers: 'A range of event numbers',
  unsent: 'Never sent to this endpoint',
} as const

/** What its form calls the fields of the operation. */
export const replayLabels = {
  failed_since: 'since',
  until_number: 'until number',
  per_second: 'events a second',
}

/** What a form says of a replay, in the words of the operation: the fields of the chosen way alone. */
export function replayRequest(source: unknown): Record<string, unknown> {
  const said = given(source, fields)
  const types = ticked(source, 'types')
  return {
    ...chosen(said),
    ...(types.length > 0 && { types }),
    ...(said.per_second && { per_second: Number(said.per_second) }),
  }
}

function chosen(said: ReturnType<typeof given<(typeof fields)[number]>>): Record<string, unknown> {
  switch (said.way) {
    case 'failures':
      return { failed_since: utcInstant(said.failed_since) ?? '' }
    case 'times':
      return {
        from: utcInstant(said.from) ?? '',
        ...(said.until && { until: utcInstant(said.until) }),
      }
    case 'numbers':
      return {
        from_number: Number(said.from_number),
        ...(said.until_number && { until_number: Number(said.until_number) }),
      }
    case 'unsent':
      return { never_attempted: true }
    case 'events':
      return { events: said.events?.split(',') ?? [] }
    default:
      return {}
  }
}
