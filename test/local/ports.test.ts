import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answers, chooseLowPort, choosePort, requireFreePort } from '../../src/local/ports.ts'

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

test('a low port fits into 15 bits, and is replaced when it is in use', async () => {
  const low = await chooseLowPort()
  expect(low).toBeLessThan(32_768)
  expect(await chooseLowPort(low)).toBe(low)
  const holder = createServer().listen(low, '127.0.0.1')
  await once(holder, 'listening')
  const another = await chooseLowPort(low)
  expect(another).not.toBe(low)
  expect(another).toBeLessThan(32_768)
  holder.close()
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
