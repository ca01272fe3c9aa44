import { wrap } from '../../../src/platform/command-line/width.ts'
import type { Timeline } from '../answers.ts'
import { printable } from './printable.ts'
import type { Screen } from './screen.ts'
import { instant } from './times.ts'

const INDENT = '   '

/** A booking's steps: when, by whom, what and why. */
export function showTimeline(screen: Screen, { entries, complete, signature }: Timeline): string {
  const { paint, width, zone } = screen
  const indented = (text: string) =>
    wrap(printable(text), width - INDENT.length).map((line) => INDENT + line)
  const steps = entries.flatMap(({ number, at, by, what, why }) => [
    paint(`${String(number).padStart(2)} ${instant(at, zone)}, by the ${by}`, 'strong'),
    ...indented(what),
    ...indented(why).map((line) => paint(line, 'faint')),
  ])
  return [
    ...steps,
    ...(complete
      ? []
      : ['The first steps were not recorded: the booking is older than timelines.']),
    signature === null
      ? paint('Not signed: the stored steps are inconsistent.', 'bad')
      : paint(`Signed with the key ${printable(signature.kid)}.`, 'faint'),
  ].join('\n')
}
