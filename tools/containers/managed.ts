import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { choosePort } from '../../src/local/ports.ts'
import { runTool } from '../../src/local/programs.ts'
import { withProgress } from '../../src/local/progress.ts'
import { signedCertificate } from '../../test/platform/certificates.ts'
import { type Compose, manyBookings } from './compose.ts'

const example = resolve(import.meta.dirname, '../../deploy/managed/docker-compose.yml')
const HOST = 'venue.example'
/** Terminates TLS in front of Temporal. */
const proxy = `
const { connect } = require('node:net')
const { KEY: key, CERTIFICATE: cert } = process.env
const server = require('node:tls').createServer({ key, cert, ALPNProtocols: ['h2'] }, (client) => {
  const upstream = connect(7233, 'temporal')
  client.pipe(upstream).pipe(client)
  client.on('error', () => upstream.destroy())
  upstream.on('error', () => client.destroy())
})
server.on('tlsClientError', () => {})
server.listen(7233)`

/**
 * Stops the workers, and runs the compose file for managed services instead: an API and a worker
 * that reach Temporal only over TLS, by an authority that Node trusts and the image does not have,
 * as with Temporal Cloud. Calls `work` with the API's address, and starts the workers again.
 */
export async function overTls(
  compose: Compose,
  folder: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const proxyId = await startProxy(compose)
  const { run, url } = await openManaged(compose, join(folder, 'managed'))
  try {
    await run('Migrating over TLS', 'run', '--rm', '-T', 'migrate')
    await compose.run('Stopping the workers', 'stop', 'worker')
    await run('Starting API and worker over TLS', 'up', '--detach', '--wait')
    await work(url)
  } finally {
    await run('Stopping them', 'down', '--remove-orphans', '--timeout', '20')
    await runTool('docker', ['rm', '--force', proxyId])
    await compose.run('Starting the workers', 'up', '--detach', '--wait', '--no-deps', 'worker')
  }
}

async function startProxy({ image, network }: Compose): Promise<string> {
  const { key: KEY, certificate: CERTIFICATE } = signedCertificate
  const options = ['--detach', '--network', network('engine'), '--network-alias', HOST]
  const settings = ['--env', 'KEY', '--env', 'CERTIFICATE']
  const args = ['run', ...options, ...settings, image, 'node', '-e', proxy]
  return (await runTool('docker', args, { env: { ...process.env, KEY, CERTIFICATE } })).trim()
}

async function openManaged(compose: Compose, folder: string) {
  mkdirSync(folder)
  copyFileSync(example, join(folder, 'docker-compose.yml'))
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const database = (role: string, password: string) =>
    `DATABASE_URL='postgres://${role}:${compose.read(password)}@postgres:5432/venue_network'`
  const access = [`TEMPORAL_ADDRESS='${HOST}:7233'`, 'TEMPORAL_TLS=true']
  const trust = 'NODE_EXTRA_CA_CERTS=/authority.pem'
  const keys = ['SECRETS_KEY', 'TIMELINE_KEY'].map((name) => `${name}='${compose.read(name)}'`)
  const write = (name: string, lines: string[]) =>
    writeFileSync(join(folder, name), [...lines, ...access, trust, ''].join('\n'))
  write('operator.env', [database('venue_network_owner', 'NETWORK_OWNER_PASSWORD')])
  write('serving.env', [
    database('venue_network', 'NETWORK_DATABASE_PASSWORD'),
    ...keys,
    `PUBLIC_URL='${url}'`,
    ...Object.entries(manyBookings).map(([name, value]) => `${name}=${value}`),
  ])
  writeFileSync(join(folder, 'authority.pem'), signedCertificate.authority)
  const services = ['migrate', 'commands', 'worker', 'api'].map((name) => {
    const fields = [
      `image: ${compose.image}`,
      'networks: [database, engine, outside]',
      'volumes: ["./authority.pem:/authority.pem:ro"]',
      ...(name === 'api' ? [`ports: !override ["127.0.0.1:${port}:3000"]`] : []),
    ]
    return `  ${name}: { ${fields.join(', ')} }`
  })
  const networks = ['database', 'engine', 'outside'].map(
    (name) => `  ${name}: { external: true, name: ${compose.network(name)} }`,
  )
  const override = ['services:', ...services, 'networks:', ...networks, ''].join('\n')
  writeFileSync(join(folder, 'docker-compose.override.yml'), override)
  const base = ['compose', '--project-name', 'venue-network-managed', '--project-directory', folder]
  return {
    url,
    run: (label: string, ...args: string[]) =>
      withProgress(label, runTool('docker', [...base, '--progress', 'quiet', ...args])),
  }
}
