import { z } from 'zod'
import type { Db } from '../../platform/database/sql.ts'
import { GIVE_UP_MS } from '../rules/webhooks.ts'
import { noteDue } from './wake.ts'

/**
 * The end of a statement whose `written` are new events: puts them up, in their own transaction, for every endpoint that wants them.
 * `at` and `giveUpAt` are its parameters; `only`, where given, the id of the one endpoint that gets them whatever it wants.
 */
export const putUp = (parameters: { at: string; giveUpAt: string; only?: string }): string => {
  const { at, giveUpAt, only = 'null' } = parameters
  return `insert into delivery (id, endpoint_id, account_id, event_number, event_type, status, due_at,
     give_up_at, created_at, updated_at)
   select gen_random_uuid(), e.id, w.account_id, w.number, w.type, 'pending', ${at}, ${giveUpAt}, ${at}, ${at}
   from written w join endpoint e on e.account_id = w.account_id
   where e.verified_at is not null and e.deleted_at is null
     and coalesce(e.id = ${only}::uuid,
       e.event_types && array['*', w.type, split_part(w.type, '.', 1) || '.*'])
   returning endpoint_id, account_id`
}

/** Until when a delivery that is put up now is tried. */
export const giveUpAt = (at: Date): Date => new Date(at.getTime() + GIVE_UP_MS)

/** What `putUp` answers. */
export const dueEndpoint = z.object({ endpoint_id: z.uuid(), account_id: z.uuid() })

/** Has the endpoints told, once the transaction has committed. */
export const noteDueEndpoints = (tx: Db, due: readonly z.infer<typeof dueEndpoint>[]): void =>
  noteDue(
    tx,
    due.map(({ endpoint_id, account_id }) => ({ endpointId: endpoint_id, accountId: account_id })),
  )
