import { z } from 'zod'
import { text } from '../../contract/text.ts'
import { headerFault, MOST_HEADERS } from '../rules/endpoint-headers.ts'
import { eventFilters } from '../rules/webhooks.ts'

/** What operations on endpoints take, under the same names everywhere. */
export const endpointId = z.uuid().toLowerCase().describe('Endpoint id')
export const url = text(2048)
  .describe('Where events are posted to: https, reachable from the public internet')
  .meta({ examples: ['https://agent.example/hooks'] })
export const description = z
  .string()
  .max(500)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'expected text without U+0000 and unpaired surrogates',
  })
  .describe('For yourself')
export const eventTypes = z
  .array(z.enum(eventFilters))
  .min(1)
  .max(50)
  .describe('Types of events, all of a subject as in `booking.*`, or `*`')
  .meta({ examples: [['booking.*', 'fee.accrued']] })
export const ratePerSecond = z
  .int()
  .min(1)
  .max(1000)
  .nullable()
  .describe('At most so many deliveries a second; null for no limit of yours')
export const fifo = z
  .boolean()
  .describe('One delivery at a time, in the order of events: one that fails holds up the others')
export const secret = z
  .string()
  .max(200)
  .describe('A signing secret of your own: `whsec_` and 24 to 64 bytes in base64')
export const overlapHours = z
  .int()
  .min(0)
  .max(168)
  .default(24)
  .describe('So long the secret that was current signs beside the new one')

/** Headers that go with each request, as its owner gives them; `value` is what a value may be. */
const headersOf = <V extends z.ZodType<string | null>>(value: V) =>
  z.record(z.string(), value).superRefine((headers, ctx) => {
    const seen = new Set<string>()
    for (const [name, given] of Object.entries(headers)) {
      const fault =
        headerFault(name, given ?? 'removed') ??
        (seen.has(name.toLowerCase()) ? 'given twice: case does not tell names apart' : undefined)
      seen.add(name.toLowerCase())
      if (fault) ctx.addIssue({ code: 'custom', path: [name], message: fault })
    }
    if (seen.size > MOST_HEADERS) {
      ctx.addIssue({ code: 'custom', message: `expected at most ${MOST_HEADERS} headers` })
    }
  })

export const headers = headersOf(z.string())
  .describe(
    'Sent with each request, `Authorization` for example. Their values are never shown again',
  )
  .meta({ examples: [{ 'x-tenant': 'bali' }] })
export const headerChanges = headersOf(z.string().nullable()).describe(
  'Headers to set; null takes one away, the others stay',
)

/** What operations on endpoints answer besides the endpoint. */
export const shownSecret = z
  .string()
  .optional()
  .describe('The signing secret, shown this once: keep it where your receiver finds it')
export const next = z.string().describe('What to do next')
