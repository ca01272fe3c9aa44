import type { OneEndpoint } from '../answers.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'

export const endpointArgument = { about: 'Id of an endpoint' }

/** REST path of an endpoint or of an action on it. */
export const endpointPath = (id: string, verb?: string): string =>
  `/api/webhooks/${encodeURIComponent(id)}${verb ? `/${verb}` : ''}`

/** The signing secret on its own line, or why a repeated answer does not contain it. */
export const secretLines = ({ paint }: Screen, { secret, next }: OneEndpoint): string[] =>
  secret === undefined
    ? [printable(next ?? '')].filter(Boolean)
    : ['', 'Signing secret, shown only once:', paint(printable(secret), 'strong'), '']
