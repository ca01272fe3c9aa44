import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linksOf } from '../support/crawl.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'
import { load } from './import-load.ts'

let doors: Doors
beforeAll(async () => {
  doors = await openDoors()
})
afterAll(() => doors?.close())

const look = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
  const response = await fetch(doors.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const linkedData = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null')
const cardsOf = (page: string) =>
  [...page.matchAll(/<h3><a href="\/venues\/([^"]+)">/g)].map(([, slug = '']) => slug)
const dayAhead = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('the search', () => {
  test('finds the same as the agents’ search, and shows its interpretation', async () => {
    const { text } = await look('/venues?q=spa+in+Ubud+for+2')
    const { key } = await doors.openAccount('free')
    const same = '/api/venues/search?q=spa+in+Ubud+for+2&limit=12&detail=full'
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(doors.url + same, { headers })
    const body = (await response.json()) as { venues: { slug: string }[] }
    expect(cardsOf(text)).toEqual(body.venues.map(({ slug }) => slug))
    expect(text).toContain('Searched for: Spa, in Ubud, for 2.')
  })

  test('accepts category, area, party, date and time', async () => {
    const on = async (date: string) => {
      const query = `category=gym&area=Canggu&party_size=1&date=${date}&time=10:00`
      return { date, ...(await look(`/venues?${query}`)) }
    }
    const pages = await Promise.all([3, 4, 5, 6, 7, 8, 9].map((days) => on(dayAhead(days))))
    expect(pages.map(({ status }) => status)).toEqual(Array(7).fill(200))
    // Not every gym has a class at ten every day of the week.
    const { date = '', text = '' } = pages.find(({ text }) => cardsOf(text).length > 0) ?? {}
    expect(text).toContain('Gym · Canggu, Bali')
    expect(text).not.toMatch(/(Spa|Bar|Restaurant) · /)
    expect(text).toContain(`value="${date}"`)
  })

  test('pages through all venues, each once', async () => {
    const seen: string[] = []
    let next: string | undefined = '/venues?area=Bali'
    while (next) {
      const { text } = await look(next)
      seen.push(...cardsOf(text))
      const links = linksOf(/<a rel="next"[^>]*>/.exec(text)?.[0] ?? '', doors.url)
      next = links[0]?.slice(doors.url.length)
    }
    const { rows } = await doors.db.query(
      `select count(*) from venue join area a on a.slug = area_slug where a.city = 'Bali'`,
    )
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBe(Number(rows[0].count))
  })

  test.each([
    ['/venues?area=Atlantis', 400, 'area: give a city, island or country that the network covers.'],
    ['/venues?category=castle', 400, 'category: choose one of those listed.'],
    ['/venues?party_size=many', 400, 'party size: give a number.'],
    ['/venues?cursor=nonsense', 400, 'The cursor is not valid'],
    ['/venues?date=2020-01-01', 422, '2020-01-01 is over'],
  ])('explains what is wrong with %s and keeps the form', async (path, status, words) => {
    const page = await look(path)
    expect(page.status).toBe(status)
    expect(page.text).toContain(words)
    expect(page.text).toContain('<form class="search"')
  })

  test('says how long a search may be, counted with its area', async () => {
    const query = `q=${'noodles '.repeat(624)}&category=restaurant&area=${'A'.repeat(60)}`
    const page = await look(`/venues?${query}`)
    expect(page.status).toBe(400)
    expect(page.text).toMatch(/Your search has 5\d{3} characters\. The limit is 5000\./)
  })

  test('shows the query as text', async () => {
    const { text } = await look(`/venues?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
  })

  test('lists the cities of the network, and the areas of a city', async () => {
    const all = (await look('/venues')).text
    expect(all).toMatch(/<a href="\/venues\?area=Bali"><bdi>Bali<\/bdi><\/a> \d+/)
    expect(all.indexOf('class="cards"')).toBeLessThan(all.indexOf('class="places"'))
    expect((await look('/venues?area=Bali')).text).toContain('href="/venues?area=ubud"')
    expect((await look('/venues?area=Ubud')).text).not.toContain('class="places"')
  })

  test('says plainly what is not covered, and what is', async () => {
    const { text } = await look('/venues?q=vegan+tacos+in+Paris')
    expect(text).toContain('<strong>We don’t cover Paris, France.</strong>')
    expect(text).toContain('href="/venues?area=Bali"')
    expect(text).not.toContain('`covered`')
  })
})

describe('the page of a venue', () => {
  const slug = 'kelapa-bathhouse-ubud'

  test('lists its times, each linking to the call that books it', async () => {
    const { text } = await look(`/venues/${slug}`)
    const [time = ''] = /\/venues\/kelapa-bathhouse-ubud\?date=[^"]*#book/.exec(text) ?? []
    const address = time.replaceAll('&amp;', '&')
    const [, date, clock] = /date=([\d-]+)&party_size=\d+&time=([\d:]+)/.exec(address) ?? []
    const chosen = (await look(address)).text
    expect(chosen).toContain(`&quot;slot_time&quot;:&quot;${date}T${clock}:00&quot;`)
    expect(chosen).toContain('curl -s http://127.0.0.1:3000/api/bookings')
    expect(chosen).toContain('&quot;intent&quot;:&quot;booking.confirm&quot;')
  })

  test('shows a day for a party, including taken times', async () => {
    const { text, status } = await look(`/venues/${slug}?date=${dayAhead(2)}&party_size=2`)
    expect(status).toBe(200)
    expect(text).toMatch(/\d\d:\d\d( <small>(\d+ left|taken)<\/small>)?<\/(a|li)>/)
    expect(text).not.toContain('<small>free</small>')
  })

  test('says whose time it is, where it is, and how an assistant books', async () => {
    const { text } = await look(`/venues/${slug}?date=${dayAhead(2)}`)
    expect(text).toContain('local time in Bali, UTC+08:00')
    expect(text).toContain('Choose a time above, or let your assistant find one.')
    expect(text).toMatch(/<a href="tel:\+\d+">Call \+\d+<\/a>/)
    expect(text).toContain('https://www.openstreetmap.org/?mlat=-8.')
    const [address = '', clock] = /\/venues\/[^"]*time=(\d\d:\d\d)[^"]*#book/.exec(text) ?? []
    const chosen = (await look(address.replaceAll('&amp;', '&'))).text
    const when = `\\w{3} \\d+ \\w{3}, ${clock} for 2`
    const words = `<code>Book Kelapa Bathhouse, Ubud, ${when}, through venue-network<`
    expect(chosen).toMatch(new RegExp(words))
    const links = [...chosen.matchAll(/class="button second" href="([^"]+)"/g)]
    const query = (host: string) => {
      const [, href = ''] = links.find(([, href]) => href?.includes(host)) ?? []
      return new URL(href.replaceAll('&amp;', '&')).searchParams
    }
    const mcp = 'http://127.0.0.1:3000/mcp'
    expect(query('claude.ai').get('connectorUrl')).toBe(mcp)
    expect(JSON.parse(atob(query('cursor.com').get('config') ?? ''))).toEqual({ url: mcp })
    expect(JSON.parse(query('vscode.dev').get('config') ?? '')).toEqual({ type: 'http', url: mcp })
    const [forPeople, forDevelopers] = chosen.split('<details><summary>For developers')
    expect(forPeople).not.toMatch(/Network fee|Venue id|curl/)
    expect(forDevelopers).toMatch(/<code-tabs>.*<copy-button class="block".*Venue id/s)
    const taken = await look(`/venues/${slug}?date=${dayAhead(2)}&time=03:17`)
    expect(taken.text).toContain('03:17 is not free. Choose another time.')
    expect(chosen).not.toContain('method="post"')
    const { status } = await fetch(`${doors.url}/venues/${slug}/book`, { method: 'POST' })
    expect(status).toBe(404)
  })

  test('names the days on which it is closed', async () => {
    const monday = [2, 3, 4, 5, 6, 7, 8]
      .map(dayAhead)
      .find((date) => new Date(date).getUTCDay() === 1)
    const { text } = await look(`/venues/angin-laut-sushi-canggu?date=${monday}`)
    expect(text).toContain('Monday</td><td data-label="Open">closed<')
    expect(text).toMatch(/<h3>Mon \d+ \w{3}: closed<\/h3>/)
  })

  test.each([
    ['party_size=500', 'Parties of'],
    ['date=2020-01-01', 'is over'],
    ['date=someday', 'date: give a date as in 2026-12-24'],
  ])('explains the lack of times for %s', async (query, words) => {
    const { text, status } = await look(`/venues/${slug}?${query}`)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(text).toContain(words)
    expect(text).toContain('<h2>Opening hours</h2>')
  })

  test('has schema.org metadata', async () => {
    const data = linkedData((await look(`/venues/${slug}`)).text)
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'DaySpa',
      url: `http://127.0.0.1:3000/venues/${slug}`,
      address: { '@type': 'PostalAddress', addressLocality: 'Ubud', addressCountry: 'ID' },
      potentialAction: {
        '@type': 'ReserveAction',
        target: [{ urlTemplate: 'http://127.0.0.1:3000/api/bookings', httpMethod: 'POST' }, {}],
      },
    })
    expect(data.openingHoursSpecification.length).toBeGreaterThan(0)
    for (const { opens, closes } of data.openingHoursSpecification) {
      expect(opens).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
      expect(closes).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
    }
  })

  test('has a Markdown version with the same times and calls', async () => {
    const path = `/venues/${slug}?date=${dayAhead(2)}&party_size=2`
    const { text } = await look(path)
    const twin = (await look(path.replace('?', '.md?'))).text
    const shown = [...text.matchAll(/(\d\d:\d\d) <small>/g)].map(([, clock]) => clock)
    const told = [...twin.matchAll(/^- \S+T(\d\d:\d\d):00: /gm)].map(([, clock]) => clock)
    expect(told.length).toBeGreaterThan(3)
    expect(told).toEqual(shown)
    const [, call = ''] = /-d '([^']+)'/.exec(twin) ?? []
    expect(text).toContain(call.replaceAll('"', '&quot;'))
  })

  test('is always revalidated, and answers 304 while unchanged', async () => {
    const path = `/venues/${slug}?date=${dayAhead(5)}&party_size=2`
    const { headers } = await look(path)
    expect(headers.get('cache-control')).toBe('no-cache')
    const etag = headers.get('etag') ?? ''
    expect((await look(path, { accept: 'text/html', 'if-none-match': etag })).status).toBe(304)
  })

  test('opened by the venue’s id redirects to its slug', async () => {
    const { rows } = await doors.db.query('select id from venue where slug = $1', [slug])
    const response = await fetch(`${doors.url}/venues/${rows[0].id}`, { redirect: 'manual' })
    expect(response.status).toBe(308)
    expect(response.headers.get('location')).toBe(`/venues/${slug}`)
    const asked = '?date=2030-01-05&party_size=4'
    const twin = await fetch(`${doors.url}/venues/${rows[0].id}.md${asked}`, { redirect: 'manual' })
    expect(twin.headers.get('location')).toBe(`/venues/${slug}.md${asked}`)
  })

  test('has a stable picture', async () => {
    const pictureOf = (page: string) => /<div class="picture[\s\S]*?<\/div>/.exec(page)?.[0]
    const first = pictureOf((await look(`/venues/${slug}`)).text)
    expect(first).toBeDefined()
    expect(pictureOf((await look(`/venues/${slug}?party_size=3`)).text)).toBe(first)
    expect(pictureOf((await look('/venues/satu-meja')).text)).not.toBe(first)
  })
})

