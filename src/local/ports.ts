import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** Listens for a moment; rejects with EADDRINUSE and the like when that cannot be done. */
async function tryListen(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return bound
}

/** The preferred loopback port if it is free, otherwise some free one. */
export async function choosePort(preferred?: number): Promise<number> {
  if (preferred === undefined) return tryListen('127.0.0.1', 0)
  return tryListen('127.0.0.1', preferred).catch(() => tryListen('127.0.0.1', 0))
}

const LOW = { from: 20_000, to: 32_767, attempts: 100 }

/**
 * The same among ports that fit into 15 bits: Temporal keeps those of its services in a `smallint`, and the ports that Linux gives out
 * begin above.
 */
export async function chooseLowPort(preferred = randomInt(LOW.from, LOW.to)): Promise<number> {
  let candidate = preferred
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryListen('127.0.0.1', candidate)
    } catch (error) {
      if (attempt === LOW.attempts) throw error
      candidate = randomInt(LOW.from, LOW.to)
    }
  }
}

/** Throws one sentence that says what to do when the doors could not listen there. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  try {
    await tryListen(host, port)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} on ${host} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
      )
    }
    throw new Error(`Cannot listen on ${host} port ${port} (${message}). Set HOST and PORT.`)
  }
}

/** Whether something accepts connections there, within five seconds. */
export async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 5_000 })
  try {
    await Promise.race([once(socket, 'connect'), once(socket, 'timeout').then(giveUp)])
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function giveUp(): never {
  throw new Error('no answer')
}
