import devices from './devices.json' with { type: 'json' }

const compiled = (rows: readonly string[][]) =>
  rows.map(([pattern = '', name]) => ({ pattern: new RegExp(pattern), name }))

const browsers = compiled(devices.browsers)
const systems = compiled(devices.systems)

const find = (names: typeof browsers, text: string) =>
  names.find(({ pattern }) => pattern.test(text))?.name

/** Describes the browser of a `User-Agent` header, such as `Firefox on Linux`. */
export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, 500)
  const browser = find(browsers, text) ?? 'Unknown browser'
  const system = find(systems, text)
  return system ? `${browser} on ${system}` : browser
}
