import type { Services } from '../../contract/operation.ts'
import { selectRecentPageStarts, selectSlugs } from '../store/venue-slugs.ts'

/** The first slug of each page of this size, a few minutes old at most. */
export const readSitemapStarts = ({ db }: Pick<Services, 'db'>, size: number): Promise<string[]> =>
  selectRecentPageStarts(db, size)

/** The slugs of a page that begins there. */
export const readSitemapPage = (
  { db }: Pick<Services, 'db'>,
  from: string,
  size: number,
): Promise<string[]> => selectSlugs(db, from, size)
