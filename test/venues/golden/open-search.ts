import { settingsOf } from '../../../src/compose/settings.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Context } from '../../../src/contract/operation.ts'
import type { Venue } from '../../../src/contract/public.ts'
import type { NetworkServices } from '../../../src/network.ts'
import { searchVenuesInFull } from '../../../src/venues/operations/search-venues.ts'
import { loadLexicon } from '../../../src/venues/search/lexicon.ts'
import { createDatabase, openTestPool } from '../../support/database.ts'
import { demoCatalogue } from './catalogue.ts'
import { type AnsweredVenue, type Understood, understood } from './grade.ts'

type Search = {
  ask: (query: string, at: Date) => Promise<{ venues: AnsweredVenue[]; interpretation: Understood }>
  close: () => Promise<void>
}

/** The search over the demo venues, in this process, for questions asked at any moment. */
export async function openSearch(): Promise<Search> {
  const database = await createDatabase()
  const db = openTestPool(database.url, 2)
  const lexicon = await loadLexicon(db)
  const judged = new Map(demoCatalogue().map((venue) => [venue.slug, venue]))
  const ctx: Omit<Context<NetworkServices>, 'at'> = {
    db,
    lexicon: async () => lexicon,
    engine: {} as NetworkServices['engine'],
    timelineSigner: {} as NetworkServices['timelineSigner'],
    dryRunDeps: {} as NetworkServices['dryRunDeps'],
    egress: {} as NetworkServices['egress'],
    awaitEvents: async () => false,
    feed: {} as NetworkServices['feed'],
    sendMail: async () => {},
    settings: settingsOf(readConfig({}), 'http://localhost'),
    account: null,
    scopes: [],
    door: 'rest',
    address: '127.0.0.1',
    from: null,
    requestId: 'golden',
  }
  const asJudged = ({ slug, availability }: Venue): AnsweredVenue => {
    const venue = judged.get(slug)
    if (!venue) throw new Error(`${slug} is no demo venue`)
    const slots = availability.slots.map(({ slot_time }) => slot_time)
    return { ...venue, slots, note: availability.note }
  }
  return {
    ask: async (query, at) => {
      const input = searchVenuesInFull.input.parse({ query, limit: 10 })
      const { venues, interpretation } = searchVenuesInFull.output.parse(
        await searchVenuesInFull.run({ ...ctx, at }, input),
      )
      return {
        venues: venues.map(asJudged),
        interpretation: understood.parse(interpretation),
      }
    },
    close: async () => {
      await db.end()
      await database.drop()
    },
  }
}
