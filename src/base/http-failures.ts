import texts from './http-failures.json' with { type: 'json' }

/** Why a request got no answer. Never names a resolved address, because subscribers can read it. */
export const failureTexts = texts.client
export type FailureKind = keyof typeof failureTexts

const answerTexts: Record<string, string> = { ...texts.client, ...texts.answer }

/** A sentence that says why an attempt failed. */
export const failureText = (category: string): string =>
  answerTexts[category] ?? 'The receiver did not accept it. Only 2xx is a success.'