describe('a malicious venue', () => {
  const slug = 'satu-meja'
  const name =
    `</script><script>alert(1)</script>"'&]]>-->` + '<b onload=x> [x](javascript:alert(2)) `#'

  test('is shown as text in HTML, linked data and Markdown', async () => {
    await doors.db.query(
      `update venue set name = $2, description = $2 || e'\\n# own heading', tags = array[$2]
       where slug = $1`,
      [slug, name],
    )
    // Venue data may be cached for five seconds.
    await expect
      .poll(async () => (await look(`/venues/${slug}`)).text, { timeout: 15_000, interval: 500 })
      .toContain('&lt;/script&gt;&lt;script&gt;alert(1)')
    const page = (await look(`/venues/${slug}`)).text
    expect(page).not.toContain('<script>alert')
    expect(page).not.toContain('<b onload')
    expect(linkedData(page).name).toBe(name)
    const twin = (await look(`/venues/${slug}.md`)).text
    expect(twin).not.toContain('<script>')
    expect(twin).not.toContain('[x](javascript')
    expect(twin).not.toMatch(/^# own heading/m)
  })

  test('is harmless in lists, on the map and in Markdown lists', async () => {
    const list = (await look('/venues?area=Ubud&category=restaurant')).text
    expect(list).toContain('&lt;script&gt;alert(1)')
    expect(list).not.toContain('<script>alert')
    const twin = (await look('/venues.md?area=Ubud&category=restaurant')).text
    expect(twin).toContain('alert')
    expect(twin).not.toContain('<script>')
    expect(twin).not.toContain('[x](javascript')
  })
})

test('a call that a reader pastes into a shell runs nothing of a service’s name', async () => {
  const name = `Chef's table'; echo pwned; $(echo pwned) '`
  const services = [{ name, strategy: 'pooled', hours: '24/7', places: 20 }]
  const place = { category: 'restaurant', latitude: -8.5069, longitude: 115.2625 }
  const venue = { id: 'shell', name: 'Shell House', ...place, services }
  expect((await load(doors.db, JSON.stringify({ venues: [venue] }), 'json')).new).toBe(1)
  const { text } = await look(`/venues/shell-house-ubud.md?service=${encodeURIComponent(name)}`)
  for (const door of ['REST', 'A2A']) {
    const call = new RegExp(`${door}:\\n\\n\`{3}\\n(curl.*?)\\n\`{3}`, 's').exec(text)?.[1]
    const last = execFileSync('sh', ['-c', `curl() { shift $(($# - 1)); echo "$1"; }\n${call}`])
    expect(JSON.stringify(JSON.parse(String(last)))).toContain(JSON.stringify(name))
  }
})

describe('limits', () => {
  test('apply by address, and a refusal is a page with the retry time', async () => {
    const narrow = await openDoors({ OPEN_REQUESTS_PER_MINUTE: '2' })
    const ask = () => fetch(`${narrow.url}/venues`, { headers: { accept: 'text/html' } })
    const first = await ask()
    expect(first.headers.get('ratelimit')).toContain('"address";r=1')
    await ask()
    const third = await ask()
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await third.text()).toContain('The limit is 2 requests in 60 seconds')
    await narrow.close()
  })
})
