import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { Answer, Call, Door, Guess, Json, Refusal } from './call.ts'
import { follow, type Wish } from './follow.ts'

/** The calls, refusals and tokens used for a task. */
export type Effort = { calls: number; refusals: number; tokens: number }

/** Why a task failed, with the last calls and answers. */
export class Lost extends Error {}

/** An uninstructed agent at one door: it guesses, and follows refusals. */
export type Agent = {
  effort: Effort
  /** Makes a call by a first guess and, if refused, once more by the refusal's advice. */
  call(guess: Guess, wish?: Wish): Promise<Json>
  /** Makes a call that must be refused. */
  refused(guess: Guess): Promise<Refusal>
  /** Reads a document mentioned in an answer. */
  read(address: string): Promise<string>
  /** Ends the task, with the last calls and answers. */
  lost(why: string): Lost
}

export function createAgent(door: Door): Agent {
  const effort: Effort = { calls: 0, refusals: 0, tokens: 0 }
  const trail: string[] = []

  const note = (request: string, text: string) => {
    effort.calls += 1
    effort.tokens += countTokens(text)
    trail.push(`> ${request}\n< ${text.slice(0, 1_500)}`)
  }
  async function send(call: Call): Promise<Answer> {
    const answer = await door.send(call)
    note(`${call.name} ${JSON.stringify(call.input)}`, answer.text)
    if ('refusal' in answer) effort.refusals += 1
    return answer
  }
  const lost = (why: string) => new Lost(`${why}\n${trail.slice(-2).join('\n')}`)
  const callOf = (guess: Guess): Call => {
    const [name, input = {}] = guess[door.family]
    return { name, input }
  }

  return {
    effort,
    lost,
    async call(guess, wish = {}) {
      const call = callOf(guess)
      const answer = await send(call)
      if (!('refusal' in answer)) return answer.output
      const next = follow(call, answer.refusal, wish)
      if (!next) throw lost(`the refusal ${answer.refusal.code} does not say what to send instead`)
      const second = await send(next)
      if ('refusal' in second) throw lost('what the refusal says is refused too')
      return second.output
    },
    async refused(guess) {
      const answer = await send(callOf(guess))
      if ('refusal' in answer) return answer.refusal
      throw lost('it was not refused')
    },
    async read(address) {
      const text = await (await fetch(address)).text()
      note(`GET ${address}`, text)
      return text
    },
  }
}

/** Ends the task unless the condition holds. */
export function expect(agent: Agent, holds: unknown, what: string): asserts holds {
  if (!holds) throw agent.lost(what)
}
