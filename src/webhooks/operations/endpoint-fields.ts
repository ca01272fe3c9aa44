import { z } from 'zod'
import { text } from '../../contract/fields.ts'
import { headerFault } from '../rules/endpoint-headers.ts'
import { MAX_HEADERS } from '../rules/limits.ts'
import { eventFilter } from '../schema/events.ts'

/** Input fields of the operations on endpoints. */
export const endpointId = z.uuid().toLowerCase().describe('Endpoint id')
export const url = text(2048)
  .describe('URL that receives events by POST: https, reachable from the public internet')
  .meta({ examples: ['https://agent.example/hooks'] })
export const description = z
  .string()
  .max(500)
  .refine((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'expected text without U+0000 and unpaired surrogates',
  })
  .describe('A note for yourself')
export const eventTypes = z
  .array(eventFilter)
  .min(1)
  .max(50)
  .describe('Event types to receive; `booking.*` for every booking event, `*` for all')
  .meta({ examples: [['booking.*', 'fee.accrued']] })
export const ratePerSecond = z
  .int()
  .min(1)
  .max(1000)
  .nullable()
  .describe('Maximum deliveries per second; null for no limit of your own')
export const fifo = z
  .boolean()
  .describe(
    'First in, first out: one delivery at a time, in the order of events. A failing delivery ' +
      'holds up the others',
  )
export const secret = z
  .string()
  .max(200)
  .describe('A signing secret of your own: `whsec_` and 24 to 64 random bytes in base64')
export const overlapHours = z
  .int()
  .min(0)
  .max(168)
  .default(24)
  .describe('Hours for which the previous secret also signs')

/** Custom headers; `value` is the schema of a value. */
const headersOf = <V extends z.ZodType<string | null>>(value: V) =>
  z.record(z.string(), value).superRefine((headers, ctx) => {
    const names = new Set<string>()
    for (const [name, text] of Object.entries(headers)) {
      const fault =
        headerFault(name, text ?? 'removed') ??
        (names.has(name.toLowerCase())
          ? 'given twice: header names are case-insensitive'
          : undefined)
      names.add(name.toLowerCase())
      if (fault) ctx.addIssue({ code: 'custom', path: [name], message: fault })
    }
    if (names.size > MAX_HEADERS) {
      ctx.addIssue({ code: 'custom', message: `expected at most ${MAX_HEADERS} headers` })
    }
  })

export const headers = headersOf(z.string())
  .meta({ id: 'HttpHeaders' })
  .describe(
    'Sent with each request, for example `Authorization`. Their values are never shown again',
  )
  .meta({ examples: [{ 'x-tenant': 'bali' }] })
export const headerChanges = headersOf(z.string().nullable()).describe(
  'Headers to set; null removes one, the others stay',
)

/** Output fields returned alongside the endpoint. */
export const shownSecret = z
  .string()
  .optional()
  .describe('The signing secret, shown once: store it for your receiver')
export const next = z.string().describe('What to do next')
