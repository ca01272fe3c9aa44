import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'

const demoRow = z.object({ id: z.uuid(), slug: z.string() })

/** Every `oneIn`th demo venue, always the same ones; a different `offset` selects others. */
export const selectDemoVenues = (
  db: Db,
  oneIn: number,
  offset = 0,
): Promise<z.infer<typeof demoRow>[]> =>
  query.rows(db, demoRow)`
    select id, slug from (
      select id, slug, row_number() over (order by slug) as number from venue
        where is_demo and not is_test) d
    where number % ${oneIn} = ${offset} order by slug`

/** Switches those of these venues that are confirmed by the network to confirmation by people. */
export async function staffVenues(db: Db, ids: readonly string[]): Promise<void> {
  await query.execute(db)`
    update venue set confirm_mode = 'request' where id = any(${ids}::uuid[])
      and confirm_mode = 'auto'`
}
