import type { OneEndpoint } from '../answers.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'

export const endpointArgument = { about: 'Id of an endpoint' }

/** Where an endpoint is at REST, or what is done with it. */
export const endpointPath = (id: string, verb?: string): string =>
  `/api/webhooks/${encodeURIComponent(id)}${verb ? `/${verb}` : ''}`

/** A signing secret on a line of its own, never cut; why there is none where the answer repeats an earlier one. */
export const secretLines = ({ paint }: Screen, { secret, next }: OneEndpoint): string[] =>
  secret === undefined
    ? [printable(next ?? '')].filter(Boolean)
    : ['', 'Signing secret, shown this once:', paint(printable(secret), 'strong'), '']
