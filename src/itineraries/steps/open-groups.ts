import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { GroupEngine } from '../engine.ts'
import { selectGroupStart } from '../store/group-progress.ts'

/** Groups that have not yet settled. */
export const openGroups: OpenWork<GroupEngine> = {
  name: 'groups',
  workflows: { anyOf: 'any-of/', itinerary: 'itinerary/' },
  open: sql`select id from booking_group where next_action_at is not null`,
  resume: async ({ db, engine }, id) => engine.resumeGroup(await selectGroupStart(db, id)),
}
