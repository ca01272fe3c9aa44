import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { NoticeEngine } from '../engine.ts'
import { selectOptionalStart } from '../store/notices.ts'

/** Notices that have not ended. */
export const openNoticeRuns: OpenWork<NoticeEngine> = {
  name: 'notices',
  workflows: { notice: 'notice/' },
  open: sql`select id from notice where ended_at is null`,
  async resume({ db, engine }, id) {
    const start = await selectOptionalStart(db, id)
    return start ? engine.resumeNotice(start) : false
  },
}
