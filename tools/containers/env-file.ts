import { randomBytes } from 'node:crypto'

const base64 = () => randomBytes(32).toString('base64')

/** What .env.example says to put on its empty lines. */
const generated: [RegExp, () => string][] = [
  [/^\w+_PASSWORD$/, () => randomBytes(24).toString('hex')],
  [/^SECRETS_KEY$/, () => `k1:${base64()}`],
  [/^TIMELINE_KEY$/, () => `t1:${base64()}`],
  [/^SIMULATOR_SECRET$/, () => `whsec_${base64()}`],
]

/** Fills in .env.example as a reader would; `settings` replace its lines or follow them. */
export function fillIn(example: string, settings: Record<string, string>): string {
  const left = new Map(Object.entries(settings))
  const lines = example.split('\n').map((line) => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (name === undefined) return line
    const setting = left.get(name)
    left.delete(name)
    const make = value === '' ? generated.find(([pattern]) => pattern.test(name))?.[1] : undefined
    return `${name}=${setting ?? make?.() ?? value}`
  })
  return [...lines, ...[...left].map(([name, value]) => `${name}=${value}`), ''].join('\n')
}

/** The value of a variable in the text of a .env file, or an empty text. */
export const valueIn = (text: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? ''
