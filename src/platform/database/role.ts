import { z } from 'zod'
import type { Log } from '../telemetry/log.ts'
import { type Db, queryRow } from './sql.ts'

const row = z.object({ role: z.string(), can_change: z.boolean() })

/** Warns when the role that serves could change the schema: docs/operate/production.md. */
export async function warnOfSchemaRole(db: Db, log: Log): Promise<void> {
  const { role, can_change } = await queryRow(db, row)`
    select current_user as role, has_schema_privilege('public', 'create') as can_change`
  if (can_change) log.warn({ role }, 'the database role could change the schema')
}
