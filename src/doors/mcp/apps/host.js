// MCP Apps 2026-01-26: JSON-RPC 2.0 over postMessage, in the frame of a host.

const TIMEOUT_MS = 90_000
const waiting = new Map()
let lastId = 0

const send = (message) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')

/** Sends a request to the host; rejects if it is refused or not answered in time. */
const request = (method, params) =>
  new Promise((resolve, reject) => {
    const id = ++lastId
    const timer = setTimeout(() => waiting.get(id)({ error: { message: 'timeout' } }), TIMEOUT_MS)
    waiting.set(id, ({ result, error }) => {
      clearTimeout(timer)
      waiting.delete(id)
      if (error) reject(error)
      else resolve(result)
    })
    send({ id, method, params })
  })

/** Whether the host did what it was asked to do. */
const tryRequest = (method, params) =>
  request(method, params).then(
    (result) => !result?.isError,
    () => false,
  )

/** A tool's answer, which stands in its text as JSON. */
function answerOf({ content = [], structuredContent, isError }) {
  try {
    const answer = structuredContent ?? JSON.parse(content.find(({ text }) => text).text)
    return isError && !answer.error ? { error: answer } : answer
  } catch {
    return { error: {} }
  }
}

/** Hosts pass the refusal of a call without a sign-in on in different forms. */
const lacksSignIn = (error) =>
  /unauthenticated|unauthorized|sign-in|\b401\b/i.test(JSON.stringify(error))

/** Calls a tool of the server; without an answer it may have run all the same. */
const callTool = (name, args) =>
  request('tools/call', { name, arguments: args }).then(answerOf, (error) => ({
    error: { code: lacksSignIn(error) ? 'unauthenticated' : 'lost' },
  }))

/** Takes on the host's theme, variables and language; fonts would have to be loaded. */
function adapt({ theme, styles, locale }) {
  const root = document.documentElement
  if (theme) root.style.colorScheme = theme
  if (locale) root.lang = /^id\b/i.test(locale) ? 'id' : 'en'
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (value) root.style.setProperty(name, value)
  }
}

/** Connects to the host; `hear` has a function for each notification. */
export async function connectHost(hear) {
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return
    const { id, method, params = {} } = data
    if (method === undefined) return waiting.get(id)?.(data)
    // There is nothing to save before `ui/resource-teardown`, and `ping` expects the same.
    if (id !== undefined) return send({ id, result: {} })
    if (method === 'ui/notifications/host-context-changed') adapt(params)
    hear[method.replace('ui/notifications/', '')]?.(params)
  })
  const { hostCapabilities, hostContext = {} } = await request('ui/initialize', {
    appInfo: { name: 'slots', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
    protocolVersion: '2026-01-26',
  })
  adapt(hostContext)
  send({ method: 'ui/notifications/initialized' })
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect()
    const params = { width: Math.ceil(width), height: Math.ceil(height) }
    send({ method: 'ui/notifications/size-changed', params })
  }).observe(document.documentElement, { box: 'border-box' })
  const tool = hostContext.toolInfo?.tool?.name
  return { callTool, tryRequest, answerOf, can: hostCapabilities ?? {}, tool }
}
