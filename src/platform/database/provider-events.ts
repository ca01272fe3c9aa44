import { boolean } from './columns.ts'
import { rowsBefore } from './continue-pass.ts'
import { type Db, query } from './sql.ts'

/** Whether an event has already been applied. */
export const isKnownEvent = (db: Db, provider: string, id: string) =>
  query.value(db, boolean)`
    select exists (select from provider_event where provider = ${provider} and id = ${id})`

/** Records an applied event; returns 0 if it is already recorded. */
export const insertProviderEvent = (
  db: Db,
  provider: string,
  event: { id: string; type: string; at: Date },
) =>
  query.execute(db)`
    insert into provider_event (provider, id, type, received_at)
    values (${provider}, ${event.id}, ${event.type}, ${event.at}) on conflict do nothing`

/** Events before a given instant, which providers no longer repeat. */
export const oldProviderEvents = (before: Date) =>
  rowsBefore('provider_event', 'received_at', before, 'provider, id')
