import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { McpUiHostCapabilities, McpUiHostContext } from '@modelcontextprotocol/ext-apps'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { rolldown } from 'rolldown'

/** MCP Apps 2026-01-26, "Host Behavior": for a view that lists no domains. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'"

const hostPage =
  '<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><body>' +
  '<script type="module" src="/host.js"></script></html>'

/** A host of MCP Apps in a browser: the package's bridge, and a sandbox of another origin. */
export async function openAppsHost(browser: Browser) {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'host.js'),
    platform: 'browser',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const pages: Record<string, [string, string]> = {
    '/': ['text/html', hostPage],
    '/host.js': ['text/javascript', output[0].code],
    '/sandbox': ['text/html', readFileSync(join(import.meta.dirname, 'sandbox.html'), 'utf8')],
  }
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = pages[url] ?? ['text/plain', '']
    const headers = url === '/sandbox' ? { 'content-security-policy': policy } : {}
    response.writeHead(text ? 200 : 404, { 'content-type': type, ...headers }).end(text)
  })
  await new Promise<void>((ready) => server.listen(0, ready))
  const { port } = server.address() as AddressInfo

  return {
    async close() {
      server.close()
      await bundle.close()
    },
    /** A window of the host; `hear` answers what the view asks of the host. */
    async open(
      look: BrowserContextOptions,
      hear: (method: string, params: any) => Promise<unknown>,
    ): Promise<AppWindow> {
      const context = await browser.newContext(look)
      const page = await context.newPage()
      const faults: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('request', (request) => {
        if (!/localhost|127\.0\.0\.1|^about:/.test(request.url())) faults.push(request.url())
      })
      await page.exposeFunction('hear', hear)
      await page.goto(`http://localhost:${port}/`)
      const view = page.frameLocator('iframe').frameLocator('iframe')
      return {
        page,
        view,
        faults,
        show(app) {
          const whole: object = { ...app, sandbox: `http://127.0.0.1:${port}/sandbox` }
          return page.evaluate(openIn, whole)
        },
        change: (hostContext: object) => page.evaluate(changeIn, hostContext),
        [Symbol.asyncDispose]: () => context.close(),
      }
    },
  }
}

type App = {
  html: string
  capabilities: McpUiHostCapabilities
  hostContext: McpUiHostContext
  input: Record<string, unknown>
  result: unknown
}

export type AppWindow = {
  page: Page
  view: FrameLocator
  /** errors, and requests that left the host */
  faults: string[]
  show(app: App): Promise<void>
  change(hostContext: McpUiHostContext): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const openIn = (app: object): Promise<void> => (globalThis as any).openApp(app)
const changeIn = (context: object): void => (globalThis as any).bridge.setHostContext(context)
