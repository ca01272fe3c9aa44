import { bookingIdOf } from '../../base/ids.ts'
import type { NoteResumed } from '../temporal/runs.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { withinScrape } from './within-scrape.ts'

/** Counts and logs lost or stuck workflows; `types` are counted from zero. */
export function createNoteResumed(
  log: Log,
  { resumedWorkflows }: Pick<Metrics, 'resumedWorkflows'>,
  types: readonly string[] = [],
): NoteResumed {
  // A series that begins at 1 shows no increase, so alerts would miss its first event.
  for (const workflow of types) {
    for (const how of ['started', 'replaced']) resumedWorkflows.inc({ workflow, how }, 0)
  }
  return (type, workflowId, how) => {
    resumedWorkflows.inc({ workflow: type, how })
    const ids = {
      workflow: type,
      workflow_id: workflowId,
      booking_id: bookingIdOf(workflowId),
      how,
    }
    log.warn(ids, 'resumed a workflow that was lost or could not continue')
  }
}

/** At every scrape, shows the number of failing rows per step. */
export const showFailing = (
  { beforeScrape, failingRows }: Pick<Metrics, 'beforeScrape' | 'failingRows'>,
  read: () => Promise<readonly { step: string; count: number }[]>,
): (() => void) =>
  beforeScrape(async () => {
    failingRows.reset()
    for (const { step, count } of (await withinScrape(read())) ?? []) {
      failingRows.set({ step }, count)
    }
  })
