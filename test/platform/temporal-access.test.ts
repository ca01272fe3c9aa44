import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { engineOf, readRunConfig } from '../../src/config/config.ts'
import { connectEngine, openEngine } from '../../src/platform/temporal/connect.ts'
import { requireNamespace } from '../../src/platform/temporal/namespace.ts'
import { connectWorkers, installQuietRuntime } from '../../src/platform/temporal/workers.ts'
import { findSlot } from '../support/agent.ts'
import { openCloudTemporal } from '../support/cloud-temporal.ts'
import { openService } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { signedCertificate } from './certificates.ts'

const { authority, key, certificate } = signedCertificate
let folder: string
let files: Record<keyof typeof signedCertificate, string>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-access-'))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  files = {
    authority: write('authority.pem', authority),
    key: write('key.pem', key),
    certificate: write('certificate.pem', certificate),
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const servers = { NODE_ENV: 'test', DATABASE_URL: 'postgres://x' }

/** The tests' Temporal server behind TLS that requires a client certificate. */
async function openTlsFrontend() {
  const { hostname, port } = new URL(`tcp://${inject('temporalAddress')}`)
  const tls = { key, cert: certificate, ca: authority, requestCert: true, ALPNProtocols: ['h2'] }
  const server = createServer(tls, (client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { address, close: () => void server.close() }
}

nightly('bookings run over TLS with our certificate, and not without it', async () => {
  const frontend = await openTlsFrontend()
  const trusting = {
    TEMPORAL_ADDRESS: frontend.address,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: files.authority,
  }
  const service = await openService({
    ...trusting,
    TEMPORAL_TLS_CLIENT_CERT_PATH: files.certificate,
    TEMPORAL_TLS_CLIENT_KEY_PATH: files.key,
  })
  const slot = await findSlot(service.agent, 'bar')
  const { body } = await service.agent.post('/api/bookings', slot)
  expect(body.status).toBe('confirmed')
  await service.close()

  const stranger = readRunConfig({ ...servers, ...trusting })
  const { workflowService, connection } = openEngine(engineOf(stranger))
  await expect(workflowService.getSystemInfo({})).rejects.toThrow()
  await connection.close()
  const { TEMPORAL_ADDRESS } = trusting
  const distrusting = readRunConfig({ ...servers, TEMPORAL_ADDRESS, TEMPORAL_TLS: 'true' })
  await Promise.all([
    expect(connectEngine(engineOf(stranger))).rejects.toThrow('TEMPORAL_TLS_CLIENT_CERT_PATH.'),
    expect(connectEngine(engineOf(distrusting))).rejects.toThrow(
      /\((self-signed|unable to verify).* certificate.*\)\. Check TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    ),
  ])
  frontend.close()
})

test('an API key goes with each call, over TLS, and a refusal names the server', async () => {
  const seen: (string | undefined)[] = []
  const server = createSecureServer({ key, cert: certificate })
  const denied = {
    'content-type': 'application/grpc',
    'grpc-status': '7',
    'grpc-message': 'wrong key',
  }
  server.on('stream', (stream, { authorization }) => {
    seen.push(authorization)
    stream.respond(denied, { endStream: true })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = readRunConfig({
    ...servers,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_API_KEY: 'key-of-the-cloud',
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority,
  })
  await expect(connectEngine(engineOf(config))).rejects.toThrow(
    `The Temporal server at ${address} does not let this process in (wrong key). Check`,
  )
  const client = openEngine(engineOf(config))
  await expect(requireNamespace(client)).rejects.toThrow(
    'does not let this process into namespace venue-network. Check TEMPORAL_NAMESPACE and',
  )
  await client.connection.close()
  expect(new Set(seen)).toEqual(new Set(['Bearer key-of-the-cloud']))
  server.close()
})

test('workers trust the authorities of Node, since an image has no others', async () => {
  const trusted = getCACertificates()
  const TEMPORAL_API_KEY = 'key-of-the-cloud'
  const cloud = await openCloudTemporal(inject('temporalAddress'), TEMPORAL_API_KEY)
  const env = { ...servers, TEMPORAL_ADDRESS: cloud.address, TEMPORAL_API_KEY }
  installQuietRuntime()
  const connect = async (more = {}) => {
    const { address, access } = engineOf(readRunConfig({ ...env, ...more }))
    await (await connectWorkers(address, access)).close()
  }
  await expect(connect()).rejects.toThrow()
  setDefaultCACertificates([...trusted, authority])
  try {
    await connect()
    await connect({ TEMPORAL_TLS_SERVER_NAME: 'venue.example' })
  } finally {
    setDefaultCACertificates(trusted)
    cloud.close()
  }
})

test('a profile counts only if it is named, and variables override it', () => {
  const TEMPORAL_CONFIG_FILE = join(folder, 'temporal.toml')
  const profile = `[profile.cloud]
address = "cloud.example:7233"
namespace = "venues.acct"
api_key = "of-the-profile"`
  writeFileSync(TEMPORAL_CONFIG_FILE, profile)
  const named = { ...servers, TEMPORAL_CONFIG_FILE, TEMPORAL_PROFILE: 'cloud' }
  expect(readRunConfig(named)).toMatchObject({
    TEMPORAL_ADDRESS: 'cloud.example:7233',
    TEMPORAL_NAMESPACE: 'venues.acct',
    temporal: { apiKey: 'of-the-profile', tls: true },
  })
  expect(readRunConfig({ ...named, TEMPORAL_API_KEY: 'mine' }).temporal.apiKey).toBe('mine')
  expect(() => readRunConfig({ ...named, TEMPORAL_PROFILE: 'other' })).toThrow(
    "The configuration of Temporal is not usable: Profile 'other' not found",
  )
  const XDG_CONFIG_HOME = folder
  const plain = { ...servers, XDG_CONFIG_HOME, HOME: folder, TEMPORAL_ADDRESS: '127.0.0.1:7233' }
  expect(readRunConfig(plain).temporal).toEqual({})
})
