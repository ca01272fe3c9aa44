import { bearer, type Holder, postEnvelope } from './open-doors.ts'

/** Calls to agent operations through the doors at `url()`, which may not be open yet. */
export function agentCalls(url: () => string) {
  const call = async (holder: Holder | null, method: string, path: string, body?: unknown) => {
    const response = await fetch(url() + path, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...(holder && bearer(holder.key)) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: json ? JSON.parse(text) : text,
    } as { status: number; headers: Headers; body: any }
  }

  const register = (holder: Holder, name: string, more: Record<string, unknown> = {}) =>
    call(holder, 'POST', '/api/agents', { name, description: 'Books dinners', ...more })

  const cardOf = (name: string) => call(null, 'GET', `/agents/${name}/.well-known/agent-card.json`)

  const ping = async (holder: Holder, from: string) => {
    const { status, body } = await postEnvelope(url(), holder.key, {
      from,
      intent: 'network.ping',
    })
    return [status, body.error?.code ?? 'ok']
  }
  return { call, register, cardOf, ping }
}
