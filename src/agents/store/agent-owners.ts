import { z } from 'zod'
import { type Db, queryRows } from '../../platform/database/sql.ts'

const ownerRow = z.object({ name: z.string(), account_id: z.uuid().nullable() })
/** Whose a name is, in lower case; `account_id` is null for the network's own. */
export type AgentOwner = z.infer<typeof ownerRow>

/** The owners of those of the names, given in lower case, that are registered or were; in no particular order. */
export const selectAgentOwners = (db: Db, names: readonly string[]): Promise<AgentOwner[]> =>
  queryRows(db, ownerRow)`
    select lower(name) as name, account_id from agent where lower(name) = any(${names})`
