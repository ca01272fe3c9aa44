import { refuse } from '../../base/errors.ts'
import { isTimeZone } from '../../base/time-zones.ts'
import type { Services } from '../../contract/operation.ts'
import { updateTimeZone } from '../store/developers.ts'

/** Sets the time zone of a developer's pages; null follows the browser. */
export async function setTimeZone(
  { db }: Pick<Services, 'db'>,
  developerId: string,
  timeZone: string | null,
): Promise<void> {
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw refuse('form_incomplete', 'Choose a time zone of the list.')
  }
  await updateTimeZone(db, developerId, timeZone)
}
