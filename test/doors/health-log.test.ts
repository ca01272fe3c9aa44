import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { health } from '../../src/doors/guards/health.ts'
import { readableLog } from '../support/lines.ts'
import { eventually } from '../support/programs.ts'

test('the log says once why a part is down, and once that it answers again', async () => {
  const { log, lines } = readableLog()
  const app = fastify()
  let check = () => Promise.reject<void>(new Error('the password has expired'))
  health(app, { postgresql: { check: () => check() } }, new AbortController().signal, log)
  const statusOf = async () => (await app.inject('/readyz')).statusCode
  expect(await statusOf()).toBe(503)
  expect((await app.inject('/readyz')).body).not.toContain('expired')
  check = async () => {}
  await eventually('readiness', async () => (await statusOf()) === 200)
  await app.close()
  expect(lines()).toMatchObject([
    {
      part: 'postgresql',
      msg: 'a part does not answer',
      error: { message: 'the password has expired' },
    },
    { part: 'postgresql', msg: 'a part answers again' },
  ])
})
