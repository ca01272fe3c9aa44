import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AppWindow, openAppsHost } from '../support/apps-host/open-apps-host.ts'
import { openChromium } from '../support/chromium.ts'
import { openMcpClient } from '../support/mcp-tool.ts'
import { openService, type Service } from '../support/network.ts'
import { axeFaults, sidewaysFaults } from '../support/page-faults.ts'

const VENUE = 'angin-laut-sushi-canggu'
const HOSTILE = `<img src=x onerror="parent.hear('xss')">${'W'.repeat(80)}`
const all = { serverTools: {}, openLinks: {}, downloadFile: {}, updateModelContext: {} }
const narrow = { viewport: { width: 320, height: 700 } }

let service: Service
let chromium: Browser
let host: Awaited<ReturnType<typeof openAppsHost>>
let client: Awaited<ReturnType<typeof openMcpClient>>
let html: string

beforeAll(async () => {
  service = await openService()
  await service.db.query(`update venue set name = $1 where slug = 'bulan-sushi-uluwatu'`, [HOSTILE])
  chromium = await openChromium()
  host = await openAppsHost(chromium)
  client = await openMcpClient(service.url, service.agent.key)
  const { tools } = await client.listTools()
  const tool: any = tools.find(({ name }) => name === 'search_venues')
  const { contents } = await client.readResource({ uri: tool._meta.ui.resourceUri })
  html = (contents[0] as { text: string }).text
}, 120_000)
afterAll(async () => {
  await client?.close()
  await host?.close()
  await chromium?.close()
  await service?.close()
})

/** A host's window, and what the view asked of the host, in order. */
async function openHost(
  look: BrowserContextOptions,
  loses = (_name: string) => false,
  caller: Pick<typeof client, 'callTool'> = client,
) {
  const heard: [string, any][] = []
  const window = await host.open(look, async (method, params) => {
    heard.push([method, params])
    if (loses(params.name)) throw new Error('connection lost')
    return method === 'tools/call' ? caller.callTool(params) : {}
  })
  return { ...window, heard }
}

/** Calls a tool as the model, and shows its result in the view. */
async function show(
  window: AppWindow,
  [name, input]: [string, Record<string, unknown>],
  { capabilities = all, ...hostContext }: Record<string, any> = {},
) {
  const result = await client.callTool({ name, arguments: input })
  const toolInfo = { tool: { name, inputSchema: { type: 'object' as const } } }
  await window.show({
    html,
    capabilities,
    hostContext: { toolInfo, ...hostContext },
    input,
    result,
  })
  await window.view.locator('h1').waitFor()
}

async function faultsOf({ page, faults }: AppWindow): Promise<string[]> {
  const view = page.frames().at(-1) as unknown as Page
  return [...faults, ...(await axeFaults(view)), ...(await sidewaysFaults(view))]
}

test('a tapped time is held; booking and cancelling ask first', async () => {
  await using window = await openHost(narrow)
  const { view, heard } = window
  const calls = () => heard.filter(([method]) => method === 'tools/call').map(([, one]) => one)
  const press = (name: string | RegExp) =>
    view.getByRole('button', { name, exact: true }).press('Enter')
  await show(window, ['search_venues', { query: 'sushi in Canggu for 2 tomorrow at 19:00' }])
  await view.getByRole('heading', { name: 'Angin Laut Sushi' }).waitFor()
  expect(await faultsOf(window)).toEqual([])
  await press('19:00')
  await view.getByText(/^Not booked yet\. Kept until/).waitFor()
  expect(await view.locator('h1:focus').textContent()).toBe('Angin Laut Sushi')
  expect(calls()).toMatchObject([{ name: 'hold_slot', arguments: { venue: VENUE, party_size: 2 } }])
  expect(await faultsOf(window)).toEqual([])

  await press('Book this')
  expect(await view.locator('input:invalid').count()).toBe(1)
  await view.getByLabel('Your name').fill('Budi')
  await view.getByLabel('Email or phone').fill('budi@example.com')
  await press('Book this')
  await view.getByText(/^Booking fee: IDR/).waitFor()
  await view.getByText(/^Cancelling is free until/).waitFor()
  await view.locator('h1').press('Escape')
  await view.getByText(/^Not booked yet/).waitFor()
  expect(calls()).toHaveLength(1)
  await view.getByLabel('Your name').fill('Budi')
  await view.getByLabel('Email or phone').fill('budi@example.com')
  await press('Book this')
  await press('Yes')
  await view.getByText('Confirmed. They expect you.').waitFor()
  const guest = { name: 'Budi', email: 'budi@example.com' }
  expect(calls()[1]).toMatchObject({ name: 'confirm_booking', arguments: { guest } })
  expect(heard.at(-1)).toMatchObject(['ui/update-model-context', expect.anything()])

  await press('Add to calendar')
  await expect.poll(() => heard.at(-1)?.[0]).toBe('ui/download-file')
  expect(heard.at(-1)?.[1].contents[0].resource.text).toContain('BEGIN:VCALENDAR')
  await press('Directions')
  await expect.poll(() => heard.at(-1)?.[1].url).toMatch(/openstreetmap/)
  await press('Cancel this booking')
  await view.getByText(/^Cancel(ling|ing) is free until/).waitFor()
  expect(calls().map(({ name }) => name)).not.toContain('cancel_booking')
  await press('No, keep it')
  await press('Cancel this booking')
  await press('Yes, cancel it')
  await view.getByText('Cancelled.', { exact: true }).waitFor()
  const { rows } = await service.db.query('select status from booking')
  expect(rows).toEqual([{ status: 'cancelled' }])
  await press('Back')
  await view.getByRole('button', { name: '19:30' }).first().waitFor()
  expect(await faultsOf(window)).toEqual([])
})

