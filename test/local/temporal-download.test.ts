import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { downloadTemporal } from '../../src/local/temporal-download.ts'

let folder: string
let file: string
let server: Server
let url: string
let bytes: Buffer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-download-'))
  file = join(folder, 'bin', 'temporal')
  writeFileSync(join(folder, 'temporal'), 'the program', { mode: 0o755 })
  execFileSync('tar', ['-czf', 'release.tar.gz', 'temporal'], { cwd: folder })
  bytes = readFileSync(join(folder, 'release.tar.gz'))
  server = createServer((request, response) => {
    response.statusCode = request.url === '/release' ? 200 : 404
    response.end(bytes)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

const sha256 = () => createHash('sha256').update(bytes).digest('hex')
const leftBehind = () => readdirSync(join(folder, 'bin'))

test('the program of the archive is put in place, and nothing else is left', async () => {
  await downloadTemporal(file, { url: `${url}/release`, sha256: sha256() })
  expect(readFileSync(file, 'utf8')).toBe('the program')
  expect(leftBehind()).toEqual(['temporal'])
})

test('an archive with another checksum is not unpacked', async () => {
  const archive = { url: `${url}/release`, sha256: '0'.repeat(64) }
  await expect(downloadTemporal(file, archive)).rejects.toThrow('another SHA-256')
  expect(existsSync(file)).toBe(false)
  expect(leftBehind()).toEqual([])
})

test('a refused or failed download says which address and why', async () => {
  const gone = { url: `${url}/other`, sha256: sha256() }
  await expect(downloadTemporal(file, gone)).rejects.toThrow(`${url}/other: HTTP 404`)
  const nowhere = { url: 'http://127.0.0.1:9/release', sha256: sha256() }
  await expect(downloadTemporal(file, nowhere)).rejects.toThrow(
    /127\.0\.0\.1:9.*(ECONNREFUSED|bad port)/,
  )
  expect(leftBehind()).toEqual([])
})
