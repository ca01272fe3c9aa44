/** What the end of a command says to whoever started it; docs/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  /** the network refused, or what was asked for did not come about */
  refused: 1,
  /** what was typed cannot be meant */
  misused: 2,
  /** no answer, or one that is not a venue network's */
  unreachable: 3,
  /** accepted, and not decided when `--wait` was over */
  pending: 4,
  /** Ctrl-C, as shells say it */
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
