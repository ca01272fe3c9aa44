import { z } from 'zod'
import { actorKinds } from '../../base/audit-actions.ts'
import { anyObject, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'

/** A change to an account: what, when, by whom and from where. */
export const auditEntry = named('AuditEntry', {
  id: z.uuid(),
  at: instant,
  action: z.string().describe('What was changed and how, such as `key.created`'),
  object: z.object({
    kind: z.string().describe('The part of `action` before the dot'),
    id: z.string().nullable(),
    name: z.string().nullable().describe('As it was then'),
  }),
  actor: z.object({
    kind: z
      .enum(actorKinds)
      .describe('`member`: signed in to the dashboard; `system`: the network itself'),
    id: z.uuid().nullable().describe('Id of the developer or key'),
    name: z.string().describe('As it was then: an email address, or the name of a key'),
  }),
  door: z.string().describe('`rest`, `a2a`, `mcp`, `dashboard`, or how an operator changed it'),
  address: z
    .string()
    .nullable()
    .describe('Network address of the caller; for IPv6 the network of the subscriber'),
  request_id: z.string().nullable().describe('The `X-Request-Id` of the answer'),
  details: anyObject.describe('Never contains secrets'),
})
export type AuditEntry = z.infer<typeof auditEntry>
