import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { sdkMetricNames } from '../../src/platform/telemetry/sdk-metrics.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')

type Rule = { alert: string; expr: string; labels: Record<string, string>; annotations: object }
const { groups }: { groups: { name: string; rules: Rule[] }[] } = parse(
  read('prometheus/alerts.yaml'),
)
const rules = groups.flatMap(({ rules: some }) => some)

type Panel = { title: string; targets?: { expr: string }[] }
const dashboard: { panels: Panel[] } = JSON.parse(read('grafana/venue-network.json'))
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** Metrics of the Temporal server, as version 1.32.0 exports them on its metrics port. */
const ofServer = ['persistence_latency', 'persistence_error_with_type', 'task_latency_queue']

function promtool(...args: string[]) {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, {
    cwd: join(deploy, 'prometheus'),
    encoding: 'utf8',
  })
  if (error) {
    throw new Error(`promtool is missing; it comes with Debian's package prometheus (${error})`)
  }
  return { status, said: stdout + stderr }
}

test('Prometheus understands the alerts, and they fire when they should', () => {
  expect(promtool('check', 'rules', 'alerts.yaml')).toMatchObject({ status: 0 })
  expect(promtool('test', 'rules', 'alerts.test.yaml')).toMatchObject({ status: 0 })
}, 60_000)

test('every metric in the alerts and the dashboard exists', async () => {
  const { registry } = createMetrics()
  const known = new Set([
    ...(await registry.getMetricsAsJSON()).map(({ name }) => name),
    ...sdkMetricNames(),
    ...ofServer,
  ])
  const used = [...rules.map(({ expr }) => expr), ...expressions].flatMap((expr) =>
    [...expr.replace(/"[^"]*"|by \([^)]*\)|\{[^}]*\}/g, '').matchAll(/[a-z][a-z_]+(?![a-z_(])/g)]
      .map(([name]) => name)
      .filter(
        (name) =>
          name.includes('_') &&
          !name.startsWith('__') &&
          !/^(histogram_quantile|rate_interval)$/.test(name),
      ),
  )
  expect(used.length).toBeGreaterThan(40)
  const missing = used.filter(
    (name) => !known.has(name.replace(/_(bucket|count|sum)$/, '')) && !known.has(name),
  )
  expect(missing).toEqual([])
})

test('every alert says how urgent it is and what it means, under a unique name', () => {
  expect(rules.length).toBeGreaterThan(20)
  for (const { alert, labels, annotations } of rules) {
    expect([alert, labels, annotations]).toEqual([
      alert,
      { severity: expect.stringMatching(/^(page|ticket)$/) },
      { summary: expect.stringMatching(/\.$/) },
    ])
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})

test('the runbook says what to do for every alert', () => {
  const handbook = readFileSync(join(deploy, '../docs/operate/operations.md'), 'utf8')
  const [, runbook = ''] = /## What to do when …\n(.*?)\n## /s.exec(handbook) ?? []
  const unnamed = rules.filter(({ alert }) => !runbook.includes(`\`${alert}\``))
  expect(unnamed.map(({ alert }) => alert)).toEqual([])
})
