import type { RefusalData } from '../../base/errors.ts'
import { idNamesOf } from '../../contract/input-names.ts'
import type { DoorName } from '../../contract/operation.ts'
import { catalogue, type NetworkCapability } from '../../network.ts'

/** A REST route in a text, such as `POST /api/bookings/{id}/cancel`, and a clause with one. */
const ROUTE = /`?\b((?:GET|POST|PATCH|DELETE) \/api\/[\w/{}-]*[\w}])`?/g
const CLAUSE = /, or with `((?:GET|POST|PATCH|DELETE) \/api\/[\w/{}-]*)`[^.]*(?=\.)/g

const routes = catalogue.map((capability) => ({
  ...capability,
  pattern: new RegExp(`^${capability.rest.route.replace(/\{\w+\}/, '([^/]+)')}$`),
}))
const operationOf = (route: string) => routes.find(({ pattern }) => pattern.test(route))

type Name = (capability: NetworkCapability) => (string | undefined)[]
const names: Partial<Record<DoorName, Name>> = {
  a2a: ({ a2a }) => [a2a, 'id'],
  mcp: ({ mcp, rest }) => [mcp?.tool, idNamesOf(rest.route)[0], mcp?.action],
}

/**
 * The text with operations under the names of this door: A2A's intents and MCP's tools. Texts are
 * written with REST routes, as other doors show them. A second way that a door lacks is left out.
 */
export function nameOperations(door: DoorName, text: string): string {
  const nameOf = names[door]
  if (!nameOf || !text.includes('/api/')) return text
  const namesOf = (route: string) => {
    const operation = operationOf(route)
    return operation ? nameOf(operation) : []
  }
  return text
    .replaceAll(CLAUSE, (clause, route: string) => (namesOf(route)[0] ? clause : ''))
    .replaceAll(ROUTE, (original, route: string) => {
      const [name, idName, action] = namesOf(route)
      const [, id = '{'] = operationOf(route)?.pattern.exec(route) ?? []
      const given = [action && `\`action\` ${action}`, !id.startsWith('{') && `\`${idName}\` ${id}`]
      const how = given.filter(Boolean).join(', ')
      return name ? `\`${name}\`${how && ` with ${how}`}` : original
    })
}

const hasHint = (value: unknown): value is { hint: string } =>
  typeof value === 'object' && value !== null && 'hint' in value && typeof value.hint === 'string'

/** What a call returned, with `next`, the hint and the refusal's message in its words. */
export function inWordsOf<R extends { output: Record<string, unknown> } | { refusal: RefusalData }>(
  door: DoorName,
  result: R,
): R {
  if ('refusal' in result) {
    const message = nameOperations(door, result.refusal.message)
    return { ...result, refusal: { ...result.refusal, message } }
  }
  const { next, interpretation } = result.output
  if (typeof next === 'string') {
    return { ...result, output: { ...result.output, next: nameOperations(door, next) } }
  }
  if (!hasHint(interpretation)) return result
  const hint = nameOperations(door, interpretation.hint)
  if (hint === interpretation.hint) return result
  // What was written for other doors says it in their words.
  const output = { ...result.output, interpretation: { ...interpretation, hint } }
  return { ...result, output, json: undefined }
}
