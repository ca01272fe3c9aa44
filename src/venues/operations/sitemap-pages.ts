import type { Services } from '../../contract/operation.ts'
import { selectRecentPageStarts, selectSlugs } from '../store/venue-slugs.ts'

/** The first slug of each sitemap page of this size, at most a few minutes old. */
export const readSitemapStarts = ({ db }: Pick<Services, 'db'>, size: number): Promise<string[]> =>
  selectRecentPageStarts(db, size)

/** The slugs of the page that begins with `from`. */
export const readSitemapPage = (
  { db }: Pick<Services, 'db'>,
  from: string,
  size: number,
): Promise<string[]> => selectSlugs(db, from, size)
