import { expect } from 'vitest'
import { savedQueries, venueQueries } from '../../src/web/dashboard/temporal-links.ts'
import { listed } from '../support/histories.ts'
import { test } from '../support/service.ts'

test('Temporal understands every saved query', async ({ service: { client } }) => {
  const queries = { ...savedQueries, ...venueQueries('angin-laut-sushi-canggu') }
  for (const query of Object.values(queries)) {
    expect(await listed(client, query)).toBeInstanceOf(Array)
  }
})
