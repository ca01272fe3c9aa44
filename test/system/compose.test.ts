import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configVariables } from '../../src/config/config.ts'
import { parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { fillIn, valueIn } from '../../tools/containers/env-file.ts'

type Service = {
  image: string
  build?: string
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string | null>
  ports?: string[]
  volumes?: string[]
  restart?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  read_only?: boolean
  mem_limit?: string
  cpus?: number | string
  logging?: object
  pids_limit?: number
  cap_drop?: string[]
  security_opt?: string[]
  networks?: string[]
  stop_grace_period?: string
}

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8')
const compose = parse(text, { merge: true })
const services: [string, Service][] = Object.entries(compose.services)
const example = readFileSync(join(root, '.env.example'), 'utf8')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const image = `venue-network:${version}`
const network = services.filter(([, service]) => service.image === image)
// The simulator's program and variables are not the network's.
const own = network.filter(([name]) => name !== 'simulator')

test('one service builds the image of this release, and the others only use it', () => {
  expect(network.map(([name]) => name).sort()).toEqual([
    ...['api', 'commands', 'migrate', 'simulator', 'worker'],
  ])
  expect(services.flatMap(([name, { build }]) => (build ? [name] : []))).toEqual(['migrate'])
  for (const [, service] of network) expect(service).toMatchObject({ pull_policy: 'never' })
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8')
  expect(dockerfile).toContain(`image.version="${version}"`)
})

/** Fixed by the compose file, or of no use in it. */
const notInEnv = [
  ...['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_POOLER', 'DRAIN_SECONDS'],
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'METRICS_PORT'],
  ...['DEMO', 'TEMPORAL_CLI', 'STRIPE_API_URL'],
]

test('every other setting reaches API, workers and commands from .env', () => {
  const settings = configVariables.filter((name) => !notInEnv.includes(name))
  for (const name of ['api', 'worker', 'commands']) {
    const { environment } = compose.services[name]
    const missing = settings.filter((setting) => !(setting in environment))
    expect([name, missing]).toEqual([name, name === 'api' ? [] : ['TIMELINE_KEY']])
  }
})

test('the rehearsal fills in every required variable, and adds or replaces others', () => {
  const filled = fillIn(example, { UI_PORT: '1', FEE_PCT: '3' })
  const read = (name: string) => valueIn(filled, name)
  for (const [, name = ''] of text.matchAll(/\$\{(\w+):\?/g)) expect(read(name)).toBeTruthy()
  for (const name of ['SECRETS_KEY', 'TIMELINE_KEY']) {
    expect(parseSealingKeys(read(name))).toBeDefined()
  }
  expect([read('UI_PORT'), read('FEE_PCT'), read('SMTP_URL')]).toEqual(['1', '3', ''])
})

test('every variable in .env.example is used', () => {
  const offered = [...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name)
  const used = text.match(/\b[A-Z][A-Z0-9_]+\b/g)
  expect(offered.length).toBeGreaterThan(20)
  expect(offered.filter((name) => !used?.includes(name))).toEqual([])
})

test('the configuration reads every variable of the network’s services', () => {
  // The exporter itself reads its headers.
  const known = new Set<string>([...configVariables, 'OTEL_EXPORTER_OTLP_HEADERS'])
  for (const [name, { environment = {} }] of own) {
    const unknown = Object.keys(environment).filter((variable) => !known.has(variable))
    expect([name, unknown]).toEqual([name, []])
  }
})

test('every program that the network’s services run exists', () => {
  for (const [, { command = [] }] of own) {
    const [node, file = ''] = command
    expect(node).toBe('node')
    expect([file, existsSync(join(root, file))]).toEqual([file, true])
  }
})

test('every mounted project path exists and is read-only', () => {
  const mounts = services.flatMap(([, { volumes = [] }]) => volumes)
  const ours = mounts.filter((mount) => mount.startsWith('./'))
  expect(ours.length).toBeGreaterThan(0)
  for (const mount of ours) {
    const [path = '', , mode] = mount.split(':')
    expect([mount, existsSync(join(root, path)), mode]).toEqual([mount, true, 'ro'])
  }
})

test('a service waits only for healthy or completed ones', () => {
  const jobs = new Set(['temporal-schema', 'migrate'])
  for (const [name, { depends_on = {} }] of services) {
    for (const [needed, { condition }] of Object.entries(depends_on)) {
      const service = compose.services[needed]
      const wanted = jobs.has(needed) ? 'service_completed_successfully' : 'service_healthy'
      expect([name, needed, condition]).toEqual([name, needed, wanted])
      if (!jobs.has(needed)) expect(service.healthcheck.test).toBeDefined()
    }
  }
})

test('the documented commands connect a venue to the simulator', () => {
  const { environment } = compose.services.commands
  expect(environment).toHaveProperty('SECRETS_KEY')
  expect(environment).toHaveProperty('OUTBOUND_ALLOW')
  const address = `simulator:${compose.services.simulator.environment.PORT}`
  expect(example.split('\n')).toContain('OUTBOUND_ALLOW=')
  const page = readFileSync(join(root, 'docs/operate/production.md'), 'utf8')
  for (const text of [`OUTBOUND_ALLOW=${address}`, `http://${address}/`]) {
    expect(page).toContain(text)
  }
})

describe('what is exposed', () => {
  test('is the API and the Temporal UI, on loopback', () => {
    const published = services.filter(([, { ports }]) => ports)
    expect(published.map(([name]) => name).sort()).toEqual(['api', 'temporal-ui'])
    for (const [, { ports = [] }] of published) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
    }
  })

  test('runs without root, on a read-only file system, with time to stop', () => {
    expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(/^USER 1000/m)
    for (const [, service] of network) {
      expect(service).toMatchObject({ read_only: true, stop_grace_period: '50s' })
    }
  })
})

