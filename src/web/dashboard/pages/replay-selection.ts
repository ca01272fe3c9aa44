import type { Replay } from '../../../webhooks/schema/replays.ts'
import * as ui from '../../page/components.ts'
import { type Html, html } from '../../page/html.ts'

const names: Readonly<Record<string, string>> = {
  failed_since: 'Failed or expired since',
  never_attempted: 'Never sent to this endpoint',
  from_number: 'From number',
  until_number: 'Until number, included',
  from: 'From',
  until: 'Until',
  events: 'Events',
  types: 'Types',
}

/** The events selected for a replay, in words. */
export const selectionView = ({ chosen }: Pick<Replay, 'chosen'>): Html =>
  ui.facts(Object.entries(chosen).map(([name, value]) => [names[name] ?? name, cellOf(value)]))

function cellOf(value: unknown): Html {
  if (value === true) return html`yes`
  const isInstant = typeof value === 'string' && !Number.isNaN(Date.parse(value))
  if (isInstant) return ui.when(value)
  return html`${Array.isArray(value) ? value.join(', ') : String(value)}`
}
