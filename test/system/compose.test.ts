import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { configVariables } from '../../src/config/config.ts'

type Service = {
  image: string
  build?: string
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  ports?: string[]
  volumes?: string[]
  restart?: string
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  read_only?: boolean
  mem_limit?: string
  cpus?: number
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
const network = services.filter(([, { build }]) => build)
// The simulator's program and variables are not the network's.
const own = network.filter(([name]) => name !== 'simulator')

test('the configuration reads every variable of the network’s services', () => {
  const known = new Set<string>(configVariables)
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
  const example = readFileSync(join(root, '.env.example'), 'utf8')
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

test('the API mails developers, and workers mail guests', () => {
  for (const { environment } of [compose.services.api, compose.services.worker]) {
    expect(environment).toHaveProperty('SMTP_URL')
    expect(environment).toHaveProperty('MAIL_FROM')
  }
})

test('the API and workers agree on who collects payments and who grants pro', () => {
  const names = ['PRO_UPGRADE', 'PAYMENTS', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']
  const { api, worker } = compose.services
  for (const name of names) {
    expect(api.environment).toHaveProperty(name)
    expect([name, worker.environment[name]]).toEqual([name, api.environment[name]])
  }
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
    for (const name of ['postgres', 'temporal-schema', 'temporal', 'migrate', 'commands']) {
      expect([name, networks[name]?.every(isInternal)]).toEqual([name, true])
    }
  })

  test('with limits, few capabilities and a read-only file system', () => {
    for (const [name, service] of services) {
      const { mem_limit, cpus, pids_limit, cap_drop, security_opt, read_only } = service
      expect([name, Boolean(mem_limit && cpus && pids_limit)]).toEqual([name, true])
      expect([name, cap_drop, security_opt]).toEqual([name, ['ALL'], ['no-new-privileges:true']])
      expect([name, read_only]).toEqual([name, name !== 'temporal-ui'])
    }
  })
})

test('every image has a version', () => {
  for (const [, { image }] of services) expect(image).toMatch(/:\d+[\w.-]*$/)
})

test('no secret has a value in the files, and .env.example names every variable', () => {
  const used = [...text.matchAll(/\$\{(\w+)(:[-?])?/g)]
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  for (const [, name = '', rule] of used) {
    expect([name, new RegExp(`^${name}=`, 'm').test(example)]).toEqual([name, true])
    if (!/PASSWORD|SECRET|_KEY$/.test(name)) continue
    // A network that collects no payments sets none of these.
    expect([name, rule]).toEqual([name, /^(STRIPE|X402)_/.test(name) ? ':-' : ':?'])
    expect(example).toMatch(new RegExp(`^${name}=$`, 'm'))
  }
})
