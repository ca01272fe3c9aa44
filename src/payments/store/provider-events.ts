import { z } from 'zod'
import { rowsBefore } from '../../platform/database/erase-through.ts'
import { type Db, execute, queryRow } from '../../platform/database/sql.ts'

const knownRow = z.object({ known: z.boolean() })

/** Whether an event had its effect before. */
export async function isKnownEvent(db: Db, provider: string, id: string): Promise<boolean> {
  const { known } = await queryRow(db, knownRow)`
    select exists (select from provider_event where provider = ${provider} and id = ${id}) as known`
  return known
}

/** Records an event that had its effect. */
export const insertProviderEvent = (
  db: Db,
  provider: string,
  event: { id: string; type: string; at: Date },
) =>
  execute(db)`
    insert into provider_event (provider, id, type, received_at)
    values (${provider}, ${event.id}, ${event.type}, ${event.at}) on conflict do nothing`

/** Events from before an instant; providers do not repeat them. */
export const oldProviderEvents = (before: Date) =>
  rowsBefore('provider_event', 'received_at', before, 'provider, id')
