import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Listens briefly and returns the port; rejects with errors such as EADDRINUSE. */
async function tryListen(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
  return port
}

// Below the ports that systems use for outgoing connections (from 32768 on Linux, 49152 on macOS),
// so that no connection takes one before the server listens. Temporal stores ports as `smallint`.
const RANGE = { from: 20_000, to: 32_767, attempts: 100 }

const randomPort = () => randomInt(RANGE.from, RANGE.to)

/** The preferred loopback port if it is free, otherwise any free one from 20000 to 32766. */
export async function choosePort(preferred = randomPort()): Promise<number> {
  let candidate = preferred
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryListen('127.0.0.1', candidate)
    } catch (error) {
      if (attempt === RANGE.attempts) throw error
      candidate = randomPort()
    }
  }
}

/** Throws an error with the remedy unless the port is free. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  try {
    await tryListen(host, port)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} on ${host} is taken by another program. Stop that program, or choose ` +
          `another port: PORT=${port + 1}`,
      )
    }
    throw new Error(`Cannot listen on ${host} port ${port} (${message}). Set HOST and PORT.`)
  }
}

/** Whether anything accepts connections at this address within five seconds. */
export async function answers(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: 5_000 })
  const connected = once(socket, 'connect').then(() => true)
  const timedOut = once(socket, 'timeout').then(() => false)
  try {
    return await Promise.race([connected, timedOut]).catch(() => false)
  } finally {
    socket.destroy()
  }
}

/** Whether an HTTP server answers this URL with success. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
