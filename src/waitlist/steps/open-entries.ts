import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { WaitlistEngine } from '../engine.ts'
import { selectOptionalEntryStart } from '../store/queue.ts'

/** Watches in the queue. */
export const openEntries: OpenWork<WaitlistEngine> = {
  name: 'waitlist_entries',
  workflows: { waitlistEntry: 'waitlist/' },
  open: sql`select id from waitlist_entry where nth is not null`,
  async resume({ db, engine }, id) {
    const start = await selectOptionalEntryStart(db, id)
    return start ? engine.resumeEntry(start) : false
  },
}
