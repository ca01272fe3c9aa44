import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMcpClient } from '../support/mcp-tool.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { spaRecord } from '../support/spa-records.ts'
import { load } from '../venues/import-load.ts'

let doors: Doors
let client: Awaited<ReturnType<typeof openMcpClient>>

beforeAll(async () => {
  doors = await openDoors()
  client = await openMcpClient(doors.url, (await doors.openAccount('pro')).key)
})
afterAll(async () => {
  await client.close()
  await doors.close()
})

const tokensOf = async (name: string, input: Record<string, unknown>) => {
  const result = await client.callTool({ name, arguments: input })
  expect(result.isError).toBeUndefined()
  return countTokens(JSON.stringify(result))
}

test('all tools and the instructions take up little context', async () => {
  const list = await client.listTools()
  expect(list.tools.length).toBeLessThanOrEqual(22)
  expect(countTokens(JSON.stringify(list))).toBeLessThan(5_600)
  expect(countTokens(client.getInstructions() ?? '')).toBeLessThan(250)
  expect(client.getInstructions()).toContain('guest_url')
})

test('a search of five venues stays under 1,500 tokens', async () => {
  for (const query of ['sushi in Canggu', 'restaurant in Bali for 2 tomorrow at 19:00']) {
    expect(await tokensOf('search_venues', { query, limit: 5 })).toBeLessThan(1_500)
  }
})

test('a day of a venue stays under 700 tokens, and fourteen under 3,000', async () => {
  const { rows } = await doors.db.query('select slug from venue order by slug')
  const most = { day: 0, fortnight: 0 }
  for (const { slug } of rows.filter((_, index) => index % 8 === 0)) {
    const [day, fortnight] = [
      { venue: slug, date: 'tomorrow' },
      { venue: slug, days: 14 },
    ]
    most.day = Math.max(most.day, await tokensOf('check_availability', day))
    most.fortnight = Math.max(most.fortnight, await tokensOf('check_availability', fortnight))
  }
  expect(most.day).toBeLessThan(700)
  expect(most.fortnight).toBeLessThan(3_000)
})

test('spas with sixty treatments take up no more, and each shows all of its own', async () => {
  const kinds = ['Massage', 'Facial', 'Body scrub', 'Flower bath']
  const treatments = Array.from({ length: 60 }, (_, index) => ({
    name: `${['Royal', 'Balinese', 'Herbal'][index % 3]} ${kinds[index % 4]} ${index + 1}`,
    lengths: { 60: 300_000_00 + index * 10_000_00, 90: 450_000_00 + index * 15_000_00 },
    description: 'Slow and warm, with oils from the garden and a cup of ginger tea.',
  }))
  const spas = ['Teduh', 'Sejuk', 'Ombak', 'Rimbun', 'Batu'].map((name) =>
    spaRecord(`${name} Spa`, treatments, ['Ayu', 'Made', 'Komang']),
  )
  expect(await load(doors.db, JSON.stringify(spas), 'json')).toMatchObject({ new: 5 })
  for (const query of ['massage in Amed', 'spa in Amed for 2 tomorrow', '90 minute facial, Amed']) {
    expect(await tokensOf('search_venues', { query, limit: 5 }), query).toBeLessThan(1_900)
  }
  const venue = 'teduh-spa-amed'
  expect(await tokensOf('check_availability', { venue, date: 'tomorrow' })).toBeLessThan(700)
  expect(await tokensOf('check_availability', { venue, days: 14 })).toBeLessThan(3_000)
  const result = await client.callTool({ name: 'get_venue', arguments: { venue } })
  const [{ text }] = result.content as [{ text: string }]
  const { services } = JSON.parse(text).venue
  expect(services).toHaveLength(60)
})
