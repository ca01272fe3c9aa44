import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { downloadTemporal } from '../../src/local/temporal-release.ts'

const PROGRAM = 'the program'
const sha256 = createHash('sha256').update(PROGRAM).digest('hex')

let folder: string
let file: string
let server: Server
let url: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-download-'))
  file = join(folder, 'bin', 'temporal')
  writeFileSync(join(folder, 'temporal'), PROGRAM, { mode: 0o755 })
  execFileSync('tar', ['-czf', 'release.tar.gz', 'temporal'], { cwd: folder })
  const bytes = readFileSync(join(folder, 'release.tar.gz'))
  server = createServer((request, response) => {
    if (request.url === '/silent') return
    response.statusCode = request.url === '/other' ? 404 : 200
    if (request.url === '/stalled') response.write(bytes.subarray(0, 50))
    else if (request.url === '/cut') response.write(bytes.subarray(0, 50), () => request.destroy())
    else response.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const leftBehind = () => readdirSync(join(folder, 'bin'))

test('the program in the archive is installed, and nothing else is left', async () => {
  await downloadTemporal(file, { url: `${url}/release`, sha256 })
  expect(readFileSync(file, 'utf8')).toBe(PROGRAM)
  expect(statSync(file).mode & 0o100).toBe(0o100)
  expect(leftBehind()).toEqual(['temporal'])
})

test('a program with another checksum is not kept', async () => {
  const release = { url: `${url}/release`, sha256: '0'.repeat(64) }
  await expect(downloadTemporal(file, release)).rejects.toThrow(`another SHA-256: ${sha256}`)
  expect(leftBehind()).toEqual([])
})

test('a refused or failed download names the address and the reason', async () => {
  const gone = { url: `${url}/other`, sha256 }
  await expect(downloadTemporal(file, gone)).rejects.toThrow(`${url}/other: HTTP 404`)
  const nowhere = { url: 'http://127.0.0.1:9/release', sha256 }
  await expect(downloadTemporal(file, nowhere)).rejects.toThrow(
    /127\.0\.0\.1:9.*(ECONNREFUSED|bad port)/,
  )
  expect(leftBehind()).toEqual([])
})

test.each(['silent', 'stalled'])('a server that goes %s times out', async (way) => {
  const release = { url: `${url}/${way}`, sha256, silenceMs: 200 }
  await expect(downloadTemporal(file, release)).rejects.toThrow('no byte for 0.2 s')
  expect(leftBehind()).toEqual([])
})

test('an interrupted download leaves nothing', async () => {
  await expect(downloadTemporal(file, { url: `${url}/cut`, sha256 })).rejects.toThrow(`${url}/cut`)
  expect(leftBehind()).toEqual([])
})
