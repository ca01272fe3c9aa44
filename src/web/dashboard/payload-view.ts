import { shellQuoted } from '../../base/shell-text.ts'
import type { Attempt } from '../../webhooks/schema/deliveries.ts'
import { codeTabs } from '../page/components.ts'
import type { Html } from '../page/html.ts'
import { highlight } from '../site/highlight.ts'

/** The body of a delivery: formatted, as signed, and as a command that resends it. */
export function payloadView(body: string, newest: Attempt | undefined): Html {
  return codeTabs([
    { label: 'Pretty', code: { markup: highlight(pretty(body), 'json') } },
    { label: 'Raw, as signed', code: body },
    ...(newest ? [{ label: 'curl', code: curl(body, newest.request) }] : []),
  ])
}

/** Every body is JSON. Formatting may round large numbers; the raw body keeps them exact. */
const pretty = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)

/** The newest request as a command, for testing a receiver by hand. */
const curl = (body: string, { url, headers }: Attempt['request']): string =>
  [
    `curl -X POST ${shellQuoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${shellQuoted(`${name}: ${value}`)}`),
    `  --data-raw ${shellQuoted(body)}`,
  ].join(' \\\n')
