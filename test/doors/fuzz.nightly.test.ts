import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scopes } from '../../src/base/scopes.ts'
import { makeKey } from '../support/agent.ts'
import { fuzzDoors } from '../support/fuzz.ts'
import { openService, type Service } from '../support/network.ts'

const SCHEMATHESIS = 'schemathesis==4.32.5'
const CHECKS =
  'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
const MINUTES = 60_000
/** A call can request to wait a minute for news. */
const ANSWER_SECONDS = '75'

const run = promisify(execFile)
let service: Service
let folder: string

beforeAll(async () => {
  service = await openService()
  folder = mkdtempSync(join(tmpdir(), 'schemathesis-'))
})

afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('30,000 fuzzed calls get answers that match their schemas, without any fault', {
  timeout: 20 * MINUTES,
}, async () => {
  const seed = Date.now() % 2 ** 31
  const codes = await fuzzDoors(service, 10_000, seed)
  expect(codes.ok).toBeGreaterThan(3_000)
})

test('schemathesis finds no fault in 20,000 calls from the OpenAPI document', {
  timeout: 90 * MINUTES,
}, async () => {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', SCHEMATHESIS])
  const { key } = await makeKey(service.db, 'pro', scopes)
  let generated = 0
  // Python 3.11 has a threading bug in its parser, which the coverage phase meets (bpo-106905).
  for (const [phases, workers] of [
    ['examples,coverage', '1'],
    ['fuzzing', '8'],
  ] as const) {
    const { stdout } = await run(
      join(folder, 'bin', 'schemathesis'),
      [
        ...['run', `${service.url}/openapi.json`, '--header', `Authorization: Bearer ${key}`],
        ...['--checks', CHECKS, '--phases', phases, '--max-examples', '260'],
        ...['--request-timeout', ANSWER_SECONDS, '--workers', workers],
        ...['--warnings', 'off', '--no-color'],
      ],
      { cwd: folder, maxBuffer: 2 ** 26 },
    ).catch((error) => {
      throw new Error(error.stdout ?? error.message)
    })
    const [, count = ''] = /([\d,]+) generated/.exec(stdout) ?? []
    generated += Number(count.replaceAll(',', ''))
  }
  expect(generated).toBeGreaterThan(20_000)
})
