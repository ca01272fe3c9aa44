import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** An import of each kind, by the file that contains it. */
const wrong = {
  'src/bookings/rules/one.ts': ['../store/bookings.ts', 'Rules import rules only'],
  'src/bookings/rules/two.ts': ['../schema/bookings.ts', 'Rules import rules only'],
  'src/venues/store/one.ts': ['../steps/import.ts', 'The store imports no steps'],
  'src/venues/steps/one.ts': ['../operations/get-venue.ts', 'Steps import no operations'],
  'src/webhooks/sender/one.ts': ['../operations/read-events.ts', 'Steps import no operations'],
  'src/contract/one.ts': ['../bookings/hooks.ts', 'contract and platform are below every room'],
  'src/platform/http/one.ts': ['../../venues/schema.ts', 'contract and platform are below'],
  'src/webhooks/one.ts': ['../bookings/hooks.ts', 'webhooks imports contract and platform only'],
  'src/availability/one.ts': ['../venues/schema.ts', 'availability is below venues'],
  'src/venues/one.ts': ['../bookings/hooks.ts', 'venues is below bookings'],
  'src/bookings/steps/one.ts': ['../../accounts/schema/keys.ts', 'bookings is below'],
  'src/bookings/steps/two.ts': ['../../confirmation/hooks.ts', 'bookings is below'],
  'src/bookings/steps/six.ts': ['../../waitlist/steps/offer.ts', 'bookings is below'],
  'src/confirmation/steps/one.ts': ['../../waitlist/steps/offer.ts', 'confirmation is below'],
  'src/waitlist/one.ts': ['../itineraries/rules/groups.ts', 'waitlist is optional'],
  'src/itineraries/one.ts': ['../waitlist/rules/watches.ts', 'itineraries is optional'],
  'src/agents/one.ts': ['../accounts/schema/keys.ts', 'agents is below accounts'],
  'src/accounts/one.ts': ['../waitlist/rules/watches.ts', 'waitlist and itineraries are optional'],
  'src/accounts/operations/one.ts': ['../../app.ts', 'a room imports none of them'],
  'src/web/one.ts': ['../../local/ports.ts', 'Doors do not import local'],
  'workflows/one.ts': ['../src/bookings/store/bookings.ts', 'Workflows are deterministic'],
} as const

const right = {
  'src/bookings/operations/right.ts': '../steps/confirm-booking.ts',
  'src/bookings/steps/right.ts': '../store/bookings.ts',
  'src/bookings/store/right.ts': '../rules/booking.ts',
  'src/bookings/rules/right.ts': '../../base/ids.ts',
  'src/bookings/right.ts': '../venues/store/venues.ts',
  'src/waitlist/right.ts': '../bookings/hooks.ts',
  'src/web/right.ts': '../../waitlist/rules/watches.ts',
  'src/compose/app.ts': '../web/right.ts',
} as const

let reported: Map<string, string[]>

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'import-orders-'))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  write('biome.json', JSON.stringify({ ...config, vcs: { enabled: false } }))
  cpSync(join(root, 'tools/lint'), join(folder, 'tools/lint'), { recursive: true })
  for (const [path, [from]] of Object.entries(wrong)) {
    write(path, `import type { one } from '${from}'\nexport type two = one\n`)
  }
  for (const [path, from] of Object.entries(right)) write(path, `export * from '${from}'\n`)
  write('src/agents/ring.ts', "import type { Ring } from './ring-too.ts'\nexport type A = Ring\n")
  write('src/agents/ring-too.ts', "import type { A } from './ring.ts'\nexport type Ring = A[]\n")
  reported = lint(folder)
  rmSync(folder, { recursive: true })
})

/** The linter's messages for each file of a folder. */
function lint(folder: string): Map<string, string[]> {
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '.']
  const biome = join(root, 'node_modules/.bin/biome')
  const { stdout } = spawnSync(biome, options, { cwd: folder })
  const { diagnostics } = JSON.parse(stdout.toString())
  const said = new Map<string, string[]>()
  for (const { location, message, category } of diagnostics) {
    const path = String(location.path?.file ?? location.path)
    said.set(path, [...(said.get(path) ?? []), `${category}: ${message}`])
  }
  return said
}

test.each(Object.entries(wrong))('%s may not import %j', (path, [, message]) => {
  expect(reported.get(path)?.join('\n')).toContain(message)
})

test.each(Object.entries(right))('%s may import %s', (path) => {
  expect(reported.get(path) ?? []).toEqual([])
})

test('an import cycle is reported, of types too', () => {
  for (const path of ['src/agents/ring.ts', 'src/agents/ring-too.ts']) {
    expect(reported.get(path)?.join('\n')).toContain('noImportCycles')
  }
})
