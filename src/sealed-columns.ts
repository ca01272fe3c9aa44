import { connectorContext } from './confirmation/store/connectors.ts'
import { contactContext } from './confirmation/store/venue-contacts.ts'
import type { SealedColumn } from './platform/sealing/sealed-columns.ts'
import { headersContext } from './webhooks/store/endpoints.ts'
import { signingKeyContext } from './webhooks/store/signing-keys.ts'

/** Columns that start-up checks and `keys rewrap` seals again. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    what: 'secrets of venues with a system of their own',
    table: 'connector',
    id: 'venue_id',
    column: 'secret',
    contextOf: connectorContext,
  },
  {
    what: 'secrets of notices to venues',
    table: 'venue_contact',
    id: 'venue_id',
    column: 'secret',
    contextOf: contactContext,
  },
  {
    what: 'signing secrets of endpoints',
    table: 'signing_key',
    id: 'id',
    column: 'secret',
    contextOf: signingKeyContext,
  },
  {
    what: 'headers of endpoints',
    table: 'endpoint',
    id: 'id',
    column: 'headers',
    contextOf: headersContext,
  },
]
