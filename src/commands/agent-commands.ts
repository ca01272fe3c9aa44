import { byCommand } from '../contract/audit.ts'
import { takeDownAgent } from '../operators/steps/take-down-agent.ts'
import { defineOperatorCommand } from './operator-program.ts'

export const takeDown = defineOperatorCommand({
  words: 'take-down-agent',
  summary: 'Take a public agent out of the list, or let its account publish it again.',
  details: 'Its account sees the reason. An agent that is restored stays private until published.',
  args: { agent: { about: 'Name of the agent, without agent://' } },
  options: {
    reason: { kind: 'text', value: 'TEXT', about: 'Why, for its account', required: true },
    restore: { kind: 'flag', about: 'Let its account publish it again' },
  },
  examples: ['take-down-agent evil-desk --reason "passes for a venue"'],
  async run({ args: { agent: name }, options: { reason, restore }, inTransaction, at }) {
    const taking = { name, reason, isRestored: restore === true }
    const isDone = await inTransaction((tx) =>
      takeDownAgent(tx, taking, (id) => byCommand(id, at), at),
    )
    if (!isDone) throw new Error(`There is no agent ${name}.`)
    return `The agent ${name} is ${restore ? 'restored' : 'taken down'}.`
  },
})
