import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { isNightly } from '../../support/nightly.ts'
import { demoCatalogue } from './catalogue.ts'
import { type Answered, gradeOf, testsOf } from './grade.ts'
import { measure } from './measure.ts'
import { openSearch } from './open-search.ts'
import { type GoldenQuery, readQueries } from './queries.ts'
import {
  failureLines,
  kindLines,
  recordedScores,
  recordText,
  scoreTable,
  worsened,
} from './report.ts'
import { settled } from './settle.ts'

/**
 * Search quality, as scores that must not fall. After a change that raises them, record them with
 * `GOLDEN_RECORD=1 npm test -- test/venues/golden` and commit `recorded.json`.
 */
const sets = [
  { name: 'tuned', file: 'queries.jsonl', leastP1: 0.95 },
  { name: 'people', file: 'people.jsonl', leastP1: 0.88 },
  { name: 'review', file: 'review.jsonl', leastP1: 38 / 42, leastHonesty: 41 / 42 },
  { name: 'unseen', file: 'unseen.jsonl', leastP1: 0.93 },
  { name: 'travellers', file: 'travellers.jsonl', leastP1: 0.9 },
  // Search is not tuned to these queries: only the scores are shown.
  { name: 'apart', file: 'apart.jsonl', leastP1: 0.9, isSealed: true },
  { name: 'travellers apart', file: 'travellers-apart.jsonl', leastP1: 0.9, isSealed: true },
].map((set) => {
  const queries = readQueries(resolve(import.meta.dirname, set.file))
  return { leastHonesty: 0, isSealed: false, ...set, queries }
})

/** A late Wednesday morning; the date is the same everywhere in the network. */
const NOW = new Date('2026-11-18T03:00:00Z')
const TODAY = '2026-11-18'

const RECORDED = resolve(import.meta.dirname, 'recorded.json')
const isRecording = process.env.GOLDEN_RECORD === '1'

const catalogue = demoCatalogue()

let search: Awaited<ReturnType<typeof openSearch>>
beforeAll(async () => {
  search = await openSearch()
})
afterAll(() => search.close())

const answer = async (query: GoldenQuery): Promise<Answered> => ({
  query: settled(query, catalogue),
  ...(await search.ask(query.q, NOW)),
})

function readRecorded(): z.infer<typeof recordedScores> {
  return existsSync(RECORDED)
    ? recordedScores.parse(JSON.parse(readFileSync(RECORDED, 'utf8')))
    : {}
}

test('every recorded set of queries still exists', () => {
  const names: string[] = sets.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(readRecorded())))
})

const graded = sets.filter(({ isSealed }) => isNightly || !isSealed)

describe.each(graded)('the $name queries', (set) => {
  const { name, queries, leastP1, leastHonesty, isSealed } = set

  test('are unique, and their expected venues exist', () => {
    expect(new Set(queries.map(({ q }) => q.toLowerCase())).size).toBe(queries.length)
    const slugs = new Set(catalogue.map(({ slug }) => slug))
    for (const query of queries) {
      const { q, first, also } = query
      const tests = testsOf(first)
      for (const slug of [...tests, also ?? {}].flatMap(({ slugs = [] }) => slugs)) {
        expect(slugs, q).toContain(slug)
      }
      const reachable = settled(query, catalogue)
      if (first)
        expect(
          catalogue.some((venue) => gradeOf(reachable, venue) === 2),
          q,
        ).toBe(true)
    }
  })

  test(`score no worse than recorded, with a P@1 of at least ${leastP1}`, async () => {
    const run: Answered[] = []
    for (const query of queries) run.push(await answer(query))
    const now = measure(run, catalogue, TODAY)
    const recorded = readRecorded()
    console.log(
      [
        scoreTable(`${name} (${queries.length})`, now, recorded[name]),
        ...kindLines(run, TODAY),
        ...(isSealed ? [] : failureLines(run, TODAY)),
      ].join('\n'),
    )
    if (isRecording) writeFileSync(RECORDED, recordText({ ...recorded, [name]: now }))
    else expect(worsened(now, recorded[name]), 'worse than recorded, or never recorded').toEqual([])
    expect(now.p_at_1).toBeGreaterThanOrEqual(leastP1)
    expect(now.honesty).toBeGreaterThanOrEqual(leastHonesty)
  })
})
