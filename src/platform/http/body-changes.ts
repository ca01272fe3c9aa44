/**
 * How a body was changed after signing, as the end of a sentence; undefined if no known change
 * explains it. `sent` are bodies that may have been signed; `matches` says whether one was.
 */
export function changeOf(
  body: string,
  sentBodies: readonly string[],
  matches: (body: string) => boolean,
): string | undefined {
  const original = sentBodies.find(matches)
  if (original !== undefined) {
    return (
      `the body is not what we sent. ${firstDifference(original, body)} Verify the bytes as they ` +
      'arrive, before anything parses them.'
    )
  }
  return changes.find(({ undo }) => {
    const before = undo(body)
    return before !== undefined && before !== body && matches(before)
  })?.text
}

/** Undoes changes that receivers make to a body before verifying it. */
const changes: readonly { text: string; undo(body: string): string | undefined }[] = [
  {
    text: 'line feeds became CR LF in the body. Verify the bytes as they arrive.',
    undo: (body) => body.replaceAll('\r\n', '\n'),
  },
  {
    text: 'the body has white space around it that we did not send. Do not add a line feed.',
    undo: (body) => body.trim(),
  },
  {
    text:
      'the body was parsed and written again, with other spaces. Verify the bytes as they ' +
      'arrive, before a JSON parser (in Express: express.raw).',
    undo: rewritten,
  },
]

function rewritten(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** How many characters to show on each side of a difference. */
const SHOWN_CHARS = 12

function firstDifference(original: string, actual: string): string {
  let index = 0
  while (index < original.length && original[index] === actual[index]) index += 1
  const part = (text: string) => JSON.stringify(text.slice(index, index + SHOWN_CHARS))
  if (index >= actual.length) return `It ends after character ${index}.`
  return index >= original.length
    ? `It goes on after character ${index}, where ours ends.`
    : `It differs at character ${index + 1}: we sent ${part(original)}, you have ${part(actual)}.`
}
