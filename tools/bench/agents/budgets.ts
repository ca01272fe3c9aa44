import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { addDays, toLocal } from '../../../src/base/local-time.ts'
import { plainTable } from '../../../src/platform/command-line/plain-table.ts'
import type { Guess } from './call.ts'
import { openDoor } from './doors.ts'

/** What the agent reads, and its maximum number of tokens (o200k_base). */
const budgets = { manual: 4_000, search: 1_500, day: 500, fortnight: 3_000 }

/** The tokens of the usual answers at each door. */
export async function measureAnswers(url: string, key: string) {
  const date = addDays(toLocal('Asia/Makassar', new Date()).slice(0, 10), 1)
  const query = 'restaurant in Seminyak for 2 tomorrow'
  const search: Guess = {
    a2a: ['booking.search', { query, limit: 5 }],
    rest: ['GET /api/venues/search', { q: query, limit: 5 }],
    mcp: ['search_venues', { query, limit: 5 }],
  }
  const days = (slug: string, days: number): Guess => ({
    a2a: ['venue.availability', { slug, date, days }],
    rest: [`GET /api/venues/${slug}/availability`, { date, days }],
    mcp: ['check_availability', { venue: slug, date, days }],
  })
  const measured: [string, ...number[]][] = []
  for (const [name, open] of Object.entries(openDoor)) {
    const door = await open(url, key)
    const send = async (guess: Guess) => {
      const [name, input = {}] = guess[door.family]
      const answer = await door.send({ name, input })
      if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal.message}`)
      return { output: answer.output, tokens: countTokens(answer.text) }
    }
    const manual = countTokens(await door.manual())
    const matches = await send(search)
    const { slug } = matches.output.venues[0]
    const day = await send(days(slug, 1))
    const fortnight = await send(days(slug, 14))
    measured.push([name, manual, matches.tokens, day.tokens, fortnight.tokens])
    await door.close()
  }
  const most = Object.values(budgets)
  // Only MCP clients give the whole manual to the model.
  const isWithin = measured.every(([name, ...tokens]) =>
    tokens.every((one, n) => one < (most[n] ?? 0) || (n === 0 && !name.startsWith('MCP'))),
  )
  const heads = ['tokens', 'tools or llms.txt', 'search, 5 venues', 'a day', '14 days']
  const rows = [['at most', ...most], ...measured].map((row) => row.map(String))
  return { rows: plainTable(heads, rows), isWithin }
}
