import type { FastifyRequest } from 'fastify'

/** What a form or an address says under these names, one text each; what was left empty was not said. */
export function given<N extends string>(
  source: unknown,
  names: readonly N[],
): { [name in N]?: string } {
  const said = (source ?? {}) as Record<string, unknown>
  const entries = names.flatMap((name) => {
    const value = said[name]
    const text = Array.isArray(value) ? value.at(-1) : value
    return typeof text === 'string' && text !== '' ? [[name, text]] : []
  })
  return Object.fromEntries(entries)
}

/** Everything that was ticked under a name. */
export function ticked(source: unknown, name: string): string[] {
  const value = (source as Record<string, unknown> | null)?.[name]
  return [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[]
}

/** The address of a page with what is said about it. */
export function address(path: string, said: Record<string, string | undefined>): string {
  const entries = Object.entries(said).filter((entry): entry is [string, string] => !!entry[1])
  const query = new URLSearchParams(entries).toString()
  return query === '' ? path : `${path}?${query}`
}

/** What `datetime-local` says, which these pages label as UTC, as an instant; anything else stays for the schema to refuse. */
export const utcInstant = (text: string | undefined): string | undefined =>
  text && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)
    ? `${text.length === 16 ? `${text}:00` : text}Z`
    : text

/** A parameter of the address, as the schema of an operation will judge it. */
export const idOf = (request: FastifyRequest): string =>
  (request.params as { id?: string }).id ?? ''
