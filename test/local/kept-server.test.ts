import { expect, test, vi } from 'vitest'
import { createKeeper } from '../../src/local/kept-server.ts'
import type { ServerProcess } from '../../src/local/server-process.ts'
import { eventually } from '../support/programs.ts'

/** A server whose starts, numbered from 1, succeed or fail; `end` ends the running one. */
function fakeServer(startsAt: (attempt: number) => boolean = () => true) {
  const state = { starts: 0, running: 0, end: (_: string) => {} }
  const start = async (): Promise<ServerProcess> => {
    state.starts += 1
    if (!startsAt(state.starts)) throw new Error(`start ${state.starts} failed`)
    state.running += 1
    const { promise: ended, resolve: end } = Promise.withResolvers<string>()
    void ended.then(() => {
      state.running -= 1
    })
    state.end = end
    const stop = async () => {
      end('stopped')
      await ended
    }
    return { ended, pid: state.starts, log: () => '', stop }
  }
  return { state, start }
}

/** Keeps a server running, and collects what is printed. */
function openKeeper(pausesS = [0, 0, 0]) {
  const printed: string[] = []
  const print = vi.spyOn(console, 'error').mockImplementation((line) => void printed.push(line))
  return { ...createKeeper(() => undefined, pausesS), printed, [Symbol.dispose]: print.mockRestore }
}

test('a server that ends by itself is restarted, and one line says so', async () => {
  using keeper = openKeeper()
  const { state, start } = fakeServer()
  const server = await keeper.keep('PostgreSQL', start)
  expect(keeper.isRecovering()).toBe(false)
  state.end('PostgreSQL ended (SIGKILL)')
  await eventually('another start', async () => state.starts === 2)
  expect(keeper.printed).toEqual(['PostgreSQL ended (SIGKILL) and is started again.'])
  expect(keeper.isRecovering()).toBe(true)
  expect(server.pid).toBe(2)
  await server.stop()
  expect(state).toMatchObject({ running: 0, starts: 2 })
})

test('a server that ends while starting is started once more, at first and later', async () => {
  using keeper = openKeeper()
  const { state, start } = fakeServer((attempt) => attempt !== 1 && attempt !== 3)
  const server = await keeper.keep('The simulator', start)
  expect(state.starts).toBe(2)
  state.end('The simulator ended (SIGKILL)')
  await eventually('another start', async () => state.starts === 4 && state.running === 1)
  await server.stop()
})

test('a server that cannot be restarted is given up, with the reason', async () => {
  using keeper = openKeeper([0, 0])
  const { state, start } = fakeServer((attempt) => attempt === 1)
  const server = await keeper.keep('PostgreSQL', start)
  state.end('PostgreSQL ended (exit code 1)')
  expect(await server.ended).toBe('PostgreSQL could not be started again: start 3 failed')
})

test('a server that ends again and again is given up', async () => {
  using keeper = openKeeper([0, 0])
  const { state, start } = fakeServer()
  const server = await keeper.keep('PostgreSQL', start)
  for (const starts of [1, 2, 3]) {
    await eventually('a start', async () => state.starts === starts && state.running === 1)
    state.end('PostgreSQL ended (SIGSEGV)')
  }
  const why = 'PostgreSQL could not be started again: PostgreSQL ended (SIGSEGV)'
  expect(await server.ended).toBe(why)
})

test('a server that is stopped while restarting does not keep running', async () => {
  using keeper = openKeeper()
  const { state, start } = fakeServer()
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const server = await keeper.keep('PostgreSQL', async () => {
    if (state.starts === 1) {
      begun.resolve()
      await goOn.promise
    }
    return start()
  })
  state.end('PostgreSQL ended (SIGKILL)')
  await begun.promise
  const stopped = server.stop()
  goOn.resolve()
  await stopped
  expect(state).toMatchObject({ running: 0, starts: 2 })
})
