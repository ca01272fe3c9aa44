import { z } from 'zod'
import { type Db, queryRows } from './sql.ts'

const demoRow = z.object({ id: z.uuid(), slug: z.string() })

/** Every `oneIn`th demo venue, the same ones each time. */
export const selectDemoVenues = (db: Db, oneIn: number): Promise<z.infer<typeof demoRow>[]> =>
  queryRows(
    db,
    demoRow,
    `select id, slug from (
       select id, slug, row_number() over (order by slug) as number from venue where is_demo) d
     where number % $1 = 0 order by slug`,
    [oneIn],
  )
