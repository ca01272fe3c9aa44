/** A line of the checklist. `check` returns what it found, or throws an error with what to do. */
export type Item = { name: string; check(): string | Promise<string> }

/** Checks each item, even after one that is not ok, and returns how many are not. */
export async function walk(items: readonly Item[], print: (line: string) => void): Promise<number> {
  let open = 0
  for (const { name, check } of items) {
    try {
      print(`ok     ${name}: ${await check()}`)
    } catch (error) {
      open += 1
      print(`to do  ${name}: ${(error as Error).message.replaceAll('\n', '\n         ')}`)
    }
  }
  return open
}

/** Throws the problems as one error, one a line; does nothing if there are none. */
export function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
