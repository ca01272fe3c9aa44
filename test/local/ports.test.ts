import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answers, choosePort, requireFreePort } from '../../src/local/ports.ts'

let other: Server
let taken: number

beforeEach(async () => {
  other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  taken = (other.address() as AddressInfo).port
})

afterEach(() => other.close())

test('a preferred port is kept while it is free and replaced when it is in use', async () => {
  expect(await choosePort(taken)).not.toBe(taken)
  other.close()
  await once(other, 'close')
  expect(await choosePort(taken)).toBe(taken)
})

test('a chosen port is outside the range that the system gives to connections', async () => {
  const port = await choosePort()
  expect(port).toBeGreaterThanOrEqual(20_000)
  expect(port).toBeLessThan(32_768)
  expect(await choosePort(taken)).toBeLessThan(32_768)
})

test('a port in use is refused with the port and a way out', async () => {
  await expect(requireFreePort('127.0.0.1', taken)).rejects.toThrow(
    `Port ${taken} on 127.0.0.1 is taken by another program.`,
  )
})

test('an address of another machine is refused with the reason', async () => {
  await expect(requireFreePort('192.0.2.1', taken)).rejects.toThrow('EADDRNOTAVAIL')
})

test('a listening port answers and a closed one does not', async () => {
  expect(await answers('127.0.0.1', taken)).toBe(true)
  other.close()
  await once(other, 'close')
  expect(await answers('127.0.0.1', taken)).toBe(false)
})