test('only the migration has the role that owns the schema, and nothing else', () => {
  const roleOf = ({ environment = {} }: Service) =>
    /^postgres:\/\/(\w+):/.exec(environment.DATABASE_URL ?? '')?.[1]
  const roles = own.map(([name, service]) => [name, roleOf(service)])
  expect(Object.fromEntries(roles)).toEqual({
    migrate: 'venue_network_owner',
    commands: 'venue_network',
    api: 'venue_network',
    worker: 'venue_network',
  })
  expect(compose.services.migrate.environment).not.toHaveProperty('SECRETS_KEY')
})

describe('every service is confined', () => {
  const isInternal = (name: string) => compose.networks[name]?.internal === true

  test('to networks that it needs: the simulator reaches neither database nor Temporal', () => {
    const networks = Object.fromEntries(
      services.map(([name, { networks = [] }]) => [name, networks]),
    )
    expect(Object.values(networks).every((names) => names.length > 0)).toBe(true)
    const on = (network: string) =>
      services.flatMap(([name]) => (networks[name]?.includes(network) ? [name] : [])).sort()
    expect(on('venues')).toEqual(['simulator', 'worker'])
    expect(on('engine')).toEqual(['api', 'migrate', 'temporal', 'temporal-ui', 'worker'])
    expect(on('outside')).toEqual(['api', 'worker'])
    // Temporal has no authentication, and PostgreSQL two kinds of users.
    expect(on('temporal-database')).toEqual(['postgres', 'temporal', 'temporal-schema'])
    expect(on('database')).toEqual(['api', 'commands', 'migrate', 'postgres', 'worker'])
    for (const name of ['postgres', 'temporal-schema', 'temporal', 'migrate', 'commands']) {
      expect([name, networks[name]?.every(isInternal)]).toEqual([name, true])
    }
  })

  test('with limits, few capabilities, a read-only file system and rotated logs', () => {
    for (const [name, service] of services) {
      const { mem_limit, cpus, pids_limit, cap_drop, security_opt } = service
      expect([name, Boolean(mem_limit && cpus && pids_limit)]).toEqual([name, true])
      expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']])
      const logging = { options: { 'max-size': '50m', 'max-file': '5' } }
      expect([name, service]).toMatchObject([name, { read_only: true, logging }])
    }
  })
})

test('the file for managed services runs the same image, confined and with separate rights', () => {
  const file = join(root, 'deploy/managed/docker-compose.yml')
  const managed: Record<string, Service & { env_file: string }> = parse(
    readFileSync(file, 'utf8'),
    { merge: true },
  ).services
  for (const [name, service] of Object.entries(managed)) {
    const { cap_drop, security_opt, read_only, stop_grace_period } = compose.services[name]
    const confined = { cap_drop, security_opt, read_only, stop_grace_period }
    expect([name, service]).toMatchObject([name, { image, ...confined }])
    const env_file = name === 'migrate' ? 'operator.env' : 'serving.env'
    expect([name, service.env_file]).toEqual([name, env_file])
    expect([name, service.command]).toEqual([name, compose.services[name].command])
  }
})

test('every image has a version', () => {
  for (const [, { image }] of services) expect(image).toMatch(/:\d+[\w.-]*$/)
})

test('no secret has a value in the files, and .env.example names every variable', () => {
  const used = [...text.matchAll(/\$\{(\w+)(:[-?])?/g)]
  for (const [, name = '', rule] of used) {
    expect([name, new RegExp(`^${name}=`, 'm').test(example)]).toEqual([name, true])
    if (/PASSWORD|SECRET|_KEY$/.test(name)) expect([name, rule]).toEqual([name, ':?'])
  }
  for (const [, name = '', value] of example.matchAll(/^(\w+)=(.*)$/gm)) {
    if (/PASSWORD|SECRET|TOKEN|_KEY$/.test(name)) expect([name, value]).toEqual([name, ''])
  }
})
