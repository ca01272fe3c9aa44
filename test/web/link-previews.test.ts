import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Doors, openDoors } from '../support/open-doors.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'
const venue = 'angin-laut-sushi-canggu'
let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const pages = [
  ...['/', '/venues', '/docs', '/docs/mcp', '/reference/', '/errors', '/status', '/terms'],
  ...['/sign-in', '/sign-up', '/docs/find?q=webhooks', '/nothing-here', '/venues/nowhere'],
]

/** The width and height in a PNG's header. */
const sizeOf = (png: Buffer) => {
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

describe('a link to a page', () => {
  test.each([...pages, `/venues/${venue}`])('%s has a title, words and a picture', async (path) => {
    const text = await (await fetch(doors.url + path, { headers: { accept: 'text/html' } })).text()
    const found = text.matchAll(/<meta property="og:([\w:]+)" content="([^"]*)">/g)
    const tags = Object.fromEntries([...found].map(([, name, value]) => [name, value]))
    const [, title] = /<title>([^<]+)</.exec(text) ?? []
    expect(tags).toMatchObject({ title, type: 'website', url: PUBLIC_URL + path })
    expect(tags.description?.length).toBeGreaterThan(20)
    expect(text).toContain('<meta name="twitter:card" content="summary_large_image">')
    const picture = await fetch((tags.image ?? '').replace(PUBLIC_URL, doors.url))
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(sizeOf(Buffer.from(await picture.arrayBuffer()))).toEqual([1200, 630])
  })
})
