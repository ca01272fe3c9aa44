import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/developers.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

let doors: Doors
let browser: Browser

beforeAll(async () => {
  doors = await openDoors()
  browser = await openBrowser(doors)
})
afterAll(() => doors?.close())

const PATH = '/dashboard/agents'
const said = {
  name: 'page-agent',
  description: 'Books dinners',
  capabilities: 'booking, travel.planning',
  version: '1.0.0',
  visibility: 'public',
  a2a_url: 'https://agent.example/a2a',
  mcp_url: '',
  homepage: '',
}

test('a developer registers an agent, changes it and deletes it', async () => {
  const before = await browser.get(PATH)
  expect(before.html).toContain('No agents yet')
  expect(before.html.length).toBeLessThan(60_000)
  const made = await browser.post(PATH, said)
  expect([made.status, made.headers.get('location')]).toEqual([
    303,
    `${PATH}/page-agent?done=registered`,
  ])
  const page = await browser.get(`${PATH}/page-agent?done=registered`)
  expect(page.html).toContain('Only your account can use its name')
  expect(page.html).toContain('/agents/page-agent/.well-known/agent-card.json')
  expect(page.html).toContain('value="booking travel.planning"')
  const changed = await browser.post(`${PATH}/page-agent`, { ...said, visibility: 'private' })
  expect(changed.status).toBe(303)
  expect((await browser.get(`${PATH}/page-agent`)).html).not.toContain('Agent Card</dt>')
  expect((await browser.get(PATH)).html).toContain('agent://page-agent')
  const asked = await browser.get(`${PATH}/page-agent/delete`)
  expect(asked.html).toContain('Keep the agent')
  const deleted = await browser.post(`${PATH}/page-agent/delete`)
  expect(deleted.headers.get('location')).toBe(`${PATH}?done=deleted`)
  expect((await browser.get(`${PATH}/page-agent`)).status).toBe(404)
})

test('a refused form is shown again with all its input', async () => {
  const { status, html } = await browser.post(PATH, { ...said, name: 'admin' })
  expect(status).toBe(422)
  expect(html).toContain('role="alert"')
  expect(html).toContain('value="admin"')
  expect(html).toContain('value="https://agent.example/a2a"')
  expect((await browser.post(PATH, { ...said, name: 'good', version: 'x' })).status).toBe(400)
})

test('agents of other accounts are not found, even public ones', async () => {
  await browser.post(PATH, { ...said, name: 'of-one' })
  const other = await openBrowser(doors)
  expect((await other.get(PATH)).html).not.toContain('of-one')
  expect((await other.get(`${PATH}/of-one`)).status).toBe(404)
  expect((await other.post(`${PATH}/of-one`, said)).status).toBe(404)
  expect((await other.get(`${PATH}/of-one/delete`)).status).toBe(404)
  expect((await other.post(`${PATH}/of-one/delete`)).status).toBe(404)
  expect((await browser.get(`${PATH}/of-one`)).status).toBe(200)
})

test('an agent’s texts are always shown as text', async () => {
  const description = '<script>alert(1)</script> "quoted"'
  await browser.post(PATH, { ...said, name: 'hostile', description })
  for (const path of [PATH, `${PATH}/hostile`]) {
    const { html } = await browser.get(path)
    expect(html).not.toContain('<script>alert')
    expect(html).toContain('&lt;script&gt;')
  }
})
