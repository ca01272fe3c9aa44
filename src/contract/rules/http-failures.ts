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

const answerTexts: Record<string, string> = {
  ...failureTexts,
  redirect: 'Redirects are not followed: only 2xx is a success.',
  gone: '410 says that nothing is to be sent there any more: the endpoint is disabled.',
  too_large: '413 says that the body is too large: it is not tried again.',
  internal: 'Something failed on our side.',
}

/** Why an attempt does not count, in a sentence: no answer came, or one that is no success. */
export const failureText = (category: string): string =>
  answerTexts[category] ?? 'The receiver did not accept it: only 2xx is a success.'
