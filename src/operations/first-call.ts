import { selectHasCalled } from '../store/first-call.ts'
import type { Services } from './define.ts'

/** Whether a call with a key of the account was ever counted; what its developer does on pages is not. */
export const hasCalled = ({ db }: Pick<Services, 'db'>, accountId: string): Promise<boolean> =>
  selectHasCalled(db, accountId)
