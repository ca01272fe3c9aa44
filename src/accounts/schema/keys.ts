import { z } from 'zod'
import { scopes } from '../../base/scopes.ts'
import { named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { modes } from './plan.ts'

const keyStatuses = ['active', 'rolled', 'expired', 'revoked'] as const

const scope = z.enum(scopes).meta({ id: 'Scope' })

/** Scopes without duplicates, in canonical order. */
export const scopeList = z
  .array(scope)
  .transform((list) => scopes.filter((one) => list.includes(one)))

/** A key without its secret text, which is shown only at creation. */
export const apiKey = named('Key', {
  id: z.uuid(),
  name: z.string(),
  mode: z.enum(modes).describe('`test`: of your sandbox, which has venues and bookings of its own'),
  ends_in: z.string().describe('The last four characters of the raw key'),
  scopes: z.array(scope).describe('What the key may do besides reading'),
  allowed_ips: z
    .array(z.string())
    .describe('Addresses and networks that may use the key; empty: any'),
  status: z
    .enum(keyStatuses)
    .describe('`rolled`: it has a successor and is valid until `expires_at`'),
  expires_at: instant.nullable().describe('The key is refused from then on; null: never'),
  last_used: z
    .object({ at: instant, door: z.string() })
    .nullable()
    .describe('Accurate to the minute; null: never used'),
  replaced_by: z.uuid().nullable().describe('Its successor, if it was rolled'),
  made_by: z
    .uuid()
    .nullable()
    .describe(
      'The key that created it; revoking that key revokes this one. null: not created by a key',
    ),
  revoked_at: instant.nullable(),
  created_at: instant,
})
export type ApiKey = z.infer<typeof apiKey>
