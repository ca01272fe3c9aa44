import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunConfig } from '../../src/config/config.ts'
import { connectorContext, upsertConnector } from '../../src/confirmation/store/connectors.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { newSigningSecret } from '../../src/platform/http/signature.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { ownPort } from './ports.ts'
import { type Program, startProgram } from './programs.ts'

/** A simulated venue system in its own process, with a book that outlives it. */
export type Simulator = {
  secret: string
  base: string
  /** the URL for every venue that it plays */
  url: string
  program(): Program
  /** Plans misbehaviour: docs/protocols/venue-simulator.md. */
  script(rules: unknown): Promise<void>
  /** Discards the script. */
  clearScript(): Promise<void>
  /** The venue's record of a booking, with all messages about it. */
  book(bookingId: string): Promise<Record<string, any>>
  call(path: string, body: unknown): Promise<Record<string, any>>
  /** Restarts the process after it has ended, with the same address and book. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openSimulator(): Promise<Simulator> {
  const secret = newSigningSecret()
  const port = await ownPort()
  const base = `http://127.0.0.1:${port}`
  const folder = await mkdtemp(join(tmpdir(), 'venue-simulator-'))
  const token = randomUUID()
  const env = {
    PORT: String(port),
    SIMULATOR_SECRET: secret,
    SIMULATOR_TOKEN: token,
    SIMULATOR_DATA: folder,
  }
  const start = async () => {
    const program = startProgram('packages/simulator/main.ts', env)
    await program.prints('listens on')
    return program
  }
  const call = async (path: string, body?: unknown) => {
    const authorization = `Bearer ${token}`
    const response = await fetch(
      `${base}${path}`,
      body === undefined
        ? { headers: { authorization } }
        : {
            method: 'POST',
            headers: { authorization, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
    )
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as Record<string, any>
  }
  let program = await start()
  return {
    secret,
    base,
    url: `${base}/venues/simulated`,
    program: () => program,
    call,
    book: (bookingId) => call(`/book/${bookingId}`),
    async script(rules) {
      await call('/script', rules)
    },
    async clearScript() {
      const headers = { authorization: `Bearer ${token}` }
      const { ok, status } = await fetch(`${base}/script`, { method: 'DELETE', headers })
      if (!ok) throw new Error(`/script: ${status}`)
    },
    async restart() {
      await program.end('SIGKILL')
      program = await start()
    },
    async close() {
      await program.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Connects a venue to a system at `url` that signs with `secret`. */
export async function connectVenue(
  { config, db }: { config: RunConfig; db: Pool },
  venueId: string,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const sealed = createSealer(secretsKeys(config)).seal(secret, connectorContext(venueId))
  await upsertConnector(db, { venueId, url, secret: sealed }, new Date())
}
