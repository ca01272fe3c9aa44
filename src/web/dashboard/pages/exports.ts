import type { FastifyRequest } from 'fastify'
import { parseInput } from '../../../doors/calls/parse-input.ts'
import { createCsvExport } from '../../../doors/csv/csv-export.ts'
import { catalogue } from '../../../network.ts'
import * as ui from '../../page/components.ts'
import { textFields, withQuery } from '../../page/forms.ts'
import { type Html, html } from '../../page/html.ts'
import type { Page } from '../page.ts'
import { zonedTimes, zoneOf } from '../reader-zone.ts'

/** The dashboard lists that can be exported, with their REST routes. */
const exported = {
  bookings: 'GET /api/bookings',
  fees: 'GET /api/fees',
  requests: 'GET /api/requests',
  deliveries: 'GET /api/deliveries',
} as const

/** `/dashboard/exports/…`: the lists as CSV, with their filters. */
export const exports: Page = async (scope, deps) => {
  const sendCsv = createCsvExport(scope, deps)
  for (const [name, route] of Object.entries(exported)) {
    const capability = catalogue.find(({ rest }) => rest.route === route)
    if (!capability) throw new Error(`there is no operation at ${route}`)
    const { operation } = capability
    const filters = Object.keys(operation.input.shape).filter(isFilter)

    const { part = operation.scope } = operation
    const config = part ? { part } : {}
    const options = { exposeHeadRoute: false, config }
    scope.get(pathOf(name), options, async (request, reply) => {
      const values = filtersOf(request, filters)
      await deps.call(request, operation, { ...values, limit: 1 })
      const input = parseInput(operation.input, values)
      const zone = zoneOf(request)
      return sendCsv(request, reply, { capability, door: 'dashboard', input, zone })
    })
  }
}

const pathOf = (name: string) => `/dashboard/exports/${name}.csv`
const isFilter = (name: string) => !['limit', 'cursor'].includes(name)

function filtersOf(request: FastifyRequest, filters: readonly string[]) {
  const values = textFields(request.query, [...filters, 'from', 'until'])
  return Object.fromEntries(
    Object.entries({ ...values, ...zonedTimes(request, values) }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** The link from a list to its export, with the same filters. */
export const exportLink = (
  name: keyof typeof exported,
  filter: Record<string, string | undefined>,
): Html => html`<p class="exports">${ui.link(withQuery(pathOf(name), filter), 'Export as CSV')}</p>`
