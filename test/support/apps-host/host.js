import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

const READY = 'ui/notifications/sandbox-proxy-ready'

/** Shows a view as hosts do: in a sandbox of another origin, connected by the package's bridge. */
window.openApp = async ({ sandbox, html, csp, capabilities, hostContext, input, result }) => {
  const frame = document.createElement('iframe')
  frame.style = 'width: 100%; border: 0'
  const ready = new Promise((resolve) => {
    window.addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data?.method === READY) resolve()
    })
  })
  frame.src = sandbox
  document.body.replaceChildren(frame)
  await ready
  const info = { name: 'test', version: '1.0.0' }
  const bridge = new AppBridge(null, info, capabilities, { hostContext })
  bridge.oncalltool = (params) => window.hear('tools/call', params)
  bridge.onmessage = (params) => window.hear('ui/message', params)
  bridge.onopenlink = (params) => window.hear('ui/open-link', params)
  bridge.ondownloadfile = (params) => window.hear('ui/download-file', params)
  bridge.onupdatemodelcontext = (params) => window.hear('ui/update-model-context', params)
  bridge.onsizechange = ({ height }) => {
    frame.style.height = `${height}px`
  }
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  await bridge.sendSandboxResourceReady({ html, csp })
  await initialized
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(result)
  window.bridge = bridge
}
