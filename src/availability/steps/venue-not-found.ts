import { type Refusal, refuse } from '../../base/errors.ts'
import { TEST_SLUG } from '../../base/sandbox.ts'
import { type Context, isTest } from '../../contract/operation.ts'
import { selectNearestSlugs } from '../store/venues.ts'

const TEST_ONLY = 'This is a test key, which sees test venues only: search to list them.'
const LIVE_ONLY = 'This is a live key: test venues need a test key.'

/** `venue_not_found`, with the venues that may be meant, or the key’s mode if that is why. */
export async function venueNotFound(
  ctx: Pick<Context, 'db' | 'account'>,
  venue: string,
): Promise<Refusal> {
  const mode = ctx.account?.mode
  if (mode !== 'test' && TEST_SLUG.test(venue)) {
    return refuse('venue_not_found', LIVE_ONLY, { mode: 'live' })
  }
  const nearest = await selectNearestSlugs(ctx.db, venue, isTest(ctx))
  const facts = { ...(mode === 'test' && { mode }), ...(nearest.length > 0 && { nearest }) }
  const named = `There is no venue \`${venue.slice(0, 100)}\`.`
  const meant = nearest.length > 0 && `${named} Did you mean \`${nearest[0]}\`?`
  return refuse('venue_not_found', meant || (mode === 'test' ? TEST_ONLY : undefined), facts)
}
