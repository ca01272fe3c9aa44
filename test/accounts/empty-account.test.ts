import { afterAll, beforeAll, expect, test } from 'vitest'
import { linksOf } from '../support/crawl.ts'
import { openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

type Page = { status: number; location: string | null; bytes: number; linkedFrom: string }

const LARGEST_BYTES = 60_000
const MAX_PAGES = 200

let doors: Doors
let pages: Map<string, Page>

beforeAll(async () => {
  doors = await openDoors()
  pages = await walk()
})
afterAll(() => doors?.close())

/** Crawls a new operator's dashboard; external links are opened but not followed. */
async function walk(): Promise<Map<string, Page>> {
  const { get } = await openBrowser(doors, { isOperator: true })
  const seen = new Map<string, Page>()
  const kinds = new Set<string>()
  const queue = [{ path: '/dashboard', linkedFrom: '' }]
  for (let next = queue.shift(); next && seen.size < MAX_PAGES; next = queue.shift()) {
    const { path, linkedFrom } = next
    if (kinds.has(kindOf(path))) continue
    kinds.add(kindOf(path))
    const { status, html, headers } = await get(path)
    const bytes = Buffer.byteLength(html)
    seen.set(path, { status, location: headers.get('location'), bytes, linkedFrom })
    if (!isInside(path)) continue
    for (const link of linksOf(html, doors.url + path)) {
      const { origin, pathname, search } = new URL(link)
      if (origin === doors.url) queue.push({ path: pathname + search, linkedFrom: path })
    }
  }
  return seen
}

/** Addresses that differ only in query values, such as the month, count as one page. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, doors.url)
  return `${pathname}?${[...searchParams.keys()].sort()}`
}

const isInside = (path: string) => path.startsWith('/dashboard')

test('no page of an empty account has a dead link', () => {
  expect(pages.size).toBeGreaterThan(20)
  expect(pages.size).toBeLessThan(MAX_PAGES)
  const dead = [...pages].filter(([, { status }]) => status !== 200 && status !== 303)
  expect(dead).toEqual([])
})

test('each page of an empty account is small', () => {
  const large = [...pages].filter(([path, { bytes }]) => isInside(path) && bytes > LARGEST_BYTES)
  expect(large.map(([path, { bytes }]) => [path, bytes])).toEqual([])
})
