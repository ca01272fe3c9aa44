import recorded from './recorded-answers.json' with { type: 'json' }

/** Inputs and their answers by A2A intent, recorded by `test/system/reference-answers.test.ts`. */
export type RecordedAnswers = Record<string, { input: Record<string, unknown>; answer: unknown }>

const answers: RecordedAnswers = recorded

/** A recorded call with its answer; `$URL` stands for the address of the service. */
export const recordedCall = (a2a: string): RecordedAnswers[string] | undefined => answers[a2a]
