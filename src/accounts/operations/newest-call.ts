import type { Services } from '../../contract/define.ts'
import { type NewestCall, selectOptionalNewestCall } from '../store/newest-call.ts'

export type { NewestCall } from '../store/newest-call.ts'

/** The newest call with a key of the account, refused or not, within a second or two; what its developer does on pages is none. */
export const newestCall = (
  { db }: Pick<Services, 'db'>,
  accountId: string,
): Promise<NewestCall | undefined> => selectOptionalNewestCall(db, accountId)
