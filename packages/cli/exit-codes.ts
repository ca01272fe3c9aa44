/** What the end of a command says to whoever started it; docs/guides/cli.md has the same table. */
export const exitCodes = {
  done: 0,
  /** the network refused, or what was asked for did not come about */
  refused: 1,
  /** what was typed cannot be meant */
  misused: 2,
  /** no answer, one that is not a venue network's, or one that could not be shown or written: what became of a change is not known */
  unreachable: 3,
  /** accepted, and not decided when `--wait` was over */
  pending: 4,
  /** Ctrl-C, as shells say it */
  interrupted: 130,
  /** SIGTERM, the same way */
  terminated: 143,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