test('a name is text in its own direction, and wraps', async () => {
  await using window = await openHost(narrow)
  const { view } = window
  await show(window, ['check_availability', { venue: 'bulan-sushi-uluwatu', date: 'tomorrow' }])
  expect(await view.locator('h2 bdi').textContent()).toBe(HOSTILE)
  expect(await view.locator('img').count()).toBe(0)
  expect(await faultsOf(window)).toEqual([])
})

test('a host without tools for views gets each tap as a message, in its language', async () => {
  await using window = await openHost({ ...narrow, colorScheme: 'light' })
  const { view, heard } = window
  const { serverTools: _, ...capabilities } = all
  const context = { capabilities, locale: 'id-ID', theme: 'dark' }
  const variables = { '--color-background-primary': 'rgb(1, 2, 3)' }
  await show(window, ['check_availability', { venue: VENUE, date: 'tomorrow', party_size: 3 }], {
    ...context,
    styles: { variables },
  })
  expect(await view.locator('h1').textContent()).toBe('Waktu kosong')
  const root = view.locator('html')
  const styles = await root.evaluate((node) => {
    const { backgroundColor, colorScheme } = (globalThis as any).getComputedStyle(node)
    return { backgroundColor, colorScheme }
  })
  expect(styles).toEqual({ backgroundColor: 'rgb(1, 2, 3)', colorScheme: 'dark' })
  await view.getByRole('button', { name: '19.00' }).click()
  await view.getByText('Asisten sudah menerimanya.').waitFor()
  const [[method, { role, content }]] = heard as [[string, any]]
  expect([method, role]).toEqual(['ui/message', 'user'])
  expect(content[0].text).toMatch(/^Tolong .* hold_slot \{"venue":"angin-laut-sushi-canggu"/)
  expect(content[0].text).toContain('"party_size":3')
  await window.change({ locale: 'en-GB' })
  await view.getByText('Free times').waitFor()
  expect(await faultsOf(window)).toEqual([])
})

test('a spa asks which treatment; the view says if no answer came, or none to show', async () => {
  let isLost = false
  await using window = await openHost(narrow, (name) => name === 'hold_slot' && isLost)
  const { view, heard } = window
  const press = (name: string) => view.getByRole('button', { name }).first().click()
  await show(window, ['check_availability', { venue: 'lumbung-spa-seminyak', date: 'tomorrow' }])
  const days = await view.locator('summary').allTextContents()
  await press('More times')
  await view.locator('summary', { hasText: days[0] ?? '' }).waitFor({ state: 'detached' })
  await view.locator('details').first().waitFor()
  await press('10:00')
  await view.getByText('Which one?').waitFor()
  expect(await faultsOf(window)).toEqual([])
  isLost = true
  await press('Hot stone massage')
  await view.getByText('No answer came. It may have worked.').waitFor()
  expect(heard.at(-1)?.[1].arguments).toMatchObject({
    service: 'Hot stone massage',
    minutes: 90,
    party_size: 2,
  })
  await press('Back')
  await view.locator('details').first().waitFor()
  const [{ id }] = (await service.db.query('select id from booking limit 1')).rows
  const timeline = { booking_id: id, action: 'timeline' }
  const result = await client.callTool({ name: 'get_booking', arguments: timeline })
  await window.show({ html, capabilities: all, hostContext: {}, input: timeline, result })
  await view.getByText('The assistant has it.').waitFor()
})

test('a tap without a sign-in says so, and lets the assistant begin one', async () => {
  const stranger = new Client({ name: 'test', version: '1.0.0' })
  await stranger.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)))
  await using window = await openHost(narrow, undefined, stranger as never)
  const { view, heard } = window
  await show(window, ['search_venues', { query: 'sushi in Canggu for 2 tomorrow at 19:00' }])
  await view.getByRole('button', { name: '19:00', exact: true }).click()
  await view.getByRole('heading', { name: 'Sign in to hold this time' }).waitFor()
  await view.getByRole('button', { name: 'Sign in', exact: true }).click()
  await view.getByText('The assistant has it.').waitFor()
  expect(heard.at(-1)?.[1].content[0].text).toContain(`hold_slot {"venue":"${VENUE}"`)
  expect(await faultsOf(window)).toEqual([])
  await stranger.close()
})

test('a refusal shows what to do, without words that are for models', async () => {
  await using window = await openHost({ ...narrow, colorScheme: 'dark' })
  const { view, heard } = window
  const closed = { venue: VENUE, slot_time: 'tomorrow 03:00', party_size: 2 }
  await show(window, ['confirm_booking', closed])
  expect(await view.locator('h1').textContent()).toBe('That did not work')
  await view.getByRole('button', { name: /^17:00/ }).waitFor()
  expect(await view.locator('main').textContent()).not.toContain('`')
  await view.getByRole('button', { name: 'Ask the assistant' }).click()
  await expect.poll(() => heard.at(-1)?.[0]).toBe('ui/message')
  expect(await faultsOf(window)).toEqual([])
})
