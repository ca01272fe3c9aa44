/** The meaning of a style; `strong` and `faint` are not colours. */
export type Tone = 'good' | 'wait' | 'bad' | 'strong' | 'faint'

// ECMA-48, 8.3.117: select graphic rendition and its reset.
const codes: Record<Tone, [number, number]> = {
  good: [32, 39],
  wait: [33, 39],
  bad: [31, 39],
  strong: [1, 22],
  faint: [2, 22],
}

/** Colours a text that is already printable. */
export type Paint = (text: string, tone: Tone | undefined) => string

export const inColour: Paint = (text, tone) => {
  if (tone === undefined || text === '') return text
  const [begin, end] = codes[tone]
  return `\u001b[${begin}m${text}\u001b[${end}m`
}

export const withoutColour: Paint = (text) => text

const tones: Record<string, Tone> = {
  confirmed: 'good',
  completed: 'good',
  active: 'good',
  delivered: 'good',
  succeeded: 'good',
  verified: 'good',
  amended: 'good',
  held: 'wait',
  pending: 'wait',
  offered: 'wait',
  sending: 'wait',
  running: 'wait',
  unverified: 'wait',
  paused: 'wait',
  failed: 'bad',
  declined: 'bad',
  no_show: 'bad',
  disabled: 'bad',
  not_verified: 'bad',
  unknown: 'bad',
}

/** The tone of any status; undefined if it is neither good nor bad. */
export const toneOf = (status: string): Tone | undefined =>
  Object.hasOwn(tones, status) ? tones[status] : undefined
