/** What an operator and a subscriber are told about a request that got no answer; no address that a name resolved to is in it. */
export const failureTexts = {
  refused_url: 'The URL is not acceptable.',
  refused_address: 'The address is not a public one.',
  dns: 'The name could not be resolved.',
  busy: 'No socket became free in time on our side.',
  connect: 'No connection could be made.',
  tls: 'The TLS handshake failed.',
  timeout: 'There was no complete answer before the deadline.',
  broken: 'The connection ended before the answer was complete.',
  bad_answer: 'The answer is not acceptable HTTP/1.1.',
  aborted: 'The request was called off on our side.',
} as const

export type FailureKind = keyof typeof failureTexts

/** Why an attempt did not count, in a sentence: no answer came, or one that was not 2xx. */
export function failureText(category: string, httpStatus: number | null): string {
  if (Object.hasOwn(failureTexts, category)) return failureTexts[category as FailureKind]
  if (httpStatus === null) return 'The attempt failed.'
  if (httpStatus >= 300 && httpStatus < 400) {
    return `The receiver answered ${httpStatus}: redirects are not followed.`
  }
  return `The receiver answered ${httpStatus}: only 2xx is a success.`
}
