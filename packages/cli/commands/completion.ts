import { defineCommand } from '../command.ts'
import { completionScripts } from './completion-scripts.ts'

const shells = Object.keys(completionScripts)

export const completion = defineCommand({
  words: 'completion',
  summary: 'Print the completion script for a shell.',
  details:
    'bash: source <(venue-network completion bash) in ~/.bashrc. zsh: the same, after ' +
    'compinit in ~/.zshrc. fish: save as ~/.config/fish/completions/venue-network.fish.',
  args: { shell: { about: 'Which shell', choices: shells } },
  examples: shells.map((shell) => `completion ${shell}`),
  async run({ args }) {
    const script = completionScripts[args.shell] ?? ''
    return { answer: { shell: args.shell, script }, text: () => script.trimEnd() }
  },
})
