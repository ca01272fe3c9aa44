// Says that a person has seen the notice. Programs that check mails open pages, but do not touch.
const acts = ['pointerdown', 'pointermove', 'keydown', 'scroll']
const heard = new AbortController()
const seen = ({ isTrusted }) => {
  if (!isTrusted) return
  heard.abort()
  fetch(`${location.pathname}/seen`, { method: 'POST', keepalive: true }).catch(() => {})
}
for (const act of acts) addEventListener(act, seen, { passive: true, signal: heard.signal })
