import { byId, capability } from '../contract/capability.ts'
import type { Room } from '../contract/room.ts'
import { eraseThrough, type PassDeps } from '../platform/database/continue-pass.ts'
import { sealedColumn } from '../platform/sealing/sealed-columns.ts'
import { endConnection, listConnections } from './operations/connections.ts'
import { artifactContext, expiredArtifacts } from './store/artifacts.ts'
import { clientContext, unusedClients } from './store/clients.ts'
import { spentGrants } from './store/grants.ts'

/** An authorization may take this long until its first token. */
const GRANT_KEPT_MS = 3_600_000
const CLIENT_KEPT_MS = 86_400_000
/** Programs remember the id with which they registered, and come back with it. */
const GRANTED_CLIENT_KEPT_MS = 180 * 86_400_000

const ago = (at: Date, ms: number) => new Date(at.getTime() - ms)

/** Programs that people sign in with, what they may do, and their tokens (OAuth 2.1). */
export const oauth = {
  name: 'oauth',
  inRealTime: true,
  capabilities: [
    capability(listConnections, 'GET /api/connections', 'connection.list', {}),
    capability(endConnection, 'POST /api/connections/{id}/revoke', 'connection.revoke', byId),
  ],
  sweep: (deps: PassDeps) => ({
    'oauth-artifacts': (at: Date) => eraseThrough(deps, 'oauth-artifacts', expiredArtifacts(at)),
    'oauth-grants': (at: Date) =>
      eraseThrough(deps, 'oauth-grants', spentGrants(ago(at, GRANT_KEPT_MS))),
    'oauth-clients': (at: Date) =>
      eraseThrough(
        deps,
        'oauth-clients',
        unusedClients(ago(at, CLIENT_KEPT_MS), ago(at, GRANTED_CLIENT_KEPT_MS)),
      ),
  }),
  sealed: [
    sealedColumn('OAuth codes and tokens', 'oauth_artifact.id', 'payload', artifactContext),
    sealedColumn('secrets of OAuth clients', 'oauth_client.id', 'secret', clientContext),
  ],
} as const satisfies Room
