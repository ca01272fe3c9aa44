import type { NewService } from '../../src/venues/store/new-venues.ts'
import { common, numbered, type Plan, service, weekly } from './parts.ts'

type Place = readonly [name: string, description: string]
const outside: readonly [Place, ...Place[]] = [
  ['Terrace', 'In the open air, under a roof for the rain.'],
  ['Courtyard', 'Around an old tree, lit by lanterns.'],
]

/** Tables outside at the hours of those inside, for small parties. */
export function terrace({ slug, draws }: Plan, { rules }: NewService): NewService {
  const [name, description] = draws.pick('outside', outside)
  const tables = numbered(name, draws.between('tables outside', 2, 4), 'table', 1, 4)
  const [couples] = rules.durations
  return service(slug, name, 'exclusive', tables, {
    ...rules,
    durations: [...(couples ? [couples] : []), { party_max: 4, minutes: 120 }],
    party_max: 4,
    requires: [{ kind: 'table', per: 'party' }],
    kind: 'area',
    description,
  })
}

export const privateRoom = ({ slug, spend, draws }: Plan): NewService =>
  service(slug, 'Private dining room', 'exclusive', numbered('Private room', 1, 'room', 6, 12), {
    ...common(draws, spend + Math.round(spend / 2)),
    windows: weekly([['18:00', '23:00']], draws),
    grid_minutes: 60,
    durations: [{ party_max: 12, minutes: 180 }],
    buffer_minutes: 30,
    party_min: 6,
    party_max: 12,
    lead_minutes: 1440,
    requires: [{ kind: 'room', per: 'party' }],
    deposits: [{ kind: 'deposit', amount_minor: Math.round(spend / 2), per: 'guest' }],
    kind: 'area',
    description: 'A room of its own for six to twelve guests.',
  })
