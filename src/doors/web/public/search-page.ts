import type { FastifyInstance } from 'fastify'
import type { Services } from '../../../contract/define.ts'
import { errorCatalogue } from '../../../contract/rules/error-catalogue.ts'
import {
  readAreaNames,
  readAreasWithin,
  readNetworkSize,
} from '../../../venues/operations/public-areas.ts'
import { refusalHeaders } from '../../refusal-headers.ts'
import type { CallOpen } from './call-open.ts'
import { publicPage } from './public-page.ts'
import { filledIn, findVenues, listPath } from './search-query.ts'
import { searchMarkdown, searchView, titleOf } from './search-view.ts'
import { sendTwin } from './send-document.ts'

const MOST_NAMES = 100

export type PublicDeps = { services: Services; call: CallOpen; publicUrl: string }

/** `/venues`: the search of the agents for people, with a map; its twin in Markdown. */
export async function searchPage(
  scope: FastifyInstance,
  { services, call, publicUrl }: PublicDeps,
) {
  for (const path of ['/venues', '/venues.md']) {
    scope.get(path, async (request, reply) => {
      const filled = filledIn(request)
      const answer = await findVenues(call, request, reply, filled)
      if (answer.refusal) {
        const { code } = answer.refusal
        reply.code(errorCatalogue[code].status).headers(refusalHeaders(answer.refusal))
      }
      const [places, names, { venues: total }] = await Promise.all([
        filled.q ? [] : readAreasWithin(services, filled.area || undefined),
        readAreaNames(services, MOST_NAMES),
        readNetworkSize(services),
      ])
      const found = { venues: [], next_cursor: null, ...answer.output }
      const shown = { filled, names, places, total, refusal: answer.refusal, ...found }
      const about = {
        canonical: `${publicUrl}${listPath({ area: filled.area, category: filled.category })}`,
      }
      const markdown = listPath(filled).replace('/venues', '/venues.md')
      return sendTwin(
        request,
        reply,
        {
          html: () => publicPage(titleOf(filled), searchView(shown), { ...about, markdown }),
          markdown: () => searchMarkdown(shown),
        },
        { isMarkdown: path.endsWith('.md') },
      )
    })
  }
}
