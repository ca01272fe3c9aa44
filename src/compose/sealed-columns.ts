import { connectorContext } from '../confirmation/store/connectors.ts'
import { contactContext } from '../confirmation/store/venue-contacts.ts'
import type { SealedColumn } from '../platform/sealing/sealed-columns.ts'
import { headersContext } from '../webhooks/store/endpoints.ts'
import { signingKeyContext } from '../webhooks/store/signing-keys.ts'

const columns = [
  ['secrets of connected venues', 'connector', 'venue_id', 'secret', connectorContext],
  ['secrets of notices to venues', 'venue_contact', 'venue_id', 'secret', contactContext],
  ['signing secrets of endpoints', 'signing_key', 'id', 'secret', signingKeyContext],
  ['headers of endpoints', 'endpoint', 'id', 'headers', headersContext],
] as const

/** Columns that start-up checks and `keys rewrap` seals again. */
export const sealedColumns: readonly SealedColumn[] = columns.map(
  ([what, table, id, column, contextOf]) => ({ what, table, id, column, contextOf }),
)
