import { type Refusal, refuse } from '../../base/errors.ts'
import { catalogue } from '../../network.ts'
import { nearest as nearestWord } from '../../platform/command-line/nearest.ts'
import { nameParts } from './nearest-name.ts'

const others = ['POST /a2a/v1', 'POST /mcp', 'GET /openapi.json', 'GET /llms.txt']

/** Each route with the words of its address, and those of its intent, which may stand for them. */
const routes = [
  ...catalogue.map(({ rest, a2a }) => ({ route: rest.route as string, intent: nameParts(a2a) })),
  ...others.map((route) => ({ route, intent: [] as string[] })),
].map(({ route, intent }) => {
  const [method = '', path = ''] = route.split(' ')
  return { route, method, words: wordsIn(path), intent, parts: partsOf(path) }
})
const known = [...new Set(routes.flatMap(({ words, intent }) => [...words, ...intent]))]

const MAX_ROUTES = 3
const MAX_PATH = 200

/** `not_found` for an address, with the routes that the caller most likely means. */
export function unknownAddress(method: string, sentPath: string): Refusal {
  const path = sentPath.slice(0, MAX_PATH)
  const words = wordsIn(path).map((word) => nearestWord(word, known) ?? word)
  const costOf = (route: (typeof routes)[number]) =>
    words.filter((word) => !route.words.includes(word)).length +
    words.filter((word) => ![...route.words, ...route.intent].includes(word)).length * 2 +
    route.words.filter((word) => !words.includes(word)).length +
    Math.abs(route.parts - partsOf(path)) / 2 +
    (route.method === method ? 0 : 1.5)
  const alike = routes
    .filter(({ words: own, intent }) => words.some((word) => [...own, ...intent].includes(word)))
    .map((route) => ({ route: route.route, cost: costOf(route) }))
  const least = Math.min(...alike.map(({ cost }) => cost))
  const nearest = alike.flatMap(({ route, cost }) => (cost === least ? [route] : []))
  if (nearest.length === 0) return refuse('not_found')
  const [first] = nearest
  const what = `There is no \`${method} ${path}\`. Did you mean \`${first}\`?`
  return refuse('not_found', what, { nearest: nearest.slice(0, MAX_ROUTES) })
}

/** The words of an address, but for the ids in it and what every address begins with. */
function wordsIn(path: string): string[] {
  return nameParts(path.toLowerCase().replaceAll(/\{\w+\}|\bapi\b|[0-9a-f-]{36}/g, ''))
}

function partsOf(path: string): number {
  return path.split('/').filter((part) => !/^(?:api|v\d+)?$/.test(part)).length
}
