import { z } from 'zod'
import { giveUpAt } from './put-up.ts'
import { type Db, queryRow } from './sql.ts'

/** A step takes so many, so that none takes long. */
const STEP = 1_000

const stepRow = z.object({ count: z.int(), last: z.string().nullable() })

/** What is held is due now, with a whole schedule before it; answers how much that is. Repeated after a crash it goes on. */
export const releaseHeld = (db: Db, endpointId: string, at: Date): Promise<number> =>
  inSteps((after) =>
    queryRow(
      db,
      stepRow,
      `with step as (
         select id from delivery
         where endpoint_id = $1 and status = 'pending' and event_number > $2
         order by event_number limit $3
       ), released as (
         update delivery d set due_at = $4, give_up_at = $5, tries = 0, updated_at = $4
         from step where d.id = step.id and d.status = 'pending'
         returning event_number
       )
       select count(*), max(event_number)::text as last from released`,
      [endpointId, after, STEP, at, giveUpAt(at)],
    ),
  )

/** What is held is never sent, and stays readable as that; answers how much it is. */
export const discardHeld = (db: Db, endpointId: string, at: Date): Promise<number> =>
  inSteps((after) =>
    queryRow(
      db,
      stepRow,
      `with step as (
         select id from delivery
         where endpoint_id = $1 and status = 'pending' and event_number > $2
         order by event_number limit $3
       ), discarded as (
         update delivery d set status = 'discarded', due_at = null, updated_at = $4
         from step where d.id = step.id and d.status = 'pending'
         returning event_number
       )
       select count(*), max(event_number)::text as last from discarded`,
      [endpointId, after, STEP, at],
    ),
  )

async function inSteps(
  step: (after: string) => Promise<z.infer<typeof stepRow>>,
  after = '0',
): Promise<number> {
  const { count, last } = await step(after)
  return last === null ? count : count + (await inSteps(step, last))
}
